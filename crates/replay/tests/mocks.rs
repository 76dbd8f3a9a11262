//! Mocks answer on the oldest and on the newest runtime alike.

mod common;

use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use case::*;
use common::*;
use expect_test::expect;
use replay::{Limits, Replayer, Runtime, SharedFramework};
use testkit::{Options, Toolchain};

const SOURCE: &str = r#"
    using System;
    internal interface ISecret
    {
        int Code { get; set; }
        int Step();
        int Twice() => Step() + Step();
        T Map<T>(ref T value) where T : struct;
    }
    public abstract class Base
    {
        public readonly int Kept;
        protected Base(int kept) { Kept = kept + Early(); }
        protected abstract int Early();
        public int Sum() => Kept + Early();
    }
    public sealed class Asker
    {
        readonly Func<int, int> ask;
        public Asker(Func<int, int> ask) { this.ask = ask; }
        public void Prepare() { ask(0); }
        public int Asked() => ask(1);
    }
    public delegate bool Try(string text, out ReadOnlyMemory<char> rest);
    public static class Old
    {
        internal static int Use(ISecret secret)
        {
            int value = 1;
            secret.Code++;
            return secret.Twice() * 100 + secret.Map(ref value) * 10 + value + secret.Code;
        }
        public static int Run(Try parse) => parse("ab", out ReadOnlyMemory<char> rest) ? rest.Length : -1;
        public static int Fail(string text) => text.Length;
        internal static string Tried(ISecret secret)
        {
            string seen = "";
            for (int i = 0; i < 3; i++)
            {
                try { secret.Code = i; seen += secret.Code; }
                catch (ArgumentException e) { seen += e.Message; }
            }
            try { return seen + secret.Step(); }
            catch (InvalidOperationException) { return seen + "!"; }
        }
    }
"#;

fn result(returns: Value) -> MockedResult {
    MockedResult { returns: Some(returns), ..MockedResult::default() }
}

fn mocked(ty: &str, method: &str, parameters: &[&str], results: Vec<MockedResult>) -> MockedCall {
    MockedCall {
        declared_in: ty.into(),
        method: method.into(),
        parameters: parameters.iter().map(|p| (*p).to_owned()).collect(),
        generic_arguments: vec![],
        results,
    }
}

fn mock(id: u32, mock: Mock) -> Object {
    Object { id: ObjectId(id), kind: ObjectKind::Mock(mock) }
}

fn secret() -> Case {
    let mut map = mocked("ISecret", "Map", &["System.Int32&"], vec![result(Value::int32(4))]);
    map.generic_arguments = vec!["System.Int32".into()];
    map.results[0].assigns = vec![Assigns { parameter: 0, value: Value::int32(5) }];
    let steps = vec![result(Value::int32(1)), result(Value::int32(2))];
    let code = |value| MockedProperty {
        declared_in: "ISecret".into(),
        name: "Code".into(),
        value: Value::int32(value),
    };
    let ty = "ISecret".to_owned();
    let before = Mock {
        ty: ty.clone(),
        properties: vec![code(1000)],
        calls: vec![mocked("ISecret", "Step", &[], steps), map],
        ..Mock::default()
    };
    let after = Mock { ty, properties: vec![code(1001)], ..Mock::default() };
    call_on("Old", "Use")
        .with(mock(1, before))
        .arg("ISecret", Mode::Value, Value::Object(ObjectId(1)))
        .returns(Value::int32(300 + 40 + 5 + 1001))
        .after(After { objects: vec![mock(1, after)], ..After::default() })
}

fn base() -> Case {
    // What the constructor calls does not count.
    let way = Construction {
        factory: None,
        parameters: vec!["System.Int32".into()],
        arguments: vec![Value::int32(3)],
        assigned: vec![],
        calls: vec![],
    };
    let made = Mock {
        ty: "Base".into(),
        construction: Some(way),
        fields: vec![field("Base", "Kept", Value::int32(3))],
        calls: vec![mocked("Base", "Early", &[], vec![result(Value::int32(10))])],
        ..Mock::default()
    };
    let case = call_on("Base", "Sum").with(mock(1, made)).on(Value::Object(ObjectId(1)));
    case.returns(Value::int32(13))
}

/// A call that makes the object takes the first answer.
fn asker(returns: i32) -> Case {
    const FUNC: &str = "System.Func`2[System.Int32,System.Int32]";
    let prepare = Call {
        ty: "Asker".into(),
        method: "Prepare".into(),
        parameters: vec![],
        arguments: vec![],
        gives: false,
    };
    let way = Construction {
        factory: None,
        parameters: vec![FUNC.into()],
        arguments: vec![Value::Object(ObjectId(2))],
        assigned: vec![],
        calls: vec![prepare],
    };
    let made = Instance { ty: "Asker".into(), construction: Some(way), fields: vec![] };
    let answers = vec![result(Value::int32(7)), result(Value::int32(8))];
    let ask = Mock {
        ty: FUNC.into(),
        calls: vec![mocked(FUNC, "Invoke", &["System.Int32"], answers)],
        ..Mock::default()
    };
    let made = Object { id: ObjectId(1), kind: ObjectKind::Object(made) };
    let case = call_on("Asker", "Asked").with(made).with(mock(2, ask)).on(Value::Object(ObjectId(1)));
    case.returns(Value::int32(returns))
}

fn delegate(returns: i32) -> Case {
    let memory = |over| Value::Span {
        ty: "System.ReadOnlyMemory`1[System.Char]".into(),
        span: Span { over: Some(ObjectId(over)), start: 1, length: 1 },
    };
    let mut invoke =
        mocked("Try", "Invoke", &["System.String", "System.ReadOnlyMemory`1[System.Char]&"], vec![]);
    let assigns = vec![Assigns { parameter: 1, value: memory(2) }];
    invoke.results =
        vec![MockedResult { returns: Some(Value::boolean(true)), assigns, ..MockedResult::default() }];
    let parse = Mock { ty: "Try".into(), calls: vec![invoke], ..Mock::default() };
    let case = call_on("Old", "Run").with(mock(1, parse)).with(Object::string(ObjectId(2), &[97, 98]));
    case.arg("Try", Mode::Value, Value::Object(ObjectId(1))).returns(Value::int32(returns))
}

/// The second time the setter throws, and what was set first stays.
fn tried(text: &str) -> Case {
    let thrown =
        |ty: &str, message| MockedResult { throws: Some(ty.into()), message, ..MockedResult::default() };
    let says = Some(Value::Object(ObjectId(2)));
    let sets =
        vec![MockedResult::default(), thrown("System.ArgumentException", says), MockedResult::default()];
    let steps = vec![thrown("System.InvalidOperationException", None)];
    let ty = "ISecret".to_owned();
    let before = Mock {
        ty,
        calls: vec![
            mocked("ISecret", "set_Code", &["System.Int32"], sets),
            mocked("ISecret", "Step", &[], steps),
        ],
        ..Mock::default()
    };
    let units: Vec<u16> = text.encode_utf16().collect();
    let case = call_on("Old", "Tried").with(mock(1, before)).with(Object::string(ObjectId(2), &[63]));
    let after = After { objects: vec![Object::string(ObjectId(3), &units)], ..After::default() };
    case.arg("ISecret", Mode::Value, Value::Object(ObjectId(1)))
        .returns(Value::Object(ObjectId(3)))
        .after(after)
}

fn sealed() -> Case {
    let text = Mock { ty: "System.String".into(), ..Mock::default() };
    let case = call_on("Old", "Fail").with(mock(1, text));
    case.arg("System.String", Mode::Value, Value::Object(ObjectId(1)))
}

#[test]
fn mocks_answer_call_by_call_on_every_runtime() {
    let toolchain = Toolchain::locate().unwrap();
    let options = Options { framework: testkit::Framework::NetCore31, ..Options::default() };
    let assembly = testkit::compile("OldMocks", &[("old.cs", SOURCE)], &options).unwrap();
    let cases = [
        secret(),
        base(),
        asker(8),
        asker(7),
        delegate(1),
        delegate(2),
        sealed(),
        tried("0?2!"),
        tried("012!"),
    ];
    let old = SharedFramework {
        name: "Microsoft.NETCore.App".into(),
        version: testkit::versions::RUNTIME31.into(),
    };
    let mut runtimes = vec![runtime()];
    let muxer = Some(toolchain.dotnet31()).filter(|muxer| muxer.is_file());
    if let Some(muxer) = testkit::found_or_skip(".NET Core 3.1", muxer) {
        runtimes.push(Runtime { muxer, frameworks: vec![old] });
    }
    let mut seen = Vec::new();
    for runtime in runtimes {
        let mut replayer = Replayer::new(runtime, Limits::default()).unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        let verdicts = replayer.replay(&assembly, &cases, deadline, &AtomicBool::new(false));
        let lines: Vec<String> =
            cases.iter().zip(&verdicts).map(|(c, v)| format!("{}: {}\n", c.name, brief(v))).collect();
        seen.push(lines.concat());
    }
    let newest = seen.first().cloned().unwrap_or_default();
    assert!(seen.iter().all(|other| *other == newest), "{seen:?}");
    expect![[r#"
        Use: passed
        Sum: passed
        Asked: passed
        Asked: mismatch: the result is 8 instead of 7
        Run: passed
        Run: mismatch: the result is 1 instead of 2
        Fail: skipped: System.String is sealed
        Tried: passed
        Tried: mismatch: the result is another string
    "#]]
    .assert_eq(&newest);
}
