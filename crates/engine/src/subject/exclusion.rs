//! Which methods are left out: those whose code says so by an attribute, and those that the user does not want.
//!
//! What is named by itself is explored in any case.

use std::collections::BTreeMap;

use cil::{MethodDefId, Module, Token, TypeDefId};
use report::Excluded;

use crate::subject::catalog::outwards;
use crate::subject::entry_points::Request;
use crate::subject::select::{fits, in_namespace, is_method, is_type};
use crate::subject::target::Target;

/// An attribute by which code is left out, as a report calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    ExcludeFromCodeCoverage,
    GeneratedCode,
}

impl Mark {
    fn name(self) -> &'static str {
        match self {
            Mark::ExcludeFromCodeCoverage => "[ExcludeFromCodeCoverage]",
            Mark::GeneratedCode => "[GeneratedCode]",
        }
    }

    /// Of the method, the property or event that it belongs to, the types around it, or the assembly.
    pub(super) fn of(module: &Module, id: MethodDefId, owner: TypeDefId) -> Option<Mark> {
        const ASSEMBLY: u32 = 0x2000_0001;
        let has = |token: Token, namespace: &str, name: &str| {
            module.find_attribute(token, namespace, name).is_ok_and(|found| found.is_some())
        };
        let semantics = module.semantics_of_method(id).filter_map(|row| module.method_semantics(row).ok());
        let mut places: Vec<Token> = vec![id.token()];
        places.extend(semantics.map(|row| row.association));
        places.extend(outwards(module, owner).map(|ty| ty.token()));
        let is_generated =
            places.iter().any(|at| has(*at, "System.CodeDom.Compiler", "GeneratedCodeAttribute"));
        places.push(Token::from_raw(ASSEMBLY));
        const ANALYSIS: &str = "System.Diagnostics.CodeAnalysis";
        let is_excluded = places.iter().any(|at| has(*at, ANALYSIS, "ExcludeFromCodeCoverageAttribute"));
        match (is_excluded, is_generated) {
            (true, _) => Some(Mark::ExcludeFromCodeCoverage),
            (false, true) => Some(Mark::GeneratedCode),
            (false, false) => None,
        }
    }
}

/// The methods that stay, and what became of the others of those that fit the selection.
pub(super) fn without_excluded(targets: Vec<Target>, request: &Request) -> (Vec<Target>, Vec<Excluded>) {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut kept = Vec::new();
    for target in targets {
        match cause(&target, request) {
            None => kept.push(target),
            Some(cause) => {
                *counts.entry(cause).or_default() += u64::from(fits(&target, &request.selection));
            }
        }
    }
    let counts = counts.into_iter().filter(|(_, methods)| *methods > 0);
    (kept, counts.map(|(cause, methods)| Excluded { cause, methods }).collect())
}

/// Why it is left out.
fn cause(target: &Target, request: &Request) -> Option<String> {
    let selection = &request.selection;
    if selection.methods.iter().any(|name| is_method(target, name)) {
        return None;
    }
    if let Some(pattern) = request.exclude.iter().find(|pattern| is_meant(target, pattern)) {
        return Some(pattern.clone());
    }
    let is_named = selection.types.iter().any(|name| is_type(target, name));
    target.mark.filter(|_| !is_named).map(|mark| mark.name().to_owned())
}

/// Whether a pattern is about the method: `Shop.Legacy`, `Cart.Add`, `*Dto`, `Shop.*.get_*`, `**/Generated/*.cs`.
fn is_meant(target: &Target, pattern: &str) -> bool {
    const SOURCES: [&str; 3] = [".cs", ".fs", ".vb"];
    if pattern.contains('/') || SOURCES.iter().any(|end| pattern.ends_with(end)) {
        let path = target.source.as_ref().map(|line| line.path.replace('\\', "/"));
        return path.is_some_and(|path| any_tail(&path, '/', |tail| matches(pattern, tail, '/')));
    }
    if !pattern.contains(['*', '?']) {
        return in_namespace(target, pattern) || is_type(target, pattern) || is_method(target, pattern);
    }
    let ty = target.type_name.replace('+', ".");
    let method = format!("{ty}.{}", target.name);
    let pattern = pattern.replace("::", ".").replace('+', ".");
    [ty, method].iter().any(|name| any_tail(name, '.', |tail| matches(&pattern, tail, '\0')))
}

/// The whole text, and what is left of it after each part.
fn any_tail(text: &str, separator: char, is_it: impl Fn(&str) -> bool) -> bool {
    let starts = text.match_indices(separator).map(|(at, _)| at + separator.len_utf8());
    std::iter::once(0).chain(starts).any(|start| text.get(start..).is_some_and(&is_it))
}

/// `?` is one character, `*` any number of them within a part, `**` any at all.
fn matches(pattern: &str, text: &str, separator: char) -> bool {
    let text: Vec<char> = text.chars().collect();
    let pattern = pattern.trim_start_matches('/').replace("**/", "**");
    // Which beginnings of the text the pattern so far stands for.
    let mut reached = vec![false; text.len() + 1];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    let mut left = pattern.chars().peekable();
    while let Some(c) = left.next() {
        let is_star = c == '*';
        let crosses = is_star && left.next_if_eq(&'*').is_some();
        let mut next = vec![false; text.len() + 1];
        let mut before = false;
        for (at, slot) in next.iter_mut().enumerate() {
            let here = reached.get(at).copied().unwrap_or(false);
            let last = at.checked_sub(1).and_then(|at| text.get(at)).copied();
            *slot = if is_star {
                here || before && last.is_some_and(|last| crosses || last != separator)
            } else {
                let was = at.checked_sub(1).and_then(|at| reached.get(at)).copied().unwrap_or(false);
                was && last.is_some_and(|last| last == c || c == '?' && last != separator)
            };
            before = *slot;
        }
        reached = next;
    }
    reached.last().copied().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_names() {
        for (pattern, text, is_it) in [
            ("*Dto", "OrderDto", true),
            ("*Dto", "DtoOrder", false),
            ("Shop.*", "Shop.Cart.Add", true),
            ("Shop.*.get_*", "Shop.Cart.get_Count", true),
            ("Shop.?art", "Shop.Cart", true),
            ("*", "", true),
            ("", "x", false),
        ] {
            assert_eq!(matches(pattern, text, '\0'), is_it, "{pattern} {text}");
        }
    }

    #[test]
    fn stars_stand_for_parts_of_paths() {
        for (pattern, text, is_it) in [
            ("**/Generated/*.cs", "src/Generated/Cart.cs", true),
            ("**/Generated/*.cs", "Generated/Cart.cs", true),
            ("Generated/*.cs", "Generated/sub/Cart.cs", false),
            ("Generated/**", "Generated/sub/Cart.cs", true),
            ("*.g.cs", "Cart.g.cs", true),
            ("*.g.cs", "Cart.cs", false),
        ] {
            assert_eq!(matches(pattern, text, '/'), is_it, "{pattern} {text}");
        }
    }
}
