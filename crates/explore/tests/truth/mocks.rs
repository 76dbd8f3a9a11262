//! Mocks: when they stand behind references, what they answer, and what is said of them.

use std::time::{Duration, Instant};

use budget::Budget;
use explore::{Exploration, Strategy};
use testkit::Options;
use verdict::Reason;
use vm::Mocks;
use vm::heap::BlockKind;

use crate::worker::Worker;

const SOURCE: &str = r#"
    using System; using System.Threading.Tasks;
    public interface IAlone { int Next(); int Level { get; set; } bool Try(out int value); T Get<T>(); event Action Rung; }
    public interface IServed { int Next(); }
    public class Server : IServed { public int from; public int Next() => from; }
    public interface IStubborn { int Next(); }
    public class Stubborn : IStubborn { public int Next() => 1; }
    public abstract class Shape { public int corners; public abstract int Area(); public int Twice() => Area() == 4 ? corners : 2; }
    public interface IMake<T> { static abstract T Make(); int Next(); }
    public abstract class Inner { internal abstract int Next(); }
    public abstract class Hidden { private protected Hidden() { } public abstract int Next(); }
    public interface ILater { Task<int> Next(); ValueTask<bool> Ready(); Task Done(); }
    public static class M {
        public static int Calls(IAlone x) { int a = x.Next(), b = x.Next(); return a == b ? 1 : a < b ? 2 : 3; }
        public static int Property(IAlone x) { x.Rung += () => { }; if (x.Level != x.Level) return -1; x.Level = 5; return x.Level == 5 ? 1 : -2; }
        public static int Out(IAlone x) => x.Try(out int value) ? value == 7 ? 1 : 2 : 3;
        public static int Generic(IAlone x) => x.Get<int>() > x.Get<byte>() ? x.Get<IAlone>() == x ? 1 : 2 : 3;
        public static int Served(IServed x) => x.Next() == 3 ? 1 : 2;
        public static int Needed(IStubborn x) => x.Next() == 3 ? 1 : 2;
        public static int Abstract(Shape x) => x.Twice() == 9 ? 1 : 2;
        public static int Static(IMake<int> x) => x.Next();
        public static int Internal(Inner x) => x.Next();
        public static int NoConstructor(Hidden x) => x.Next();
        public static int Function(Func<int, string> f) => f(1) == null ? 1 : f(2).Length == 3 ? 2 : 3;
        public static int Combined(Action a, Action b) { Action c = a + b; if (c == null) return 0; c(); return c == a ? 1 : 2; }
        public static int Variant(Func<object> f) { object o = f(); return o is string ? 1 : 2; }
        public static int Many(Func<bool> f) { int n = 0; while (f()) n++; return n > 2 ? 1 : 2; }
        public static int Tasks(ILater x) { x.Done().Wait(); return x.Ready().Result ? x.Next().Result > 100 ? 1 : 2 : 3; }
        public static int Also(IAlone x) { if (x.Next() > 1 && x is IDisposable d) { d.Dispose(); return x is Shape ? 1 : 2; } return x is IServed s && s.Next() == x.Next() ? 3 : 4; }
        public static int Kind(IAlone x, IAlone y) => x.GetType() == y.GetType() ? x is IDisposable ? 1 : 2 : 3;
    }
"#;

#[test]
fn members_answer_with_symbols() {
    let mut worker = worker(Mocks::Auto);
    for (method, edges, unreachable) in [
        ("Calls", 4, 0),
        // A property keeps its value: two reads cannot differ, and what is set is read.
        ("Property", 4, 2),
        ("Out", 4, 0),
        ("Generic", 4, 0),
        ("Abstract", 2, 0),
        ("Function", 4, 0),
        ("Combined", 4, 0),
        ("Many", 4, 0),
        ("Tasks", 4, 0),
        // The mock is what the code tests for, too: one interface, or an abstract class that has it.
        ("Also", 10, 1),
    ] {
        let found = explore(&mut worker, method);
        assert_eq!(found.wanted.edges.len(), edges, "{method}");
        assert_eq!(found.reached_edges().len(), edges - unreachable, "{method}: {:?}", found.incomplete);
        assert!(found.unreachable_edges().is_empty(), "{method}: mocks prove nothing");
    }
}

#[test]
fn real_objects_go_first() {
    let made = |mocks: Mocks, method: &str| {
        let mut worker = worker(mocks);
        let found = explore(&mut worker, method);
        let made: usize = found.paths.iter().map(|path| mocks_of(&worker, &path.state)).sum();
        (found.reached_edges().len(), made > 0)
    };
    // What real objects cover needs no mock.
    assert_eq!(made(Mocks::Auto, "Served"), (2, false));
    assert_eq!(made(Mocks::Prefer, "Served"), (2, true));
    assert_eq!(made(Mocks::Auto, "Needed"), (2, true));
    assert_eq!(made(Mocks::Avoid, "Needed"), (1, false));
    assert_eq!(made(Mocks::Avoid, "Calls"), (4, true));
    assert_eq!(made(Mocks::Never, "Calls"), (0, false));
}

#[test]
fn what_cannot_be_mocked_is_said() {
    let mut worker = worker(Mocks::Auto);
    for (method, why) in [
        ("Static", "IMake`1[System.Int32] cannot be mocked: it has static abstract members"),
        (
            "Internal",
            "Inner cannot be mocked: it has abstract members that only its own assembly can implement",
        ),
        ("NoConstructor", "Hidden cannot be mocked: it has no constructor that others can call"),
    ] {
        let found = explore(&mut worker, method);
        let said = found
            .incomplete
            .iter()
            .any(|(gap, _)| gap.reason == Reason::UnsupportedInput && gap.detail == why);
        assert!(said, "{method}: {:?}", found.incomplete);
    }
    let found = explore(&mut worker, "Many");
    let bound = "more than 48 calls of mocked members on a path";
    assert!(found.incomplete.iter().any(|(gap, _)| gap.to_string() == bound), "{:?}", found.incomplete);
}

#[test]
fn the_class_of_a_mock_is_one_of_its_own() {
    let mut worker = worker(Mocks::Auto);
    let found = explore(&mut worker, "Kind");
    // Two mocks have the same class, or one of them is more than the interface.
    assert_eq!(found.reached_edges().len(), 4, "{:?}", found.incomplete);
}

fn worker(mocks: Mocks) -> Worker {
    let dll = testkit::compile("ExploreMocks", &[("Mocks.cs", SOURCE)], &Options::default()).unwrap();
    let mut worker = Worker::new(&dll, Strategy::Coverage, 0);
    worker.explorer.machine.config.mocks = mocks;
    worker
}

fn explore(worker: &mut Worker, method: &str) -> Exploration {
    let deadline = Some(Instant::now() + Duration::from_secs(20));
    let budget = Budget { deadline, max_steps: Some(40_000), ..Budget::default() };
    let method = worker.method("M", method);
    worker.explore(method, &budget).unwrap()
}

/// Objects of made-up classes among the inputs of a path.
fn mocks_of(worker: &Worker, state: &vm::State) -> usize {
    let is_mock = |kind: BlockKind| matches!(kind, BlockKind::Object(ty) if worker.universe.is_mock(ty));
    state
        .path
        .origins
        .objects()
        .iter()
        .filter(|(_, block)| state.heap.get(*block).is_some_and(|b| is_mock(b.kind)))
        .count()
}
