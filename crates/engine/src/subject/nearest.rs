//! The names a user may have meant.

/// Up to three of `names` that are close to `wanted`, nearest first. Case does not count.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut close: Vec<(usize, &str)> =
        names.into_iter().filter_map(|name| Some((closeness(wanted, name)?, name))).collect();
    close.sort();
    close.dedup();
    close.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

/// The distance of the full names or of their last parts, whichever is nearer, when it is small enough.
fn closeness(wanted: &str, name: &str) -> Option<usize> {
    let (wanted, name) = (bare(wanted), bare(name));
    let pairs = [(wanted.as_str(), name.as_str()), (last_part(&wanted), last_part(&name))];
    let close = pairs.into_iter().filter_map(|(a, b)| {
        let allowed = a.chars().count().div_ceil(3);
        Some(distance(a, b)).filter(|d| *d <= allowed)
    });
    close.min()
}

/// Lower case, without parameters.
fn bare(name: &str) -> String {
    name.split('(').next().unwrap_or(name).to_lowercase()
}

fn last_part(name: &str) -> &str {
    name.rsplit(['.', '+', ':']).next().unwrap_or(name)
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
        for (a, b, d) in [("", "", 0), ("abc", "", 3), ("", "ab", 2), ("kitten", "sitting", 3), ("a", "a", 0)]
        {
            assert_eq!(distance(a, b), d, "{a} {b}");
        }
    }

    #[test]
    fn suggestions() {
        let names = ["Shop.Cart", "Shop.Card", "Shop.Order", "Other.Thing"];
        assert_eq!(nearest("Shop.Crat", names), ["Shop.Cart", "Shop.Card"]);
        assert_eq!(nearest("cart", names), ["Shop.Cart", "Shop.Card"]);
        assert!(nearest("Nothing.Like.It", names).is_empty());
    }
}
