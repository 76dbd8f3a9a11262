//! Damaged metadata: queries end, without a panic, whatever the tables say.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::sync::Arc;
use std::time::Instant;

use random::Random;
use testkit::{Debug, Options, Toolchain};
use type_solver::{ArgumentQuery, Bounds, Generic, Index, Query, TypeSolver};
use types::{Probing, Universe};

const SOURCE: &str = "
    public interface I0 { } public interface I1<out T> : I0 { } public interface I2<in T> : I1<I0> { } public interface I3<T> : I1<I1<T>>, I2<T> { }
    public class C0 : I0 { } public class C1<T> : C0, I3<T> { public class Nested<U> : I1<U> where U : T { } } public class C2<T, U> : C1<U> where T : I1<U> where U : C0, new() { }
    public abstract class Node<T> where T : Node<T> { } public class Leaf : Node<Leaf> { }
    public struct S0 : I0 { public int A; } public struct S1 { public S0 A; public S0 B; } public struct S2<T> { public T A; public S1 B; }
    public delegate T D<in U, out T>(U u); public enum E { A }
    public static class G { public static void Call<T, U>(T t, U u) where T : I1<U> { } public static void Raw<T>(T t) where T : unmanaged { } }
";

#[test]
fn queries_end() {
    let options = Options { debug: Debug::None, ..Options::default() };
    let path = testkit::compile("TypeSolverDamaged", &[("Damaged.cs", SOURCE)], &options).unwrap();
    let original = std::fs::read(path).unwrap();
    let tables = tables_stream(&original);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Damaged.dll");
    let framework = Toolchain::locate().unwrap().framework_dir().to_owned();
    let mut random = Random::new(7);
    let mut found = 0;
    let start = Instant::now();
    for _ in 0..200 {
        let mut bytes = original.clone();
        for _ in 0..=random.below(2) {
            let at = tables.start + random.below(tables.len() - 2);
            let value = [random.below(24) * 4, random.below(24), random.below(256), random.below(8) << 8];
            bytes[at..at + 2].copy_from_slice(&(random.pick(&value) as u16).to_le_bytes());
        }
        std::fs::write(&file, &bytes).unwrap();
        let universe = Universe::new(Probing::for_application(&file, Some(&framework)).unwrap());
        found += ask(&universe, &file);
        // A mapped file must not be overwritten in place.
        std::fs::remove_file(&file).unwrap();
    }
    assert!(found > 1_000, "{found}");
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

fn ask(universe: &Universe, file: &std::path::Path) -> usize {
    let Ok(assembly) = universe.load(file) else { return 0 };
    let index = Index::build(&Probing::default(), &[file.to_owned()]);
    let bounds = Bounds { depth: 2, candidates: 40, work: 500, ..Bounds::default() };
    let solver = TypeSolver::new(vec![assembly], bounds).with_index(Arc::new(index));
    let known = universe.well_known().unwrap();
    let mut found = 0;
    for t in universe.type_defs(assembly).flatten() {
        let args = vec![known.string; universe.type_args(t).len()];
        let closed = if args.is_empty() { Ok(t) } else { universe.make_instance(t, &args) };
        let Ok(closed) = closed else { continue };
        for query in [Query::object(closed), Query { unmanaged: true, ..Query::argument() }] {
            found += solver.candidates(universe, &query).iter(universe).flatten().count();
        }
        let _ = solver.mock(universe, &Query::object(closed));
        let methods = universe.methods(t).unwrap_or_default().iter().copied().map(Generic::Method);
        for generic in methods.chain([Generic::Type(t)]) {
            if let Ok(arguments) = solver.arguments(universe, &ArgumentQuery::new(generic)) {
                found += (0..20).take_while(|n| matches!(arguments.get(universe, *n), Ok(Some(_)))).count();
            }
        }
    }
    found
}

/// The range of the `#~` stream.
fn tables_stream(file: &[u8]) -> std::ops::Range<usize> {
    let position = |what: &[u8]| file.windows(what.len()).position(|w| w == what).unwrap();
    let root = position(b"BSJB");
    let header = position(b"#~\0\0") - 8;
    let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let start = root + number(header);
    start..start + number(header + 4)
}
