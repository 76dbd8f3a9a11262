//! Cases by hand, and one replay of them.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)] // each test file uses its part

use std::{
    path::PathBuf,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use case::*;
use replay::{Limits, Replayer, Runtime, SharedFramework, Verdict};
use testkit::{Options, Toolchain};

pub fn subject() -> PathBuf {
    let options = Options { allow_unsafe: true, ..Options::default() };
    testkit::compile("Zoo", &[("subject.cs", include_str!("../subject.cs"))], &options).unwrap()
}

pub fn runtime() -> Runtime {
    let toolchain = Toolchain::locate().unwrap();
    let core =
        SharedFramework { name: "Microsoft.NETCore.App".into(), version: toolchain.runtime_version().into() };
    Runtime { muxer: toolchain.dotnet(), frameworks: vec![core] }
}

pub fn replayer(limits: Limits) -> Replayer {
    Replayer::new(runtime(), limits).unwrap()
}

pub fn replay(cases: &[Case]) -> Vec<Verdict> {
    replay_within(cases, Limits::default())
}

pub fn replay_within(cases: &[Case], limits: Limits) -> Vec<Verdict> {
    let deadline = Instant::now() + Duration::from_secs(60);
    replayer(limits).replay(&subject(), cases, deadline, &AtomicBool::new(false))
}

/// A case of a static method of `Zoo.Calls` without parameters that returns nothing.
pub fn call(name: &str) -> Case {
    call_on("Zoo.Calls", name)
}

pub fn call_on(ty: &str, name: &str) -> Case {
    Case {
        name: name.to_owned(),
        method: MethodRef {
            id: format!("{ty}::{name}"),
            ty: ty.to_owned(),
            name: name.to_owned(),
            // Means nothing: the method is found by its name and parameters.
            token: 0x0600_0000,
            is_static: true,
            generic_arguments: vec![],
            parameters: vec![],
            returns: "System.Void".into(),
        },
        objects: vec![],
        this: None,
        arguments: vec![],
        expect: Expectation::void(),
        construction: Reach::Public,
        breaks: Vec::new(),
        consume: None,
        statics: Vec::new(),
        static_state: Vec::new(),
        outside: Outside::default(),
        sequenced: None,
    }
}

pub trait CaseExt: Sized {
    fn arg(self, ty: &str, mode: Mode, value: Value) -> Self;
    fn int(self, value: i32) -> Self;
    fn on(self, this: Value) -> Self;
    fn with(self, object: Object) -> Self;
    fn returns(self, value: Value) -> Self;
    fn throws(self, ty: &str) -> Self;
    fn after(self, after: After) -> Self;
}

impl CaseExt for Case {
    fn arg(mut self, ty: &str, mode: Mode, value: Value) -> Case {
        let name = format!("p{}", self.arguments.len());
        self.method.parameters.push(Parameter { name, ty: ty.into(), mode });
        self.arguments.push(value);
        self
    }
    fn int(self, value: i32) -> Case {
        self.arg("System.Int32", Mode::Value, Value::int32(value))
    }
    fn on(mut self, this: Value) -> Case {
        self.method.is_static = false;
        self.this = Some(this);
        self
    }
    fn with(mut self, object: Object) -> Case {
        self.objects.push(object);
        self
    }
    fn returns(mut self, value: Value) -> Case {
        self.expect.outcome = Outcome::Returns(value);
        self
    }
    fn throws(mut self, ty: &str) -> Case {
        self.expect = Expectation::throws(ty);
        self
    }
    fn after(mut self, after: After) -> Case {
        self.expect.after = after;
        self
    }
}

pub fn field(declaring: &str, name: &str, value: Value) -> FieldValue {
    FieldValue { name: name.into(), declaring: declaring.into(), value }
}

pub fn structure(ty: &str, fields: &[(&str, Value)]) -> Value {
    let fields = fields.iter().map(|(name, value)| field(ty, name, value.clone())).collect();
    Value::Struct { ty: ty.into(), fields }
}

pub fn point(x: i32, y: i16) -> Value {
    structure("Zoo.Point", &[("X", Value::int32(x)), ("y", Primitive::Int16(y).into())])
}

/// The verdict without what was observed, for snapshots.
pub fn brief(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Passed { .. } => "passed".to_owned(),
        Verdict::Mismatch { difference, .. } => format!("mismatch: {difference}"),
        Verdict::Crashed { how } => format!("crashed: {how}"),
        Verdict::TimedOut => "timed out".to_owned(),
        Verdict::Skipped { why } => format!("skipped: {why}"),
    }
}

pub fn check(cases: &[Case], expected: expect_test::Expect) {
    let verdicts = replay(cases);
    let lines: Vec<String> =
        cases.iter().zip(&verdicts).map(|(c, v)| format!("{}: {}\n", c.name, brief(v))).collect();
    expected.assert_eq(&lines.concat());
}
