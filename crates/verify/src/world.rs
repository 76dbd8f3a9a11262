//! The worlds that a test must hold in, and which processes visit them.
//!
//! A time zone belongs to a process, so there is one process per zone; cultures, orders and threads change from pass to
//! pass. The first pass of each process meets static fields as they are at the start, in another order each time; strings
//! have other hash codes in each process; the second pass of the first process runs everything again. In the last process every test is
//! alone: the tests and the code under test are loaded afresh for each, so that nothing before it can help it.
//!
//! | process | pass | culture | order | thread |
//! |---|---|---|---|---|
//! | UTC | 1 | invariant | as declared | main |
//! | | 2 | invariant | as declared, again | main |
//! | | 3 | de-DE | reversed | pool |
//! | America/New_York | 1 | en-US | reversed | pool |
//! | | 2 | tr-TR | shuffled | main |
//! | Asia/Kolkata | 1 | ar-SA | shuffled | main |
//! | | 2 | tr-TR | as declared | pool |
//! | Europe/Berlin | 1 | de-DE | each alone | main |

use std::fmt;

/// Surroundings that a test is run in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct World {
    /// The name of the culture; empty for the invariant one.
    pub culture: &'static str,
    pub zone: &'static str,
    pub order: Order,
    pub thread: Thread,
    /// Everything has run before in this process, in the same order.
    pub again: bool,
}

/// Which tests come before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Declared,
    Reversed,
    /// By a fixed seed; the tests of a class stay together.
    Shuffled,
    /// None: static fields are as at the start.
    Alone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thread {
    Main,
    Pool,
}

/// The table above. Neighbours with the same zone share a process.
pub const PLAN: &[World] = &[
    world("", "UTC", Order::Declared, Thread::Main),
    World { again: true, ..world("", "UTC", Order::Declared, Thread::Main) },
    world("de-DE", "UTC", Order::Reversed, Thread::Pool),
    world("en-US", "America/New_York", Order::Reversed, Thread::Pool),
    world("tr-TR", "America/New_York", Order::Shuffled, Thread::Main),
    world("ar-SA", "Asia/Kolkata", Order::Shuffled, Thread::Main),
    world("tr-TR", "Asia/Kolkata", Order::Declared, Thread::Pool),
    world("de-DE", "Europe/Berlin", Order::Alone, Thread::Main),
];

const fn world(culture: &'static str, zone: &'static str, order: Order, thread: Thread) -> World {
    World { culture, zone, order, thread, again: false }
}

/// Offsets from UTC in minutes, in winter and in summer: whether the machine knows the zone.
pub(crate) fn offsets(zone: &str) -> (i64, i64) {
    match zone {
        "America/New_York" => (-300, -240),
        "Asia/Kolkata" => (330, 330),
        "Europe/Berlin" => (60, 120),
        _ => (0, 0),
    }
}

impl World {
    /// The plainest one: what fails here fails for everybody.
    pub(crate) const BASE: World = world("", "UTC", Order::Declared, Thread::Main);

    pub(crate) fn alone(culture: &'static str, zone: &'static str) -> World {
        world(culture, zone, Order::Alone, Thread::Main)
    }
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let culture = if self.culture.is_empty() { "invariant" } else { self.culture };
        let order = match (self.order, self.again) {
            (Order::Declared, false) => "in the declared order",
            (Order::Declared, true) => "a second time",
            (Order::Reversed, _) => "in reversed order",
            (Order::Shuffled, _) => "in shuffled order",
            (Order::Alone, _) => "alone",
        };
        let thread = if self.thread == Thread::Pool { ", on a pool thread" } else { "" };
        write!(f, "culture {culture}, time zone {}, {order}{thread}", self.zone)
    }
}

/// The tests in the order of a world; `classes` has the class of each.
pub(crate) fn ordered(order: Order, tests: &[usize], class: impl Fn(usize) -> String) -> Vec<usize> {
    let mut ordered = tests.to_vec();
    match order {
        Order::Declared => {}
        Order::Alone => ordered = in_turn(ordered, class),
        Order::Reversed => ordered.reverse(),
        Order::Shuffled => {
            let mut groups = by_class(ordered, class);
            let mut random = Random(0x9e37_79b9_7f4a_7c15);
            random.shuffle(&mut groups);
            groups.iter_mut().for_each(|group| random.shuffle(group));
            ordered = groups.concat();
        }
    }
    ordered
}

/// Neighbours of the same class together.
fn by_class(tests: Vec<usize>, class: impl Fn(usize) -> String) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for test in tests {
        match groups.last_mut() {
            Some(group) if group.first().is_some_and(|first| class(*first) == class(test)) => {
                group.push(test)
            }
            _ => groups.push(vec![test]),
        }
    }
    groups
}

/// The first test of each class, then the second of each, and so on: who stops early has seen something of every class.
fn in_turn(tests: Vec<usize>, class: impl Fn(usize) -> String) -> Vec<usize> {
    let groups = by_class(tests, class);
    let longest = groups.iter().map(Vec::len).max().unwrap_or_default();
    (0..longest).flat_map(|at| groups.iter().filter_map(move |group| group.get(at).copied())).collect()
}

/// Numbers that follow from the seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit.max(1) as u64).unwrap_or_default()
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_plan_visits_every_culture_zone_order_and_thread() {
        let cultures: BTreeSet<&str> = PLAN.iter().map(|world| world.culture).collect();
        assert_eq!(cultures, BTreeSet::from(["", "en-US", "de-DE", "tr-TR", "ar-SA"]));
        let zones: BTreeSet<&str> = PLAN.iter().map(|world| world.zone).collect();
        assert!(zones.len() >= 3);
        for order in [Order::Declared, Order::Reversed, Order::Shuffled, Order::Alone] {
            // In each order something meets fresh static fields: it is the first of a process.
            let first = |at: usize| at == 0 || PLAN[at - 1].zone != PLAN[at].zone;
            assert!(
                PLAN.iter().enumerate().any(|(at, world)| world.order == order && first(at)),
                "{order:?}"
            );
        }
        assert!(PLAN.iter().any(|world| world.thread == Thread::Pool));
        assert!(PLAN.iter().any(|world| world.again));
        assert_eq!(PLAN[0], World::BASE);
        // One process per zone.
        let mut runs: Vec<&str> = PLAN.iter().map(|world| world.zone).collect();
        runs.dedup();
        assert_eq!(runs.len(), zones.len());
    }

    #[test]
    fn classes_stay_together_when_tests_are_shuffled() {
        let class = |test: usize| (test / 5).to_string();
        let all: Vec<usize> = (0..40).collect();
        let shuffled = ordered(Order::Shuffled, &all, class);
        assert_ne!(shuffled, all);
        assert_eq!(shuffled, ordered(Order::Shuffled, &all, class));
        let mut classes: Vec<String> = shuffled.iter().map(|test| class(*test)).collect();
        classes.dedup();
        assert_eq!(classes.len(), 8);
        let in_turn = ordered(Order::Alone, &[0, 1, 2, 5, 10, 11], class);
        assert_eq!(in_turn, [0, 5, 10, 1, 11, 2]);
        assert_eq!(shuffled.into_iter().collect::<BTreeSet<_>>().len(), 40);
    }
}
