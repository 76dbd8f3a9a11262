//! What a run of a program leaves behind, as far as it is compared.

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Observed {
    /// Frames of stack traces are left out: the JIT inlines methods, so they are not the same on every run of CoreCLR.
    pub fn new(code: i32, stdout: &[u8], stderr: &[u8]) -> Observed {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let stderr = text(stderr);
        let lines = stderr.split_inclusive('\n').filter(|line| !is_trace(line));
        Observed { code, stdout: text(stdout), stderr: lines.collect() }
    }
}

fn is_trace(line: &str) -> bool {
    line.starts_with("   at ")
        || line.starts_with("  at ")
        || line.starts_with("   --- End of ")
        || line.starts_with("--- End of ")
}

/// The first difference, in words.
pub fn compare(observed: &Observed, expected: &Observed) -> Result<(), String> {
    for (what, ours, theirs) in
        [("stdout", &observed.stdout, &expected.stdout), ("stderr", &observed.stderr, &expected.stderr)]
    {
        if ours == theirs {
            continue;
        }
        let line = ours.lines().zip(theirs.lines()).position(|(a, b)| a != b);
        let line = line.unwrap_or_else(|| ours.lines().count().min(theirs.lines().count()));
        let nth =
            |text: &str| text.lines().nth(line).map_or("its end".to_owned(), |text| format!("{text:?}"));
        return Err(format!("line {} of {what} is {}, not {}", line + 1, nth(ours), nth(theirs)));
    }
    if observed.code != expected.code {
        return Err(format!("the exit code is {}, not {}", observed.code, expected.code));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_said() {
        let seen =
            |code, stdout: &str, stderr: &str| Observed::new(code, stdout.as_bytes(), stderr.as_bytes());
        let (a, traced) = (seen(0, "1\n2\n", "Oh\n"), seen(0, "1\n2\n", "Oh\n   at P.Main()\n"));
        assert_eq!(compare(&a, &traced), Ok(()));
        assert_eq!(compare(&a, &seen(0, "1\n3\n", "")), Err("line 2 of stdout is \"2\", not \"3\"".into()));
        assert_eq!(
            compare(&a, &seen(0, "1\n2\n", "")),
            Err("line 1 of stderr is \"Oh\", not its end".into())
        );
        assert_eq!(compare(&a, &seen(134, "1\n2\n", "Oh\n")), Err("the exit code is 0, not 134".into()));
    }

    /// Lines are how people look at it; bytes are what must agree.
    #[test]
    fn a_missing_end_of_line_is_a_difference() {
        let (with, without) = (Observed::new(0, b"1\n", b""), Observed::new(0, b"1", b""));
        assert!(compare(&with, &without).is_err());
    }
}
