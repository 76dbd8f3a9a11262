//! The text of one test in the files that `generate` wrote.

use std::fs;
use std::path::Path;

/// Name (without its extension) and text of each C# file of a folder, in the order of names.
pub fn files(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<(String, String)> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "cs"))
        .filter_map(|path| {
            Some((path.file_stem()?.to_string_lossy().into_owned(), fs::read_to_string(&path).ok()?))
        })
        .collect();
    files.sort();
    files
}

/// The test of a method. Classes may have tests of the same name: then the file must be that of the method's class.
pub fn find(files: &[(String, String)], method: &str, test: &str) -> Option<String> {
    let ty = method.split("::").next().unwrap_or_default();
    let ty = ty.rsplit(['.', '+']).next().unwrap_or_default().split(['`', '[']).next().unwrap_or_default();
    let found: Vec<(&str, String)> =
        files.iter().filter_map(|(name, text)| Some((name.as_str(), of_test(text, test)?))).collect();
    let mut own = found.iter().filter(|(name, _)| name.starts_with(ty));
    match (found.as_slice(), own.next(), own.next()) {
        ([(_, only)], ..) => Some(only.clone()),
        (_, Some((_, text)), None) => Some(text.clone()),
        _ => None,
    }
}

/// From its attributes to the brace that ends it, without the indentation of its class.
fn of_test(text: &str, test: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let is_head =
        |line: &&str| line.trim_start().starts_with("public ") && line.contains(&format!(" {test}("));
    let head = lines.iter().position(is_head)?;
    let indentation = lines.get(head)?.chars().take_while(|c| *c == ' ').count();
    let end = format!("{}}}", " ".repeat(indentation));
    let last = head + lines.iter().skip(head).position(|line| *line == end)?;
    let attributes = lines.iter().take(head).rev().take_while(|line| line.trim_start().starts_with('['));
    let first = head - attributes.count();
    let shown =
        lines.get(first..=last)?.iter().map(|line| line.get(indentation..).unwrap_or(line.trim_start()));
    Some(shown.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "public class CartTests\n{\n    [Fact]\n    public void Add_Throws()\n    {\n        if (x)\n        {\n        }\n    }\n\n    [Fact]\n    public void Add()\n    {\n    }\n}\n";

    #[test]
    fn a_test_is_cut_out_of_its_class() {
        let files = vec![("CartTests".to_owned(), FILE.to_owned())];
        let add = find(&files, "Shop.Cart::Add()", "Add");
        assert_eq!(add.as_deref(), Some("[Fact]\npublic void Add()\n{\n}"));
        assert_eq!(find(&files, "Shop.Cart::Add()", "Add_Throws").map(|text| text.lines().count()), Some(7));
        assert_eq!(find(&files, "Shop.Cart::Add()", "Remove"), None);
        let twice = [files, vec![("OrderTests".to_owned(), FILE.to_owned())]].concat();
        assert!(find(&twice, "Shop.Cart`1::Add()", "Add").is_some());
        assert_eq!(find(&twice, "Shop.Other::Add()", "Add"), None);
    }
}
