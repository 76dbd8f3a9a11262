//! What the comments of the fixtures promise: `// expect: dead=no bugs=OverflowException` above a method.
//!
//! Not a C# parser: it relies on the fixtures' layout, one declaration to a line.

use std::{fs, path::Path};

use crate::Error;

/// The facts stated about one method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// `Type::Method`, both as metadata has them, without the namespace.
    pub method: String,
    /// The exception types that can leave the method, by simple name; none if not stated.
    pub bugs: Option<Vec<String>>,
    /// Whether it has a branch that no input reaches; none if not stated.
    pub dead: Option<bool>,
    /// Whether it has infinitely many paths.
    pub unbounded: bool,
}

/// Reads the expectations of one C# source, in its order. A word that nobody knows, or a comment that no method follows,
/// is an error: a claim that is not understood would be a claim that is not checked.
pub fn expectations(file: &Path) -> Result<Vec<Expectation>, Error> {
    let source = fs::read_to_string(file).map_err(Error::io(file))?;
    let wrong = |(line, what)| Error::Fixture { file: file.to_owned(), line, what };
    read(&source).map_err(wrong)
}

/// The number of a line and what is wrong with it.
type Wrong = (usize, String);

fn read(source: &str) -> Result<Vec<Expectation>, Wrong> {
    let mut found = Vec::new();
    let mut type_name = String::new();
    let mut pending: Option<(usize, &str)> = None;
    for (index, line) in source.lines().map(str::trim).enumerate() {
        if let Some(facts) = line.strip_prefix("// expect:") {
            refuse(pending.replace((index + 1, facts)))?;
        } else if let Some(name) = declared_type(line) {
            refuse(pending)?;
            type_name = name;
        } else if let Some((at, facts)) = pending
            && !(line.is_empty() || line.starts_with("//") || line.starts_with('['))
        {
            let name = declared_method(line, &type_name).ok_or_else(|| no_method(at))?;
            let method = format!("{type_name}::{name}");
            found.push(expectation(method, facts).map_err(|what| (at, what))?);
            pending = None;
        }
    }
    refuse(pending)?;
    Ok(found)
}

/// A comment that no method came after.
fn refuse(pending: Option<(usize, &str)>) -> Result<(), Wrong> {
    pending.map_or(Ok(()), |(at, _)| Err(no_method(at)))
}

fn no_method(at: usize) -> Wrong {
    (at, "there is no method below that the expectation could be about".to_owned())
}

fn expectation(method: String, facts: &str) -> Result<Expectation, String> {
    let mut result = Expectation { method, bugs: None, dead: None, unbounded: false };
    for fact in facts.split_whitespace() {
        match fact.split_once('=') {
            Some(("bugs", "none")) => result.bugs = Some(Vec::new()),
            Some(("bugs", names)) => result.bugs = Some(names.split(',').map(str::to_owned).collect()),
            Some(("dead", "yes")) => result.dead = Some(true),
            Some(("dead", "no")) => result.dead = Some(false),
            None if fact == "unbounded" => result.unbounded = true,
            _ => return Err(format!("`{fact}` is nothing that can be expected")),
        }
    }
    Ok(result)
}

/// The name of the type a line declares, with its arity.
fn declared_type(line: &str) -> Option<String> {
    let mut words = line.split(' ').skip_while(|word| !["class", "struct", "enum"].contains(word));
    let head = line.split(" where ").next().unwrap_or(line);
    if !line.starts_with("public ") || head.contains('(') {
        return None;
    }
    let name = words.nth(1)?.trim_end_matches(':');
    match name.split_once('<') {
        Some((name, arguments)) => Some(format!("{name}`{}", arguments.matches(',').count() + 1)),
        None => Some(name.to_owned()),
    }
}

/// The metadata name of the method a line declares.
fn declared_method(line: &str, type_name: &str) -> Option<String> {
    // The parenthesis of a tuple follows a space.
    let after = line.strip_prefix("public ")?;
    let (parameters, _) = after.match_indices('(').find(|(at, _)| !after[..*at].ends_with(' '))?;
    let before = &after[..parameters];
    if let Some((_, operator)) = before.split_once("operator ") {
        let name = match operator {
            "+" => "op_Addition",
            "-" => "op_Subtraction",
            "*" => "op_Multiply",
            "/" => "op_Division",
            "==" => "op_Equality",
            "!=" => "op_Inequality",
            _ => return None,
        };
        return Some(name.to_owned());
    }
    // The parameters of a generic method may have spaces between them.
    let name = if before.ends_with('>') { before.rsplit_once('<')?.0 } else { before };
    let name = name.rsplit(' ').next()?;
    let own = type_name.split('`').next()?;
    Some(if name == own { ".ctor" } else { name }.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_belong_to_the_method_below() {
        let source = "
public readonly struct Rational
{
    // expect: dead=no bugs=DivideByZeroException
    public Rational(int n, int d) { }

    public int NotStated() => 0;

    // A remark.
    // expect: bugs=none
    public static bool operator ==(Rational a, Rational b) => true;

    // expect: dead=no
    public static (int Low, int High) Bounds(int x) => (x, x);
}
public struct Pair<T> where T : struct, new()
{
    // expect: dead=yes bugs=A,B unbounded
    public readonly T First<U, V>(ref int x)
    {
    }
    // expect: dead=no
    public Pair(T x) { }
}";
        let summary: Vec<String> = read(source)
            .unwrap()
            .into_iter()
            .map(|e| format!("{} {:?} {:?} {}", e.method, e.bugs, e.dead, e.unbounded))
            .collect();
        assert_eq!(
            summary,
            [
                "Rational::.ctor Some([\"DivideByZeroException\"]) Some(false) false",
                "Rational::op_Equality Some([]) None false",
                "Rational::Bounds None Some(false) false",
                "Pair`1::First Some([\"A\", \"B\"]) Some(true) true",
                "Pair`1::.ctor None Some(false) false",
            ]
        );
    }

    #[test]
    fn what_is_not_understood_is_refused_with_its_line() {
        let refused = |comment: &str, below: &str| {
            read(&format!("public class C\n{{\n    {comment}\n    {below}\n}}")).unwrap_err()
        };
        let method = "public int M() => 0;";
        for word in ["ded=no", "dead=maybe", "bugs", "unbound"] {
            let (line, what) = refused(&format!("// expect: bugs=none {word}"), method);
            assert_eq!((line, what), (3, format!("`{word}` is nothing that can be expected")));
        }
        let no_method = "there is no method below that the expectation could be about".to_owned();
        assert_eq!(refused("// expect: dead=no", "public int field;"), (3, no_method.clone()));
        assert_eq!(refused("// expect: dead=no", "// expect: bugs=none"), (3, no_method.clone()));
        assert_eq!(refused("// expect: dead=no", ""), (3, no_method));
    }
}
