//! The names a user may have meant.

/// Up to three of `names` that are close to `wanted`, nearest first. Case differences count little.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let allowed = (wanted.chars().count() / 3).max(2);
    let mut close: Vec<(usize, &str)> = names
        .into_iter()
        .filter_map(|name| Some((closeness(&wanted, name, allowed)?, name)))
        .collect();
    close.sort();
    close.dedup();
    close.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

/// The distance to the full name or to its last part, whichever is nearer, when it is small enough.
fn closeness(wanted: &str, name: &str, allowed: usize) -> Option<usize> {
    let name = name.to_lowercase();
    let without_parameters = name.split('(').next().unwrap_or(&name);
    let last = without_parameters.rsplit(['.', '+', ':']).next().unwrap_or(without_parameters);
    let last_wanted = wanted.split('(').next().unwrap_or(wanted).rsplit(['.', '+', ':']).next().unwrap_or(wanted);
    let candidates = [distance(wanted, without_parameters), distance(last_wanted, last)];
    candidates.into_iter().min().filter(|d| *d <= allowed)
}

/// Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (y, cell) in b.iter().zip(row.iter_mut().skip(1)) {
            let best = (diagonal + usize::from(x != *y)).min(*cell + 1).min(left + 1);
            diagonal = *cell;
            *cell = best;
            left = best;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, d) in [("", "", 0), ("abc", "", 3), ("", "ab", 2), ("kitten", "sitting", 3), ("a", "a", 0)] {
            assert_eq!(distance(a, b), d, "{a} {b}");
        }
    }

    #[test]
    fn suggestions() {
        let names = ["Shop.Cart", "Shop.Card", "Shop.Order", "Other.Thing"];
        assert_eq!(nearest("Shop.Crat", names), ["Shop.Card", "Shop.Cart"]);
        assert_eq!(nearest("cart", names), ["Shop.Cart", "Shop.Card"]);
        assert!(nearest("Nothing.Like.It", names).is_empty());
    }
}
