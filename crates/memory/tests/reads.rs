//! Random writes and reads against plain execution under random models.

mod scene;

use memory::UpdateTree;
use proptest::prelude::*;
use scene::{SYMBOLS, Scene, Shape, VALUES, configs, contents, point_of, shapes, writes};

type Writes = Vec<(Vec<Shape>, u32)>;
type Models = Vec<[u32; SYMBOLS]>;

fn models() -> impl Strategy<Value = Models> {
    prop::collection::vec(prop::array::uniform4(0..VALUES), 24)
}

fn check_read(scene: &mut Scene, tree: &UpdateTree<u32>, writes: &Writes, read: &[Shape], models: &Models) {
    let key = scene.key(read);
    let result = tree.read(&mut scene.terms, &key);
    for values in models {
        let seen = scene.seen(&result.cases, result.rest, &scene.model(values));
        let expected = contents(writes, values).get(&point_of(read, values)).copied();
        assert_eq!(seen, expected, "reading {read:?} after {writes:?} with {values:?}");
    }
}

fn check_reads(rank: usize, writes: &Writes, reads: &[Vec<Shape>], models: &Models) {
    for config in configs() {
        let mut scene = Scene::new();
        let tree = scene.tree(rank, config, writes);
        for read in reads {
            check_read(&mut scene, &tree, writes, read, models);
        }
        let mut replayed = UpdateTree::new(rank, config);
        let seen: Vec<_> = tree.iter().collect();
        assert_eq!(seen.len(), tree.len());
        for write in seen {
            replayed.write(&write.key, write.value);
        }
        for read in reads {
            check_read(&mut scene, &replayed, writes, read, models);
        }
    }
}

fn check_compose(rank: usize, parts: [Writes; 3], read: &[Shape], models: &Models) {
    for config in configs() {
        let mut scene = Scene::new();
        let [a, b, c] = [0, 1, 2].map(|i| scene.tree(rank, config, &parts[i]));
        let all = parts.concat();
        let left = a.compose(&b).compose(&c);
        let right = a.compose(&b.compose(&c));
        left.check_invariants();
        right.check_invariants();
        check_read(&mut scene, &left, &all, read, models);
        check_read(&mut scene, &right, &all, read, models);
        let empty = UpdateTree::new(rank, config);
        check_read(&mut scene, &empty.compose(&a), &parts[0], read, models);
        check_read(&mut scene, &a.compose(&empty), &parts[0], read, models);
        check_read_after_compose(&mut scene, &a, &b, read, models);
    }
}

/// A read of a composition is a read of the later tree whose rest falls to the earlier one.
fn check_read_after_compose(
    scene: &mut Scene,
    earlier: &UpdateTree<u32>,
    later: &UpdateTree<u32>,
    read: &[Shape],
    models: &Models,
) {
    let key = scene.key(read);
    let both = earlier.compose(later).read(&mut scene.terms, &key);
    let (first, second) = (earlier.read(&mut scene.terms, &key), later.read(&mut scene.terms, &key));
    for values in models {
        let model = scene.model(values);
        let expected = scene.seen(&second.cases, second.rest, &model);
        let expected = expected.or_else(|| scene.seen(&first.cases, first.rest, &model));
        assert_eq!(scene.seen(&both.cases, both.rest, &model), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, max_shrink_iters: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn vectors(writes in writes(1, 14), reads in prop::collection::vec(shapes(1), 1..6), models in models()) {
        check_reads(1, &writes, &reads, &models);
    }

    #[test]
    fn matrices(writes in writes(2, 12), reads in prop::collection::vec(shapes(2), 1..6), models in models()) {
        check_reads(2, &writes, &reads, &models);
    }

    /// Enough pairs of points and symbolic writes for guards to be built in the other way.
    #[test]
    fn long_histories(writes in writes(1, 60), reads in prop::collection::vec(shapes(1), 1..3), models in models()) {
        check_reads(1, &writes, &reads, &models);
    }

    #[test]
    fn cubes(writes in writes(3, 10), reads in prop::collection::vec(shapes(3), 1..4), models in models()) {
        check_reads(3, &writes, &reads, &models);
    }

    #[test]
    fn compositions_of_vectors(a in writes(1, 6), b in writes(1, 6), c in writes(1, 6), read in shapes(1), models in models()) {
        check_compose(1, [a, b, c], &read, &models);
    }

    #[test]
    fn compositions_of_matrices(a in writes(2, 5), b in writes(2, 5), c in writes(2, 5), read in shapes(2), models in models()) {
        check_compose(2, [a, b, c], &read, &models);
    }

    /// Terms of the later tree speak of what came before: with `i0` replaced by `i1 + 1`, it writes where a run writes
    /// in which `i0` has that value.
    #[test]
    fn compositions_with_substitution(a in writes(1, 6), b in writes(1, 6), read in shapes(1), models in models()) {
        for config in configs() {
            let mut scene = Scene::new();
            let (earlier, later) = (scene.tree(1, config, &a), scene.tree(1, config, &b));
            let substituted = later.map(config, |write| {
                let key = write.key.map(&mut scene.terms, |terms, term| terms.substitute(term, &scene.first_is_second_plus_one));
                memory::Write { key, value: write.value }
            });
            substituted.check_invariants();
            let both = earlier.compose(&substituted);
            let key = scene.key(&read);
            let result = both.read(&mut scene.terms, &key);
            for values in &models {
                let mut after = *values;
                after[0] = values[1] + 1;
                let mut expected = contents(&a, values);
                expected.extend(contents(&b, &after));
                let seen = scene.seen(&result.cases, result.rest, &scene.model(values));
                assert_eq!(seen, expected.get(&point_of(&read, values)).copied());
            }
        }
    }

    #[test]
    fn a_clone_does_not_see_later_writes(before in writes(1, 8), after in writes(1, 8), read in shapes(1), models in models()) {
        for config in configs() {
            let mut scene = Scene::new();
            let mut tree = scene.tree(1, config, &before);
            let fork = tree.clone();
            for (shapes, value) in &after {
                tree.write(&scene.key(shapes), *value);
            }
            check_read(&mut scene, &fork, &before, &read, &models);
            check_read(&mut scene, &tree, &[before.clone(), after.clone()].concat(), &read, &models);
        }
    }
}
