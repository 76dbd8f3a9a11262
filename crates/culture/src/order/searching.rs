//! Which characters a search takes for the same. Not always those that compare as equal: under `IgnoreNonSpace` a search
//! does not look at the case of letters, and the comparison does. So the runtime's own search is asked.

use super::{AsciiOrder, CHARACTERS, trial};
use crate::{Error, Globalization};

/// For each character the first one that a search takes for it. None if searches do not go character by character.
pub fn classes(
    order: &AsciiOrder,
    asked: &Globalization,
    locale: &str,
    options: i32,
) -> Result<Option<Vec<u8>>, Error> {
    let mut classes: Vec<u8> = (0..CHARACTERS as u8).collect();
    let alike = alike(order);
    let texts: Vec<([u16; 1], [u16; 1])> = alike.iter().map(|&(a, b)| ([b.into()], [a.into()])).collect();
    let searches: Vec<(&[u16], &[u16])> = texts.iter().map(|(a, b)| (a.as_slice(), b.as_slice())).collect();
    let found = asked.indexes_of(locale, &searches, options)?;
    for (&(first, second), found) in alike.iter().zip(found) {
        let class = classes.get(usize::from(first)).copied();
        if let (0, Some(class), Some(of)) = (found, class, classes.get_mut(usize::from(second))) {
            *of = (*of).min(class);
        }
    }
    Ok(trial::finds(order, &classes, asked, locale, options)?.then_some(classes))
}

/// Pairs that differ below the first level at most; others are never the same.
fn alike(order: &AsciiOrder) -> Vec<(u8, u8)> {
    let first_rank = |c: u8| order.ranks(c.into()).map(|[rank, ..]| rank);
    let all = 0..CHARACTERS as u8;
    all.clone()
        .flat_map(|a| all.clone().skip(usize::from(a) + 1).map(move |b| (a, b)))
        .filter(|&(a, b)| first_rank(a).is_some() && first_rank(a) == first_rank(b))
        .collect()
}

/// The places where the target is, character by character.
pub fn places(classes: &[u8], target: &[u16], source: &[u16]) -> Option<Vec<usize>> {
    let class = |&unit: &u16| classes.get(usize::from(unit)).copied();
    let target: Vec<u8> = target.iter().map(class).collect::<Option<_>>()?;
    let source: Vec<u8> = source.iter().map(class).collect::<Option<_>>()?;
    let last = source.len().checked_sub(target.len());
    let found = |&at: &usize| source.get(at..).is_some_and(|rest| rest.starts_with(&target));
    Some(last.map_or_else(Vec::new, |last| (0..=last).filter(found).collect()))
}
