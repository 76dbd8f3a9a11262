//! Values of every kind go to the runtime and come back as they were.

mod common;

use case::*;
use common::*;
use expect_test::expect;

fn echo(name: &str, ty: &str, value: Value) -> Case {
    call_on("Zoo.Echo", name).arg(ty, Mode::Value, value.clone()).returns(value)
}

fn echo_primitive(primitive: Primitive) -> Case {
    let ty = primitive.type_name();
    echo(ty.trim_start_matches("System."), ty, primitive.into())
}

#[test]
fn primitives_come_back() {
    use Primitive::*;
    let values = [
        Boolean(true),
        Boolean(false),
        Char(0),
        Char(0xd800),
        Char(0xffff),
        SByte(i8::MIN),
        Byte(255),
        Int16(i16::MIN),
        UInt16(u16::MAX),
        Int32(i32::MIN),
        UInt32(u32::MAX),
        Int64(i64::MIN),
        UInt64(u64::MAX),
        IntPtr(i64::MIN),
        UIntPtr(u64::MAX),
        Single((-0.0f32).to_bits()),
        Single(1),
        Single(f32::NAN.to_bits()),
        Double(f64::INFINITY.to_bits()),
        Double((-0.0f64).to_bits()),
        Double(1.5f64.to_bits()),
        Double(0xfff8_0000_0000_0001),
    ];
    let cases: Vec<Case> = values.into_iter().map(echo_primitive).collect();
    for (case, verdict) in cases.iter().zip(replay(&cases)) {
        assert!(verdict.is_passed(), "{:?}: {}", case.arguments, brief(&verdict));
    }
}

#[test]
fn enums_take_any_number_of_their_underlying_type() {
    let value = |ty: &str, value| Value::Enum { ty: ty.into(), value };
    let cases = [
        echo("Color", "Zoo.Color", value("Zoo.Color", 2)),
        echo("Color", "Zoo.Color", value("Zoo.Color", 200)),
        echo("Wide", "Zoo.Wide", value("Zoo.Wide", i64::MIN.into())),
        echo("Huge", "Zoo.Huge", value("Zoo.Huge", u64::MAX.into())),
    ];
    for (case, verdict) in cases.iter().zip(replay(&cases)) {
        assert!(verdict.is_passed(), "{:?}: {}", case.arguments, brief(&verdict));
    }
}

#[test]
fn structs_nest_and_may_be_generic() {
    let boxed =
        structure("Zoo.Box`1[System.Int64]", &[("Value", Primitive::Int64(-9).into()), ("At", point(3, -4))]);
    let nullable = |there| {
        let fields = [("hasValue", Value::boolean(there)), ("value", Value::int32(5))];
        structure("System.Nullable`1[System.Int32]", &fields)
    };
    let tuple = structure(
        "System.ValueTuple`2[System.Int32,Zoo.Point]",
        &[("Item1", Value::int32(1)), ("Item2", point(i32::MAX, -1))],
    );
    let wide = structure(
        "System.Int128",
        &[("_lower", Primitive::UInt64(u64::MAX).into()), ("_upper", Primitive::UInt64(1).into())],
    );
    let mut generic = echo("Generic", "Zoo.Point", point(1, 2));
    generic.method.generic_arguments.push("Zoo.Point".into());
    check(
        &[
            echo("Point", "Zoo.Point", point(i32::MIN, i16::MAX)),
            echo("Box", "Zoo.Box`1[System.Int64]", boxed),
            echo("Nullable", "System.Nullable`1[System.Int32]", nullable(false)),
            echo("Nullable", "System.Nullable`1[System.Int32]", nullable(true)),
            echo("Tuple", "System.ValueTuple`2[System.Int32,Zoo.Point]", tuple),
            echo("Int128", "System.Int128", wide),
            generic,
        ],
        expect![[r#"
            Point: passed
            Box: passed
            Nullable: passed
            Nullable: passed
            Tuple: passed
            Int128: passed
            Generic: passed
        "#]],
    );
}

#[test]
fn heaps_keep_identity_and_shape() {
    let text = Object::string(ObjectId(1), &[0x68, 0xd800, 0x10]);
    let boxed = Object { id: ObjectId(1), kind: ObjectKind::Boxed { value: point(1, 2) } };
    let reference = Value::Object(ObjectId(1));
    let element = |at: [i32; 2], value| Element { at: at.to_vec(), value: Value::int32(value) };
    let grid = |elements: Vec<Element>| {
        let array =
            Array { ty: "System.Int32[,]".into(), lengths: vec![2, 1], lower_bounds: vec![], elements };
        Object { id: ObjectId(1), kind: ObjectKind::Array(array) }
    };
    let node = |id, next| {
        let next = field("Zoo.Node", "Next", Value::Object(ObjectId(next)));
        Object::instance(ObjectId(id), "Zoo.Node", vec![next])
    };
    let objects = |objects| After { objects, ..After::default() };
    let loop_of =
        |nodes: Vec<Object>| call("Loop").returns(Value::Object(ObjectId(10))).after(objects(nodes));
    check(
        &[
            echo("String", "System.String", reference.clone()).with(text),
            echo("String", "System.String", Value::Null),
            echo("Object", "System.Object", reference.clone()).with(boxed),
            call("Grid")
                .arg("System.Int32[,]", Mode::Value, reference.clone())
                .with(grid(vec![element([0, 0], 5)]))
                .returns(reference)
                .after(objects(vec![grid(vec![element([0, 0], 5), element([1, 0], 7)])])),
            loop_of(vec![node(10, 11), node(11, 10)]),
            loop_of(vec![node(10, 10)]),
        ],
        expect![[r#"
            String: passed
            String: passed
            Object: passed
            Grid: passed
            Loop: passed
            Loop: mismatch: the result.Next is another object
        "#]],
    );
}
