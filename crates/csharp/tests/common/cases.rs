//! Cases of `Shop`, of every kind that the writer of tests knows. All of them are true.

use case::*;

use super::*;

pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    cases.extend(scalars());
    cases.extend(enums_and_structs());
    cases.extend(by_reference());
    cases.extend(objects());
    cases.extend(hidden());
    cases.extend(names());
    cases.extend(corners());
    cases
}

fn calculator(name: &str, parameters: &[&str], arguments: Vec<Value>) -> Case {
    call("Shop.Calculator", name, parameters, arguments)
}

fn one(name: &str, primitive: Primitive) -> Case {
    let parameter = format!("v:{}", primitive.type_name());
    calculator(name, &[&parameter], vec![primitive.into()])
}

fn scalars() -> Vec<Case> {
    use Primitive::*;
    let both = ["left:int", "right:int"];
    let long = ["left:long", "right:long"];
    let long_of = |value| Value::from(Int64(value));
    vec![
        calculator("Divide", &both, vec![int(7), int(-2)]).returns("int", int(-3)),
        calculator("Divide", &both, vec![int(1), int(0)]).throws("System.DivideByZeroException"),
        calculator("Divide", &both, vec![int(i32::MIN), int(-1)]).throws("System.OverflowException"),
        calculator("Add", &both, vec![int(2), int(3)]).returns("int", int(5)),
        calculator("Add", &both, vec![int(i32::MAX), int(1)]).throws("System.OverflowException"),
        calculator("Add", &long, vec![long_of(2), long_of(3)]).returns("long", Int64(5)),
        calculator("Add", &long, vec![long_of(i64::MIN), long_of(-1)]).throws("System.OverflowException"),
        calculator("Low", &["value:int"], vec![int(0x1ff)]).returns("System.Byte", Byte(255)),
        calculator("Low", &["value:int"], vec![int(513)]).returns("System.Byte", Byte(1)),
        one("IsSmall", SByte(-128)).returns("System.Boolean", Boolean(true)),
        one("IsSmall", SByte(-5)).returns("System.Boolean", Boolean(true)),
        one("IsSmall", SByte(100)).returns("System.Boolean", Boolean(false)),
        calculator("Next", &["c:System.Char"], vec![Char(0x60).into()]).returns("System.Char", Char(0x61)),
        calculator("Next", &["c:System.Char"], vec![Char(0xffff).into()]).returns("System.Char", Char(0)),
        one("Native", IntPtr(4)).returns("System.IntPtr", IntPtr(5)),
        one("Native", IntPtr(i64::MIN)).returns("System.IntPtr", IntPtr(i64::MIN + 1)),
        one("Unsigned", UIntPtr(u64::MAX)).returns("System.UIntPtr", UIntPtr(u64::MAX)),
        one("Ratio", Double(0.2f64.to_bits())).returns("System.Double", Double(0.1f64.to_bits())),
        one("Ratio", Double(f64::NEG_INFINITY.to_bits()))
            .returns("System.Double", Double(f64::NEG_INFINITY.to_bits())),
        one("Nan", Single(1.5f32.to_bits())).returns("System.Single", Single(f32::NAN.to_bits())),
        one("Nan", Single(0x7fc0_0123)).returns("System.Single", Single(f32::NAN.to_bits())),
        one("Wide", UInt64(u64::MAX)).returns("System.UInt64", UInt64(0)),
        one("Wide", UInt64((1 << 63) - 1)).returns("System.UInt64", UInt64(1 << 63)),
        calculator("Nothing", &[], vec![]),
    ]
}

pub fn color(value: i128) -> Value {
    Value::Enum { ty: "Shop.Color".into(), value }
}

fn access(value: i128) -> Value {
    Value::Enum { ty: "Shop.Access".into(), value }
}

pub fn money(cents: i64) -> Value {
    structure("Shop.Money", &[("<Cents>k__BackingField", Primitive::Int64(cents).into())])
}

fn point(x: i32, y: i32) -> Value {
    structure("Shop.Point", &[("X", int(x)), ("Y", int(y))])
}

fn sealed(secret: i32, other: i16) -> Value {
    structure("Shop.Sealed", &[("secret", int(secret)), ("other", Primitive::Int16(other).into())])
}

fn nullable(value: Option<i32>) -> Value {
    let fields = [("hasValue", Value::boolean(value.is_some())), ("value", int(value.unwrap_or_default()))];
    structure("System.Nullable`1[System.Int32]", &fields)
}

fn enums_and_structs() -> Vec<Case> {
    let mix = ["a:Shop.Color", "b:Shop.Color"];
    let grant = ["a:Shop.Access", "b:Shop.Access"];
    let wide = |lower: u64, upper: u64| {
        let fields =
            [("_lower", Primitive::UInt64(lower).into()), ("_upper", Primitive::UInt64(upper).into())];
        structure("System.Int128", &fields)
    };
    let huge = |value: Value| {
        calculator("Huge", &["v:System.Int128"], vec![value.clone()]).returns("System.Int128", value)
    };
    let decimal = |flags: i32, hi: u32, lo: u64| {
        let fields = [
            ("_flags", int(flags)),
            ("_hi32", Primitive::UInt32(hi).into()),
            ("_lo64", Primitive::UInt64(lo).into()),
        ];
        structure("System.Decimal", &fields)
    };
    let price = |value: Value| {
        calculator("Price", &["v:System.Decimal"], vec![value.clone()]).returns("System.Decimal", value)
    };
    let pair_in = "System.ValueTuple`2[System.Byte,System.Boolean]";
    let pair_out = "System.ValueTuple`2[System.Int32,Shop.Color]";
    let mut echo =
        calculator("Echo", &["value:Shop.Point"], vec![point(1, 2)]).returns("Shop.Point", point(1, 2));
    echo.method.generic_arguments.push("Shop.Point".into());
    let money_two = ["a:Shop.Money", "b:Shop.Money"];
    let operator =
        |name: &str, parameters: &[&str], arguments| call("Shop.Money", name, parameters, arguments);
    vec![
        calculator("Mix", &mix, vec![color(1), color(1)]).returns("Shop.Color", color(2)),
        calculator("Mix", &mix, vec![color(2), color(7)]).returns("Shop.Color", color(9)),
        calculator("Grant", &grant, vec![access(1), access(2)]).returns("Shop.Access", access(3)),
        calculator("Grant", &grant, vec![access(1 << 63), access(2)])
            .returns("Shop.Access", access((1 << 63) | 2)),
        calculator("Grant", &grant, vec![access(0), access(64)]).returns("Shop.Access", access(64)),
        calculator("Half", &["v:System.Nullable`1[System.Int32]"], vec![nullable(Some(9))])
            .returns("System.Nullable`1[System.Int32]", nullable(Some(4))),
        calculator("Half", &["v:System.Nullable`1[System.Int32]"], vec![nullable(None)])
            .returns("System.Nullable`1[System.Int32]", nullable(None)),
        calculator(
            "Pair",
            &[&format!("p:{pair_in}")],
            vec![structure(
                pair_in,
                &[("Item1", Primitive::Byte(3).into()), ("Item2", Value::boolean(true))],
            )],
        )
        .returns(pair_out, structure(pair_out, &[("Item1", int(3)), ("Item2", color(1))])),
        huge(wide(5, 0)),
        huge(wide(0, 1)),
        huge(wide(u64::MAX, u64::MAX)),
        price(decimal(0, 0, 12)),
        price(decimal(i32::MIN | (2 << 16), 0, 12345)),
        calculator("Mirror", &["p:Shop.Point"], vec![point(1, 0)]).returns("Shop.Point", point(0, 1)),
        calculator("Mirror", &["p:Shop.Point"], vec![point(0, 0)]).returns("Shop.Point", point(0, 0)),
        calculator("Same", &["s:Shop.Sealed"], vec![sealed(5, -6)]).returns("Shop.Sealed", sealed(5, -6)),
        echo,
        operator("op_Addition", &money_two, vec![money(1), money(2)]).returns("Shop.Money", money(3)),
        operator("op_Addition", &money_two, vec![money(i64::MAX), money(2)])
            .throws("System.OverflowException"),
        operator("op_UnaryNegation", &["a:Shop.Money"], vec![money(5)]).returns("Shop.Money", money(-5)),
        operator("op_LessThan", &money_two, vec![money(0), money(2)])
            .returns("System.Boolean", Value::boolean(true)),
        operator("op_Explicit", &["m:Shop.Money"], vec![money(-8)]).returns("int", int(-8)),
        operator("op_Explicit", &["m:Shop.Money"], vec![money(1 << 40)])
            .returns("int", int(0))
            .throws("System.OverflowException"),
        operator("op_Increment", &["m:Shop.Money"], vec![money(1)]).returns("Shop.Money", money(2)),
        call("Shop.Money", "get_Cents", &[], vec![]).on(money(4)).returns("long", Primitive::Int64(4)),
        call("Shop.Point", "Move", &["dx:int"], vec![int(3)]).on(point(1, 2)).after_this(point(4, 2)),
        call("Shop.Sealed", "Reveal", &[], vec![]).on(sealed(5, -6)).returns("int", int(-1)),
        call("Shop.Sealed", "Hide", &[], vec![]).on(sealed(5, 0)).after_this(sealed(-1, 0)),
    ]
}

fn by_reference() -> Vec<Case> {
    let half = ["in v:int", "out half:int"];
    vec![
        calculator("Swap", &["ref a:int", "ref b:int"], vec![int(1), int(2)])
            .after_arguments(&[(0, int(2)), (1, int(1))]),
        calculator("TryHalf", &half, vec![int(7), int(0)])
            .returns("System.Boolean", Value::boolean(false))
            .after_arguments(&[(1, int(3))]),
        calculator("TryHalf", &half, vec![int(-1), int(0)]).throws("System.ArgumentOutOfRangeException"),
    ]
}

fn this() -> Value {
    Value::Object(ObjectId(1))
}

fn account(balance: i32, open: bool, audits: i32) -> Object {
    let fields = [
        ("owner", Value::Object(ObjectId(2))),
        ("<Balance>k__BackingField", int(balance)),
        ("<Open>k__BackingField", Value::boolean(open)),
        ("audits", int(audits)),
    ];
    Object::instance(ObjectId(1), "Shop.Account", fields_of("Shop.Account", &fields))
}

fn text(id: u32, text: &str) -> Object {
    Object::string(ObjectId(id), &text.encode_utf16().collect::<Vec<_>>())
}

fn on_account(name: &str, parameters: &[&str], arguments: Vec<Value>, before: Object) -> Case {
    call("Shop.Account", name, parameters, arguments).on(this()).with(before).with(text(2, "Ann \"A\""))
}

fn objects() -> Vec<Case> {
    let yes = || Value::boolean(true);
    let mut create = call(
        "Shop.Account",
        ".ctor",
        &["owner:System.String", "balance:int"],
        vec![Value::Object(ObjectId(2)), int(5)],
    )
    .with(text(2, "Bob"));
    create.method.is_static = false;
    let mut refuse = create.clone().throws("System.ArgumentException");
    refuse.arguments[1] = int(-1);
    let create = create.after_this(this()).after_object(account(5, true, 0));
    let limit = call("Shop.Account", "get_Limit", &[], vec![]).returns("int", int(10));
    let array = |first| {
        let elements = [first, 2].into_iter().enumerate();
        let elements = elements.map(|(at, v)| Element { at: vec![at as i32], value: int(v) }).collect();
        let array = Array { ty: "System.Int32[]".into(), lengths: vec![2], lower_bounds: vec![], elements };
        Object { id: ObjectId(1), kind: ObjectKind::Array(array) }
    };
    let boxed = |value| {
        let fields = fields_of("Shop.Box`1[System.Int32]", &[("value", int(value))]);
        Object::instance(ObjectId(1), "Shop.Box`1[System.Int32]", fields)
    };
    vec![
        create,
        refuse,
        limit,
        on_account("Withdraw", &["amount:int"], vec![int(4)], account(5, true, 0))
            .returns("System.Boolean", yes())
            .after_this(this())
            .after_object(account(1, true, 0)),
        on_account("Withdraw", &["amount:int"], vec![int(4)], account(5, false, 0))
            .returns("System.Boolean", Value::boolean(false)),
        on_account("Withdraw", &["amount:int"], vec![int(4)], account(5, true, 3))
            .returns("System.Boolean", yes())
            .after_this(this())
            .after_object(account(1, true, 3)),
        on_account("Audit", &[], vec![], account(5, true, 0))
            .after_this(this())
            .after_object(account(5, true, 1)),
        on_account("get_Item", &["index:int"], vec![int(0)], account(5, true, 0)).returns("int", int(5)),
        on_account("get_Item", &["index:int"], vec![int(1)], account(5, true, 0))
            .throws("System.IndexOutOfRangeException"),
        on_account("set_Item", &["index:int", "value:int"], vec![int(1), int(6)], account(5, true, 0))
            .after_this(this())
            .after_object(account(7, true, 0)),
        on_account("set_Open", &["value:System.Boolean"], vec![Value::boolean(false)], account(5, true, 0))
            .after_this(this())
            .after_object(account(5, false, 0)),
        // It is what it was.
        on_account("set_Open", &["value:System.Boolean"], vec![Value::boolean(true)], account(5, true, 0))
            .after_this(this())
            .after_object(account(5, true, 0)),
        calculator("Length", &["text:System.String"], vec![this()])
            .with(text(1, "h\u{e9}\n"))
            .returns("int", int(3)),
        calculator("Length", &["text:System.String"], vec![Value::Null])
            .throws("System.NullReferenceException"),
        calculator("Sum", &["items:System.Int32[]"], vec![this()])
            .with(array(1))
            .returns("int", int(3))
            .after_object(array(9)),
        calculator("Name", &["c:Shop.Color"], vec![color(2)])
            .returns("System.String", Value::Object(ObjectId(9)))
            .after_object(text(9, "Green")),
        call("Shop.Box`1[System.Int32]", "set_Value", &["value:int"], vec![int(5)])
            .on(this())
            .with(boxed(0))
            .after_this(this())
            .after_object(boxed(5)),
        call(
            "Shop.Box`1+Lid`1[System.Int32,Shop.Point]",
            "Count",
            &["t:int", "u:Shop.Point"],
            vec![int(1), point(0, 3)],
        )
        .returns("int", int(2)),
    ]
}

fn hidden() -> Vec<Case> {
    let hidden = structure("Shop.Hidden", &[("A", int(4))]);
    let mood = |value| Value::Enum { ty: "Shop.Mood".into(), value };
    vec![
        calculator("Secret", &["value:int"], vec![int(1)]).returns("int", int(2)),
        calculator("Secret", &["value:int"], vec![int(-1)]).throws("System.ArgumentException"),
        calculator("Halve", &["ref value:int"], vec![int(8)])
            .returns("System.Boolean", Value::boolean(true))
            .after_arguments(&[(0, int(4))]),
        call("Shop.Inner", "Use", &["h:Shop.Hidden"], vec![hidden]).returns("int", int(4)),
        call("Shop.Inner", "Feel", &["m:Shop.Mood"], vec![mood(1)]).returns("Shop.Mood", mood(1)),
        call("Shop.Inner", "Feel", &["m:Shop.Mood"], vec![mood(-1)]).throws("Shop.Trouble"),
    ]
}

/// Names that are keywords, that two namespaces have, or that have no namespace.
fn names() -> Vec<Case> {
    let range = structure("Shop.Range", &[("Start", int(1))]);
    vec![
        calculator("checked", &["int:int"], vec![int(1)]).returns("int", int(1)),
        call("Shop.Deep.Calculator", "Whole", &[], vec![]).returns("Shop.Range", range),
        call("Shop.Deep.Calculator", "Fail", &[], vec![]).throws("System.InvalidTimeZoneException"),
        call("Odd.Assert", "Equal", &["n:int"], vec![int(1)]).returns("int", int(1)),
        call("Odd.Is", "True", &["n:int"], vec![int(1)]).returns("int", int(1)),
        call("Rootless", "One", &[], vec![]).returns("int", int(1)),
    ]
}

fn counter(total: i32, size: i32) -> Object {
    let fields = [("total", int(total)), ("<Size>k__BackingField", int(size))];
    Object::instance(ObjectId(1), "Shop.Counter", fields_of("Shop.Counter", &fields))
}

fn on_counter(ty: &str, name: &str, parameters: &[&str], arguments: Vec<Value>, before: Object) -> Case {
    call(ty, name, parameters, arguments).on(this()).with(before).after_this(this())
}

/// Members that are private, explicit or of an interface; graphs; arrays of two dimensions.
fn corners() -> Vec<Case> {
    let mut create = call("Shop.Counter", ".ctor", &["total:int"], vec![int(5)]);
    create.method.is_static = false;
    let mut pick =
        call("Shop.Counter", "Pick", &["a:Shop.Color"], vec![color(2)]).returns("Shop.Color", color(2));
    pick.method.generic_arguments.push("Shop.Color".into());
    let node = |id: u32, value: i32, next: u32| {
        let fields = [("Value", int(value)), ("Next", Value::Object(ObjectId(next)))];
        Object::instance(ObjectId(id), "Shop.Node", fields_of("Shop.Node", &fields))
    };
    let grid = Array {
        ty: "System.Int32[,]".into(),
        lengths: vec![2, 2],
        lower_bounds: vec![],
        elements: vec![Element { at: vec![1, 1], value: int(8) }],
    };
    vec![
        create.after_this(this()).after_object(counter(5, 0)),
        on_counter("Shop.Counter", "Shop.ICounter.Count", &["by:int"], vec![int(2)], counter(1, 4))
            .returns("int", int(3))
            .after_this(this())
            .after_object(counter(3, 4)),
        on_counter("Shop.ICounter", "Twice", &[], vec![], counter(0, 4))
            .returns("int", int(4))
            .after_this(this())
            .after_object(counter(2, 4)),
        on_counter("Shop.Counter", "Bump", &["ref by:int"], vec![int(2)], counter(0, 0))
            .after_arguments(&[(0, int(0))])
            .after_object(counter(2, 0)),
        on_counter("Shop.Counter", "Bump", &["ref by:int"], vec![int(200)], counter(0, 0))
            .throws("System.InvalidOperationException")
            .after_this(this())
            .after_object(counter(200, 0)),
        on_counter("Shop.Counter", "set_Size", &["value:int"], vec![int(3)], counter(0, 0))
            .after_object(counter(0, 3)),
        call("Shop.Counter", "set_Level", &["value:int"], vec![int(3)]),
        call("Shop.Counter+Step", "Of", &["n:int"], vec![int(3)]).returns("int", int(3)),
        pick,
        call("Shop.Counter", "Walk", &["n:Shop.Node"], vec![this()])
            .with(node(1, 3, 2))
            .with(node(2, 4, 1))
            .returns("int", int(14)),
        call("Shop.Counter", "Corner", &["g:System.Int32[,]"], vec![this()])
            .with(Object { id: ObjectId(1), kind: ObjectKind::Array(grid) })
            .returns("int", int(8)),
        call("Shop.Counter", "Paint", &["ref c:Shop.Color", "out m:Shop.Money"], vec![color(7), money(0)])
            .after_arguments(&[(0, color(1)), (1, money(7))]),
        call("Shop.Sealed", "Scramble", &["by:int"], vec![int(3)]).on(sealed(5, 0)).after_this(sealed(6, 0)),
    ]
}
