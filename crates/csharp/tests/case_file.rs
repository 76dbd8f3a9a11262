//! The JSON form of test cases: written as documented, read back as it was.

use case::*;
use expect_test::expect;
use proptest::prelude::*;

fn method() -> MethodRef {
    MethodRef {
        id: "Shop.Cart::Add(System.Int32,System.Int32&)".into(),
        ty: "Shop.Cart".into(),
        name: "Add".into(),
        token: 0x0600_0012,
        is_static: false,
        generic_arguments: vec![],
        parameters: vec![
            Parameter { name: "count".into(), ty: "System.Int32".into(), mode: Mode::Value },
            Parameter { name: "total".into(), ty: "System.Int32".into(), mode: Mode::Ref },
        ],
        returns: "Shop.Color".into(),
    }
}

fn case(name: &str) -> Case {
    let field = |value| FieldValue { name: "_count".into(), declaring: "Shop.Cart".into(), value };
    let cart = |count| Object::instance(ObjectId(1), "Shop.Cart", vec![field(Value::int32(count))]);
    let mut expect = Expectation::returns(Value::Enum { ty: "Shop.Color".into(), value: -3 });
    expect.after = After {
        this: Some(Value::Object(ObjectId(1))),
        arguments: vec![ArgumentAfter { index: 1, value: Value::int32(6) }],
        statics: vec![],
        objects: vec![cart(5)],
    };
    Case {
        name: name.into(),
        method: method(),
        objects: vec![cart(0), Object::string(ObjectId(2), &[0x68, 0xd800])],
        this: Some(Value::Object(ObjectId(1))),
        arguments: vec![Value::int32(5), Value::int32(1)],
        expect,
        construction: Reach::Reflection,
        breaks: Vec::new(),
        consume: None,
        statics: Vec::new(),
        static_state: Vec::new(),
        outside: Outside::default(),
        sequenced: None,
    }
}

#[test]
fn the_written_form_is_stable() {
    let file = CaseFile::new("Shop.dll", vec![case("B"), case("A")]);
    assert_eq!(file.cases[0].name, "A");
    let json = file.to_json().unwrap();
    assert_eq!(CaseFile::from_json(&json).unwrap(), file);
    let one = serde_json::to_string(&file.cases[0]).unwrap();
    expect![[r#"{"name":"A","method":{"id":"Shop.Cart::Add(System.Int32,System.Int32&)","type":"Shop.Cart","name":"Add","token":"0x06000012","static":false,"parameters":[{"name":"count","type":"System.Int32","mode":"value"},{"name":"total","type":"System.Int32","mode":"ref"}],"returns":"Shop.Color"},"objects":[{"id":1,"kind":"object","type":"Shop.Cart","fields":[{"name":"_count","declaring":"Shop.Cart","value":{"type":"System.Int32","value":"0"}}]},{"id":2,"kind":"string","utf16":[104,55296]}],"this":{"object":1},"arguments":[{"type":"System.Int32","value":"5"},{"type":"System.Int32","value":"1"}],"expect":{"returns":{"type":"Shop.Color","enum":"-3"},"after":{"this":{"object":1},"arguments":[{"index":1,"value":{"type":"System.Int32","value":"6"}}],"objects":[{"id":1,"kind":"object","type":"Shop.Cart","fields":[{"name":"_count","declaring":"Shop.Cart","value":{"type":"System.Int32","value":"5"}}]}]}},"construction":"reflection"}"#]].assert_eq(&one);
}

#[test]
fn mocks_say_what_they_answer() {
    let result = |value| MockedResult {
        returns: Some(Value::boolean(value)),
        assigns: vec![Assigns { parameter: 1, value: Value::int32(7) }],
        ..MockedResult::default()
    };
    let call = MockedCall {
        declared_in: "Shop.IPrices".into(),
        method: "TryFind".into(),
        parameters: vec!["System.String".into(), "System.Int32&".into()],
        generic_arguments: vec![],
        results: vec![result(true), MockedResult::default()],
    };
    let property =
        MockedProperty { declared_in: "Shop.IClock".into(), name: "Hour".into(), value: Value::int32(9) };
    let mock = Mock {
        ty: "Shop.IPrices".into(),
        interfaces: vec!["Shop.IClock".into()],
        properties: vec![property],
        calls: vec![call],
        ..Mock::default()
    };
    let object = Object { id: ObjectId(3), kind: ObjectKind::Mock(mock) };
    let json = serde_json::to_string(&object).unwrap();
    assert_eq!(serde_json::from_str::<Object>(&json).unwrap(), object);
    expect![[r#"{"id":3,"kind":"mock","type":"Shop.IPrices","interfaces":["Shop.IClock"],"properties":[{"declared_in":"Shop.IClock","name":"Hour","value":{"type":"System.Int32","value":"9"}}],"calls":[{"declared_in":"Shop.IPrices","method":"TryFind","parameters":["System.String","System.Int32&"],"results":[{"returns":{"type":"System.Boolean","value":"true"},"assigns":[{"parameter":1,"value":{"type":"System.Int32","value":"7"}}]},{}]}]}"#]].assert_eq(&json);
}

#[test]
fn other_files_are_refused_with_a_reason() {
    let message = |text: &str| CaseFile::from_json(text).unwrap_err().to_string();
    expect!["the schema is `cilantro/case@9`, and this version reads `cilantro/case@1`"]
        .assert_eq(&message(r#"{"schema": "cilantro/case@9"}"#));
    expect!["not a file of test cases: expected value at line 1 column 1"].assert_eq(&message("hello"));
    let bad_value = serde_json::from_str::<Value>(r#"{"type": "System.Byte", "value": "256"}"#);
    expect!["`256` is not a value of System.Byte"].assert_eq(&bad_value.unwrap_err().to_string());
}

proptest! {
    #[test]
    fn every_value_is_read_back(value in any_value()) {
        let json = serde_json::to_string(&value).unwrap();
        prop_assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), value);
    }

    #[test]
    fn every_string_is_read_back(units: Vec<u16>) {
        let object = Object::string(ObjectId(7), &units);
        let json = serde_json::to_string(&object).unwrap();
        prop_assert_eq!(serde_json::from_str::<Object>(&json).unwrap(), object);
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let primitive = prop_oneof![
        any::<bool>().prop_map(Primitive::Boolean),
        any::<u16>().prop_map(Primitive::Char),
        any::<i8>().prop_map(Primitive::SByte),
        any::<u64>().prop_map(Primitive::UInt64),
        any::<i64>().prop_map(Primitive::IntPtr),
        any::<u32>().prop_map(Primitive::Single),
        any::<u64>().prop_map(Primitive::Double),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<u32>().prop_map(|id| Value::Object(ObjectId(id))),
        primitive.prop_map(Value::Primitive),
        any::<i64>().prop_map(|value| Value::Enum { ty: "E".into(), value: value.into() }),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let field = inner.prop_map(|value| FieldValue { name: "f".into(), declaring: "S".into(), value });
        proptest::collection::vec(field, 0..4).prop_map(|fields| Value::Struct { ty: "S".into(), fields })
    })
}
