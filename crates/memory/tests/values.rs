//! Reads as values: unions, split reads, contents that are discovered.

mod scene;

use memory::{Bounds, Config, Index, Key, Union, UpdateTree};
use proptest::prelude::*;
use scene::{SYMBOLS, Scene, Shape, VALUES, concrete, configs, contents, point_of, shapes, writes};
use term::{Sort, Term, Terms};

/// An element: a number or a term.
#[derive(Clone, Debug, PartialEq)]
enum Element {
    Number(u32),
    Term(Term),
}

fn is_number(element: &Element) -> bool {
    matches!(element, Element::Number(_))
}

fn term_of(terms: &mut Terms, element: &Element) -> Term {
    match element {
        Element::Number(number) => terms.bv(32, u128::from(*number)),
        Element::Term(term) => *term,
    }
}

fn join(terms: &mut Terms, cases: Union<Element>) -> Element {
    cases.fold_ite(terms, term_of).map_or_else(|| unreachable!("there are cases"), Element::Term)
}

fn split_or_not(split_read: bool) -> UpdateTree<Element> {
    UpdateTree::new(1, Config { split_read, split_write: true, concrete: is_number })
}

/// `a[k] = y; a[1] = 1; if (j == 1 && a[j] != 1)` folds either way: the store pushes a comparison with a constant into
/// the `ite`.
#[test]
fn a_comparison_is_decided_by_the_constructors() {
    for split_read in [true, false] {
        let mut terms = Terms::new();
        let [j, k, x, y] = ["j", "k", "x", "y"].map(|name| terms.fresh(name, Sort::Bv(32)));
        let [at_j, at_k] = [j, k].map(|index| Key::new(&terms, [Index::Symbolic(index)]));
        let mut tree = split_or_not(split_read);
        tree.write(&at_k, Element::Term(y));
        tree.write(&Key::known(&[1]), Element::Number(1));
        let value = tree.read_value(&mut terms, &at_j, 8, |_| Element::Term(x), join);
        assert_eq!(value.len(), if split_read { 2 } else { 1 });
        let one = terms.bv(32, 1);
        let differs = value.holds(&mut terms, |terms, element| {
            let element = term_of(terms, element);
            terms.ne(element, one)
        });
        let path = terms.eq(j, one);
        let both = terms.and(path, differs);
        assert_eq!(terms.as_bool(both), Some(false));
    }
}

/// `int[] primes = { 3, 5, 7, 11 }; if (primes[j] * primes[j] % 8 != 1)`: arithmetic on members folds, on an `ite` it does not.
#[test]
fn arithmetic_on_a_split_read_is_decided_by_the_constructors() {
    let decided = [true, false].map(|split_read| {
        let mut terms = Terms::new();
        let j = terms.fresh("j", Sort::Bv(32));
        let key = Key::within(&terms, [(Index::Symbolic(j), Bounds::below(4))]);
        let mut tree = split_or_not(split_read);
        for (i, prime) in (0..).zip([3, 5, 7, 11]) {
            tree.write(&Key::known(&[i]), Element::Number(prime));
        }
        let value = tree.read_value(&mut terms, &key, 8, |_| unreachable!("all is written"), join);
        let (eight, one) = (terms.bv(32, 8), terms.bv(32, 1));
        let condition = value.holds(&mut terms, |terms, element| {
            let element = term_of(terms, element);
            let square = terms.mul(element, element);
            let rest = terms.urem(square, eight);
            terms.ne(rest, one)
        });
        terms.as_bool(condition)
    });
    assert_eq!(decided, [Some(false), None], "without the split a solver would have to be asked");
}

#[test]
fn bounds_prune_without_a_solver() {
    let mut terms = Terms::new();
    let j = terms.fresh("j", Sort::Bv(32));
    let mut tree = UpdateTree::new(1, Config::split(concrete));
    for i in 0..100 {
        tree.write(&Key::known(&[i]), i);
    }
    let within = |terms: &Terms, min, max| Key::within(terms, [(Index::Symbolic(j), Bounds { min, max })]);
    let key = within(&terms, 97, 200);
    let read = tree.read(&mut terms, &key);
    assert_eq!(read.cases.iter().map(|(_, value)| *value).collect::<Vec<_>>(), [99, 98, 97]);
    assert!(read.rest.is_some());
    assert_eq!(read.visited, 3);
    let key = within(&terms, 3, 7);
    let read = tree.read(&mut terms, &key);
    assert_eq!((read.cases.len(), read.rest), (5, None), "every element within the bounds is written");
    let key = within(&terms, 42, 42);
    let read = tree.read(&mut terms, &key);
    assert_eq!((read.cases, read.rest), (vec![(terms.true_(), 42)], None));
    // the store knows bounds, too
    let seven = terms.bv(32, 7);
    let last_digit = terms.urem(j, seven);
    let key = Key::new(&terms, [Index::Symbolic(last_digit)]);
    let read = tree.read(&mut terms, &key);
    assert_eq!((read.cases.len(), read.rest), (7, None));
}

#[test]
fn a_symbolic_write_below_points_that_fill_its_bounds_is_not_seen() {
    let mut terms = Terms::new();
    let [i, j] = ["i", "j"].map(|name| terms.fresh(name, Sort::Bv(32)));
    let mut tree = UpdateTree::new(1, Config::plain());
    let key = Key::within(&terms, [(Index::Symbolic(i), Bounds { min: 10, max: 29 })]);
    tree.write(&key, 1000);
    (0..100).for_each(|i| tree.write(&Key::known(&[i]), i));
    let anywhere = Key::new(&terms, [Index::Symbolic(j)]);
    let read = tree.read(&mut terms, &anywhere);
    assert!(read.cases.len() == 100 && read.cases.iter().all(|(_, value)| *value < 1000));
}

#[test]
fn a_key_that_is_written_again_and_again_leaves_one_write() {
    let mut terms = Terms::new();
    let keys = ["i", "j"].map(|name| {
        let index = terms.fresh(name, Sort::Bv(32));
        Key::new(&terms, [Index::Symbolic(index)])
    });
    let mut tree = UpdateTree::new(1, Config::split(concrete));
    for round in 0..100 {
        for key in &keys {
            tree.write(key, round);
            tree.write(&Key::known(&[round % 3]), round);
            tree.check_invariants();
        }
    }
    assert_eq!(tree.len(), 5);
    let read = tree.read(&mut terms, &keys[1]);
    assert_eq!(read.rest, None);
    assert_eq!(read.cases.len(), 2, "the last write of j, or of the point after it");
}

#[test]
fn equal_values_join_and_pairs_that_exclude_each_other_are_not_formed() {
    let mut terms = Terms::new();
    let (c, d) = (terms.fresh("c", Sort::Bool), terms.fresh("d", Sort::Bool));
    let (not_c, not_d) = (terms.not(c), terms.not(d));
    let a = Union::new(&mut terms, [(c, 1), (not_c, 2)], 8).unwrap();
    let b = Union::new(&mut terms, [(c, 10), (not_c, 20)], 8).unwrap();
    let other = Union::new(&mut terms, [(d, 10), (not_d, 20)], 8).unwrap();
    let mut pairs = 0;
    let sum = a.map2(&mut terms, &b, 8, |_, a, b| {
        pairs += 1;
        a + b
    });
    assert_eq!(pairs, 2);
    assert_eq!(sum.unwrap().members(), [(c, 11), (not_c, 22)]);
    assert_eq!(a.map2(&mut terms, &other, 8, |_, a, b| a + b).unwrap().len(), 4);
    assert!(a.map2(&mut terms, &other, 3, |_, a, b| a + b).is_none(), "more than the limit");
    assert_eq!(a.map2(&mut terms, &other, 3, |_, a, _| *a).unwrap(), a, "equal results join");
    let nested = a.and_then(&mut terms, 8, |terms, &value| match value {
        1 => other.clone(),
        _ => Union::single(terms, 20),
    });
    let c_and_d = terms.and(c, d);
    let nested = nested.unwrap();
    assert_eq!(nested.members()[0], (c_and_d, 10));
    assert_eq!(nested.members()[1], (terms.not(c_and_d), 20));
    let odd = a.map(&mut terms, |_, value| value + 1 > 1);
    assert_eq!(odd.as_single(), Some(&true));
    let always = a.holds(&mut terms, |terms, value| terms.bool(*value > 0));
    assert_eq!(terms.as_bool(always), Some(true));
    assert_eq!(a.holds(&mut terms, |terms, value| terms.bool(*value == 1)), c);
}

#[test]
fn what_is_discovered_stays() {
    let mut terms = Terms::new();
    let [i, j] = ["i", "j"].map(|name| terms.fresh(name, Sort::Bv(32)));
    let keys = [i, j].map(|index| Key::new(&terms, [Index::Symbolic(index)]));
    let mut array = UpdateTree::new(1, Config::plain());
    let mut look = |terms: &mut Terms, key: &Key| {
        let fresh = |terms: &mut Terms| Element::Term(terms.fresh("x", Sort::Bv(32)));
        let element = array.discover(terms, key, fresh, join);
        term_of(terms, &element)
    };
    let (at_i, at_j, again) =
        (look(&mut terms, &keys[0]), look(&mut terms, &keys[1]), look(&mut terms, &keys[0]));
    let at_five = look(&mut terms, &Key::known(&[5]));
    let (same_index, same_value) = (terms.eq(i, j), terms.eq(at_i, at_j));
    for value in [3, 5] {
        let bv = |value| term::Const::Bv { width: 32, value };
        let symbols = [i, j, at_i].map(|term| terms.symbols_of(term)[0]);
        let mut model = term::Model::new();
        model.set(symbols[0], bv(value));
        model.set(symbols[1], bv(value));
        model.set(symbols[2], bv(77));
        assert!(terms.eval(same_index, &model).is_true());
        assert!(terms.eval(same_value, &model).is_true());
        assert_eq!(terms.eval(at_i, &model), terms.eval(again, &model));
        assert_eq!(terms.eval(at_five, &model) == bv(77), value == 5);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Split, whole or limited: the value that is meant is the one that plain execution reads.
    #[test]
    fn values_of_reads(
        writes in writes(1, 12),
        read in shapes(1),
        limit in 0usize..4,
        models in prop::collection::vec(prop::array::uniform4(0..VALUES), 12),
    ) {
        for config in configs() {
            let mut scene = Scene::new();
            let mut tree = UpdateTree::new(1, Config { concrete: is_number, split_read: config.split_read, split_write: config.split_write });
            for (shapes, value) in &writes {
                // odd values are terms that fold to nothing: the value in the upper half, a symbol that is 0 below
                let element = element(&mut scene.terms, *value);
                tree.write(&scene.key(shapes), element);
            }
            let key = scene.key(&read);
            let union = tree.read_value(&mut scene.terms, &key, limit, |_| Element::Number(1000), join);
            let numbers = union.members().iter().filter(|(_, value)| is_number(value)).count();
            assert!(numbers <= limit.max(1));
            assert!(union.len() <= numbers + 1, "all others are one");
            assert!(config.split_read || union.len() == 1);
            let whole = union.fold_ite(&mut scene.terms, term_of).unwrap();
            for values in &models {
                let expected = expected(&writes, &read, values);
                let model = scene.model(values);
                assert_eq!(scene.terms.eval(whole, &model).bits(), u128::from(expected));
                let holds = |guard: &Term| scene.terms.eval(*guard, &model).is_true();
                assert_eq!(union.members().iter().filter(|(guard, _)| holds(guard)).count(), 1);
            }
        }
    }
}

fn element(terms: &mut Terms, value: u32) -> Element {
    if concrete(&value) {
        return Element::Number(value);
    }
    let (zero, number) = (terms.fresh("zero", Sort::Bv(32)), terms.bv(32, u128::from(value)));
    Element::Term(terms.add(zero, number))
}

fn expected(writes: &[(Vec<Shape>, u32)], read: &[Shape], values: &[u32; SYMBOLS]) -> u32 {
    contents(writes, values).get(&point_of(read, values)).copied().unwrap_or(1000)
}
