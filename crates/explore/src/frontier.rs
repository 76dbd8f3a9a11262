//! The states that wait, and the strategies that choose among them.

use random::Random;
use std::collections::{BTreeMap, VecDeque};

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
    /// States nearest to something that is wanted and not met go first.
    Targeted,
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
    /// States in which a mock stands where a real object could.
    mocked: VecDeque<Node>,
    /// By distance, then by age: the order of the targeted strategy.
    near: BTreeMap<(u32, u64), Node>,
    random: Random,
    turn: u32,
    /// Nodes that were added by distance.
    added: u64,
}

impl Frontier {
    pub fn new(strategy: Strategy, seed: u64) -> Frontier {
        Frontier {
            strategy,
            promising: VecDeque::new(),
            rest: VecDeque::new(),
            long: VecDeque::new(),
            hard: VecDeque::new(),
            mocked: VecDeque::new(),
            near: BTreeMap::new(),
            added: 0,
            random: Random::new(seed),
            turn: 0,
        }
    }

    pub fn add(&mut self, node: Node, promising: bool) {
        if promising && self.strategy == Strategy::Coverage {
            self.promising.push_back(node);
        } else if node.mocked {
            self.mocked.push_back(node);
        } else {
            self.rest.push_back(node);
        }
    }

    /// A state at this distance from what is wanted.
    pub fn add_at(&mut self, node: Node, distance: u32) {
        if node.mocked {
            self.mocked.push_back(node);
            return;
        }
        self.added += 1;
        self.near.insert((distance, self.added), node);
    }

    /// All states that were added by distance, in the order of their age: the distances have changed.
    pub fn take_near(&mut self) -> Vec<Node> {
        let mut nodes: Vec<(u64, Node)> =
            std::mem::take(&mut self.near).into_iter().map(|((_, age), node)| (age, node)).collect();
        nodes.sort_by_key(|(age, _)| *age);
        nodes.into_iter().map(|(_, node)| node).collect()
    }

    pub fn add_long(&mut self, node: Node) {
        self.long.push_back(node);
    }

    pub fn add_hard(&mut self, node: Node) {
        self.hard.push_back(node);
    }

    /// Whoever has covered everything needs no mocks.
    pub fn drop_mocked(&mut self) {
        self.mocked.clear();
    }

    pub fn pick(&mut self, still_new: impl Fn(&Node) -> bool) -> Option<Node> {
        // Real objects go first, but a loop over them does not starve the mocks.
        if self.turn > MOCKED_FROM
            && self.turn.is_multiple_of(MOCKED_TURN)
            && let Some(node) = self.pick_mocked()
        {
            return Some(node);
        }
        let easy = self.pick_easy(still_new);
        let real = easy.or_else(|| self.long.pop_front());
        real.or_else(|| self.pick_mocked()).or_else(|| self.hard.pop_front())
    }

    /// The oldest or the newest.
    fn pick_mocked(&mut self) -> Option<Node> {
        self.turn = self.turn.wrapping_add(1);
        if self.random.number().is_multiple_of(2) { self.mocked.pop_front() } else { self.mocked.pop_back() }
    }

    fn pick_easy(&mut self, still_new: impl Fn(&Node) -> bool) -> Option<Node> {
        while let Some(node) = self.promising.pop_front() {
            if still_new(&node) {
                return Some(node);
            }
            self.add(node, false);
        }
        match self.strategy {
            Strategy::Targeted => {
                self.turn = self.turn.wrapping_add(1);
                // The nearest is not always on a way that can be taken: now and then the oldest has its turn.
                let next = match self.turn % OLDEST_TURN {
                    0 => self.near.iter().min_by_key(|((_, age), _)| *age).map(|(key, _)| *key),
                    _ => self.near.keys().next().copied(),
                };
                next.and_then(|key| self.near.remove(&key)).or_else(|| self.rest.pop_back())
            }
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
                        let index = (self.random.number() % len) as usize;
                        self.rest.swap_remove_back(index)
                    }
                    _ => self.rest.pop_back(),
                }
            }
        }
    }

    /// Gives up whatever waits.
    pub fn clear(&mut self) {
        for queue in [&mut self.promising, &mut self.rest, &mut self.long, &mut self.hard, &mut self.mocked] {
            *queue = VecDeque::new();
        }
    }

    pub fn len(&self) -> usize {
        let plain = self.promising.len() + self.rest.len() + self.near.len();
        plain + self.long.len() + self.hard.len() + self.mocked.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// After so many picks, one in so many is a state with a mock.
const MOCKED_FROM: u32 = 1_000;
const MOCKED_TURN: u32 = 32;
/// One in so many is the oldest state, whatever its distance.
const OLDEST_TURN: u32 = 16;
