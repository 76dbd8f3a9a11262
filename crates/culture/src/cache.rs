//! Answers by questions, in bounded room.
//!
//! Two generations: what is asked for moves into the young one; when that is full it becomes the old one and the former
//! old one is forgotten. So what is in use stays, and forgetting costs nothing per answer.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::limits::MAX_KEPT;

type Generation = FxHashMap<Box<[u8]>, Arc<[u8]>>;

pub struct Cache {
    young: Generation,
    old: Generation,
    /// Of the young generation.
    bytes: usize,
    most_bytes: usize,
}

/// What an entry costs beside its bytes.
const OVERHEAD: usize = 64;

impl Cache {
    pub fn new(most_bytes: usize) -> Cache {
        Cache { young: Generation::default(), old: Generation::default(), bytes: 0, most_bytes }
    }

    pub fn get(&mut self, key: &[u8]) -> Option<Arc<[u8]>> {
        if let Some(answer) = self.young.get(key) {
            return Some(Arc::clone(answer));
        }
        let (key, answer) = self.old.remove_entry(key)?;
        self.insert(key, Arc::clone(&answer));
        Some(answer)
    }

    pub fn keep(&mut self, key: &[u8], answer: &Arc<[u8]>) {
        if key.len().saturating_add(answer.len()) <= MAX_KEPT {
            self.insert(key.into(), Arc::clone(answer));
        }
    }

    fn insert(&mut self, key: Box<[u8]>, answer: Arc<[u8]>) {
        self.bytes += key.len() + answer.len() + OVERHEAD;
        self.young.insert(key, answer);
        if self.bytes > self.most_bytes {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(byte: u8) -> Arc<[u8]> {
        vec![byte; 100].into()
    }

    #[test]
    fn what_is_in_use_stays_and_the_rest_goes() {
        let mut cache = Cache::new(10 * (100 + 1 + OVERHEAD));
        for key in 0..200u8 {
            cache.keep(&[key], &answer(key));
            assert_eq!(cache.get(&[0]), Some(answer(0)), "{key}");
            assert!(cache.young.len() + cache.old.len() <= 22);
        }
        assert_eq!(cache.get(&[100]), None);
        assert_eq!(cache.get(&[199]), Some(answer(199)));
    }

    #[test]
    fn long_answers_are_not_kept() {
        let mut cache = Cache::new(usize::MAX);
        cache.keep(&[1], &vec![0; MAX_KEPT].into());
        assert_eq!(cache.get(&[1]), None);
    }
}
