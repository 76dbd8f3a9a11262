//! The example library `Shop`: cases of it by hand, and what the writer of tests may know about it.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)] // each test file uses its part

pub mod cases;
pub mod shop;

use case::*;

/// A case of a public static method; parameters are `name: type` with an optional `ref`, `out` or `in` before them.
pub fn call(ty: &str, name: &str, parameters: &[&str], arguments: Vec<Value>) -> Case {
    let parameters: Vec<Parameter> = parameters.iter().map(|text| parameter(text)).collect();
    let types: Vec<String> =
        parameters.iter().map(|p| format!("{}{}", p.ty, if p.mode.is_by_ref() { "&" } else { "" })).collect();
    let definition = ty.split('[').next().unwrap();
    Case {
        name: String::new(),
        method: MethodRef {
            id: format!("{definition}::{name}({})", types.join(",")),
            ty: ty.into(),
            name: name.into(),
            token: 0x0600_0000,
            is_static: true,
            generic_arguments: vec![],
            parameters,
            returns: "System.Void".into(),
        },
        objects: vec![],
        this: None,
        arguments,
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

fn parameter(text: &str) -> Parameter {
    let (mode, rest) = match text.split_once(' ') {
        Some(("ref", rest)) => (Mode::Ref, rest),
        Some(("out", rest)) => (Mode::Out, rest),
        Some(("in", rest)) => (Mode::In, rest),
        _ => (Mode::Value, text),
    };
    let (name, ty) = rest.split_once(':').unwrap();
    Parameter { name: name.into(), ty: full(ty), mode }
}

fn full(ty: &str) -> String {
    match ty {
        "int" => "System.Int32".into(),
        "long" => "System.Int64".into(),
        other => other.into(),
    }
}

pub trait CaseExt: Sized {
    fn returns(self, ty: &str, value: impl Into<Value>) -> Case;
    fn throws(self, ty: &str) -> Case;
    fn on(self, this: Value) -> Case;
    fn with(self, object: Object) -> Case;
    fn after_this(self, this: Value) -> Case;
    fn after_arguments(self, arguments: &[(usize, Value)]) -> Case;
    fn after_object(self, object: Object) -> Case;
}

impl CaseExt for Case {
    fn returns(mut self, ty: &str, value: impl Into<Value>) -> Case {
        self.method.returns = full(ty);
        self.expect = Expectation::returns(value.into());
        self
    }
    fn throws(mut self, ty: &str) -> Case {
        self.expect = Expectation::throws(ty);
        self
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
    fn after_this(mut self, this: Value) -> Case {
        self.expect.after.this = Some(this);
        self
    }
    fn after_arguments(mut self, arguments: &[(usize, Value)]) -> Case {
        let arguments = arguments.iter().map(|(index, v)| ArgumentAfter { index: *index, value: v.clone() });
        self.expect.after.arguments.extend(arguments);
        self
    }
    fn after_object(mut self, object: Object) -> Case {
        self.expect.after.objects.push(object);
        self
    }
}

pub fn int(value: i32) -> Value {
    Value::int32(value)
}

pub fn structure(ty: &str, fields: &[(&str, Value)]) -> Value {
    Value::Struct { ty: ty.into(), fields: fields_of(ty, fields) }
}

pub fn fields_of(ty: &str, fields: &[(&str, Value)]) -> Vec<FieldValue> {
    let field = |(name, value): &(&str, Value)| FieldValue {
        name: (*name).into(),
        declaring: ty.into(),
        value: value.clone(),
    };
    fields.iter().map(field).collect()
}
