//! The states that wait, and the strategies that choose among them.

use std::collections::VecDeque;

use crate::explorer::Node;

/// The order of exploration. Answers of an exhausted exploration do not depend on it, only the way there does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    Dfs,
    Bfs,
    /// States about to take an edge that no path has taken go first; otherwise the newest, the oldest and a random
    /// state take turns, so that neither a deep loop nor a wide switch starves the rest.
    #[default]
    Coverage,
}

pub(crate) struct Frontier {
    strategy: Strategy,
    /// States whose next edge was new when they were added.
    promising: VecDeque<Node>,
    rest: VecDeque<Node>,
    /// States that need longer arrays or strings than are tried first.
    long: VecDeque<Node>,
    /// States whose query did not finish at the first try.
    hard: VecDeque<Node>,
    random: SplitMix,
    turn: u32,
}

impl Frontier {
    pub fn new(strategy: Strategy, seed: u64) -> Frontier {
        Frontier {
            strategy,
            promising: VecDeque::new(),
            rest: VecDeque::new(),
            long: VecDeque::new(),
            hard: VecDeque::new(),
            random: SplitMix(seed),
            turn: 0,
        }
    }

    pub fn add(&mut self, node: Node, promising: bool) {
        if promising && self.strategy == Strategy::Coverage {
            self.promising.push_back(node);
        } else {
            self.rest.push_back(node);
        }
    }

    pub fn add_long(&mut self, node: Node) {
        self.long.push_back(node);
    }

    pub fn add_hard(&mut self, node: Node) {
        self.hard.push_back(node);
    }

    pub fn pick(&mut self, still_new: impl Fn(&Node) -> bool) -> Option<Node> {
        let easy = self.pick_easy(still_new);
        easy.or_else(|| self.long.pop_front()).or_else(|| self.hard.pop_front())
    }

    fn pick_easy(&mut self, still_new: impl Fn(&Node) -> bool) -> Option<Node> {
        while let Some(node) = self.promising.pop_front() {
            if still_new(&node) {
                return Some(node);
            }
            self.rest.push_back(node);
        }
        match self.strategy {
            Strategy::Dfs => self.rest.pop_back(),
            Strategy::Bfs => self.rest.pop_front(),
            Strategy::Coverage => {
                self.turn = self.turn.wrapping_add(1);
                match self.turn % 8 {
                    0 if !self.long.is_empty() => self.long.pop_front(),
                    0 | 4 => self.rest.pop_front(),
                    2 | 6 => {
                        let len = self.rest.len() as u64;
                        if len == 0 {
                            return None;
                        }
                        let index = (self.random.next() % len) as usize;
                        self.rest.swap_remove_back(index)
                    }
                    _ => self.rest.pop_back(),
                }
            }
        }
    }

    pub fn len(&self) -> usize {
        self.promising.len() + self.rest.len() + self.long.len() + self.hard.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A small generator of pseudo-random numbers (splitmix64).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
