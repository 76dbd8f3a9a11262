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
