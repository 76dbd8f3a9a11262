//! The simplifier against a naive reading of the same expressions.

mod reference;

use proptest::prelude::*;
use reference::{Expr, Random, Shape};
use term::{Const, Evaluator, Model, Symbol, Term, Terms};

fn model_of(terms: &Terms, symbols: &[Symbol], inputs: &[u128]) -> Model {
    let value =
        |(&symbol, &bits): (&Symbol, &u128)| (symbol, Const::from_bits(terms.symbol_sort(symbol), bits));
    symbols.iter().zip(inputs).map(value).collect()
}

fn assert_same(expr: &Expr, shape: &Shape, terms: &Terms, symbols: &[Symbol], term: Term, inputs: &[u128]) {
    let expected = expr.value(shape, inputs);
    let actual = terms.eval(term, &model_of(terms, symbols, inputs));
    assert_eq!(actual.bits(), expected, "{expr:?}\nas {}\non {inputs:?}", terms.display(term));
    if let Const::Bv { value, .. } = actual {
        let range = terms.range(term);
        assert!(range.min <= value && value <= range.max, "{expr:?} gives {value}, not within {range:?}");
    }
}

/// One random expression on all (or many) inputs.
fn check(seed: u64, widths: &[u32], width: u32, depth: u32) {
    let mut r = Random::new(seed);
    let shape = Shape { widths: widths.to_vec() };
    let expr = Expr::random(&mut r, &shape, width, depth);
    let mut terms = Terms::new();
    let symbols = shape.symbols(&mut terms);
    let term = expr.build(&mut terms, &symbols);
    let bits: u32 = widths.iter().map(|&width| width.max(1)).sum();
    if bits <= 8 {
        for input in 0..1u128 << bits {
            let mut rest = input;
            let inputs: Vec<u128> = widths
                .iter()
                .map(|&width| {
                    let value = rest & reference::mask(width.max(1));
                    rest >>= width.max(1);
                    value
                })
                .collect();
            assert_same(&expr, &shape, &terms, &symbols, term, &inputs);
        }
    } else {
        for _ in 0..40 {
            let inputs: Vec<u128> = widths.iter().map(|&width| r.value(width.max(1))).collect();
            assert_same(&expr, &shape, &terms, &symbols, term, &inputs);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn small_words_on_all_inputs(seed: u64, a in 1u32..5, b in 1u32..4, depth in 1u32..6) {
        check(seed, &[a, b, 0], 0, depth);
        check(seed ^ 1, &[a, b, 0], a, depth);
    }

    #[test]
    fn wide_words_on_many_inputs(seed: u64, a in 1u32..=128, b in prop::sample::select(vec![8u32, 16, 32, 64, 128]), depth in 1u32..6) {
        check(seed, &[a, b, b, 0], 0, depth);
        check(seed ^ 1, &[a, b, b, 0], b, depth);
    }

    /// Equality with a value the expression really takes: what inversion must not lose, nor find elsewhere.
    #[test]
    fn equality_with_a_reachable_value(seed: u64, width in prop::sample::select(vec![1u32, 3, 8, 32, 64, 128]), depth in 1u32..5) {
        let mut r = Random::new(seed);
        let shape = Shape { widths: vec![width, width] };
        let expr = Expr::random(&mut r, &shape, width, depth);
        let inputs = [r.value(width), r.value(width)];
        let target = Expr::Const(width, expr.value(&shape, &inputs));
        let equality = Expr::Bin("eq", Box::new(expr), Box::new(target));
        let mut terms = Terms::new();
        let symbols = shape.symbols(&mut terms);
        let term = equality.build(&mut terms, &symbols);
        assert_same(&equality, &shape, &terms, &symbols, term, &inputs);
        for _ in 0..20 {
            let inputs = [r.value(width), r.value(width)];
            assert_same(&equality, &shape, &terms, &symbols, term, &inputs);
        }
    }

    /// Substituting constants for symbols is evaluation, substituting a permutation is evaluation of the permuted model.
    #[test]
    fn substitution_agrees_with_evaluation(seed: u64, width in 1u32..=64, depth in 1u32..6) {
        let mut r = Random::new(seed);
        let shape = Shape { widths: vec![width, width, 0] };
        let expr = Expr::random(&mut r, &shape, width, depth);
        let mut terms = Terms::new();
        let symbols = shape.symbols(&mut terms);
        let term = expr.build(&mut terms, &symbols);
        let inputs = [r.value(width), r.value(width), r.value(1)];
        let model = model_of(&terms, &symbols, &inputs);
        let map = symbols.iter().map(|&s| (s, terms.constant(model.get(s).unwrap()))).collect();
        let constant = terms.substitute(term, &map);
        prop_assert_eq!(terms.as_const(constant), Some(terms.eval(term, &model)));
        let (x, y) = (terms.var(symbols[0]), terms.var(symbols[1]));
        let swapped = terms.substitute(term, &[(symbols[0], y), (symbols[1], x)].into_iter().collect());
        let other = model_of(&terms, &symbols, &[inputs[1], inputs[0], inputs[2]]);
        let mut evaluator = Evaluator::new(other);
        prop_assert_eq!(evaluator.eval(&terms, term), terms.eval(swapped, &model));
    }
}
