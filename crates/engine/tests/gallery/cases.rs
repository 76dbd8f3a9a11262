//! Inputs by hand for the methods of the gallery.

use case::*;

use engine::Metadata;

/// A case under construction: `a` is the value of the next argument.
struct Heap {
    objects: Vec<Object>,
}

impl Heap {
    fn new() -> Heap {
        Heap { objects: Vec::new() }
    }

    fn add(&mut self, kind: ObjectKind) -> Value {
        let id = ObjectId(self.objects.len() as u32 + 1);
        self.objects.push(Object { id, kind });
        Value::Object(id)
    }

    fn text(&mut self, text: &str) -> Value {
        self.add(ObjectKind::String(Text(text.encode_utf16().collect())))
    }

    fn object(&mut self, ty: &str, fields: &[(&str, Value)]) -> Value {
        let ty = format!("Gallery.{ty}");
        let fields = fields_of(&ty, fields);
        self.add(ObjectKind::Object(Instance { ty, construction: None, fields }))
    }

    /// For cycles: the object exists before its fields do.
    fn set(&mut self, object: &Value, name: &str, value: Value) {
        let Value::Object(id) = object else { panic!("no object") };
        let object = self.objects.iter_mut().find(|object| object.id == *id).unwrap();
        match &mut object.kind {
            ObjectKind::Object(instance) => {
                let declaring = instance.ty.clone();
                instance.fields.push(FieldValue { name: name.into(), declaring, value });
            }
            ObjectKind::Array(array) => {
                array.elements.push(Element { at: vec![name.parse().unwrap()], value });
            }
            _ => panic!("it has no fields"),
        }
    }

    fn array(&mut self, ty: &str, values: Vec<Value>) -> Value {
        let lengths = vec![values.len() as u32];
        let elements = values.into_iter().enumerate();
        let elements = elements.map(|(at, value)| Element { at: vec![at as i32], value }).collect();
        self.add(ObjectKind::Array(Array { ty: ty.into(), lengths, lower_bounds: vec![], elements }))
    }

    fn ints(&mut self, values: &[i32]) -> Value {
        self.array("System.Int32[]", values.iter().map(|v| Value::int32(*v)).collect())
    }

    fn sparse(&mut self, ty: &str, lengths: &[u32], lower: &[i32], elements: &[(&[i32], i32)]) -> Value {
        let elements =
            elements.iter().map(|(at, v)| Element { at: at.to_vec(), value: Value::int32(*v) }).collect();
        let array = Array { ty: ty.into(), lengths: lengths.into(), lower_bounds: lower.into(), elements };
        self.add(ObjectKind::Array(array))
    }

    fn items(&mut self, ty: &str, values: Vec<Value>) -> Value {
        let items = values.into_iter().map(|value| Item { key: None, value }).collect();
        let ty = format!("System.Collections.Generic.{ty}");
        self.add(ObjectKind::Collection(Collection { ty, items }))
    }

    fn boxed(&mut self, value: Value) -> Value {
        self.add(ObjectKind::Boxed { value })
    }
}

fn int(value: i32) -> Value {
    Value::int32(value)
}

fn long(value: i64) -> Value {
    Primitive::Int64(value).into()
}

fn fields_of(ty: &str, fields: &[(&str, Value)]) -> Vec<FieldValue> {
    let field = |(name, value): &(&str, Value)| {
        let (declaring, name) = name.split_once("::").unwrap_or((ty, name));
        FieldValue { name: name.into(), declaring: declaring.into(), value: value.clone() }
    };
    fields.iter().map(field).collect()
}

fn structure(ty: &str, fields: &[(&str, Value)]) -> Value {
    Value::Struct { ty: ty.into(), fields: fields_of(ty, fields) }
}

fn backing(name: &str) -> String {
    format!("<{name}>k__BackingField")
}

struct Cases<'a> {
    metadata: &'a Metadata,
    all: Vec<Case>,
}

impl Cases<'_> {
    fn call(&mut self, heap: Heap, method: &str, this: Option<Value>, arguments: Vec<Value>) {
        let (ty, name) = method.split_once("::").unwrap();
        let method = self.metadata.method_named(&format!("Gallery.{ty}"), name).unwrap();
        self.all.push(Case {
            name: String::new(),
            method,
            objects: heap.objects,
            this,
            arguments,
            expect: Expectation::void(),
            construction: Reach::Public,
            breaks: vec![],
            consume: None,
            statics: vec![],
            static_state: vec![],
            outside: Outside::default(),
            sequenced: None,
        });
    }
}

pub fn all(surroundings: &Metadata) -> Vec<Case> {
    let mut cases = Cases { metadata: surroundings, all: Vec::new() };
    accounts(&mut cases);
    graphs(&mut cases);
    arrays(&mut cases);
    generics(&mut cases);
    hidden(&mut cases);
    collections(&mut cases);
    values(&mut cases);
    cases.all
}

fn accounts(cases: &mut Cases<'_>) {
    let mut h = Heap::new();
    let owner = h.text("Ann");
    let this = h.object("Account", &[("owner", owner), ("balance", int(5))]);
    cases.call(h, "Account::Deposit", Some(this), vec![int(7)]);

    // Nothing is said about the owner, and null is refused.
    let mut h = Heap::new();
    let this = h.object("Account", &[("balance", int(5))]);
    let other = h.object("Account", &[("balance", int(9))]);
    cases.call(h, "Account::Richer", Some(this), vec![other]);

    let mut h = Heap::new();
    let both = h.object("Account", &[("balance", int(3))]);
    cases.call(h, "Account::Total", None, vec![both.clone(), both]);

    // No constructor makes this one.
    let mut h = Heap::new();
    let this = h.object("Account", &[("owner", Value::Null), ("balance", int(5))]);
    cases.call(h, "Account::Deposit", Some(this), vec![int(1)]);
    let mut h = Heap::new();
    let this = h.object("Account", &[("balance", int(-5))]);
    cases.call(h, "Account::Richer", Some(this), vec![Value::Null]);

    // The log is made by the constructor, and is empty.
    let mut h = Heap::new();
    let owner = h.text("Bob");
    let log = h.items("List`1[System.String]", vec![]);
    let this = h.object("Account", &[("owner", owner), ("log", log), ("balance", int(0))]);
    cases.call(h, "Account::Deposit", Some(this), vec![int(1)]);

    let double = |value: f64| Value::from(Primitive::Double(value.to_bits()));
    let circle = |h: &mut Heap, radius: f64, area: f64| {
        let label = h.text("c");
        let fields = [("Radius", double(radius)), ("Area", double(area)), ("Label", label)];
        let fields: Vec<(String, Value)> = fields.into_iter().map(|(n, v)| (backing(n), v)).collect();
        let fields: Vec<(&str, Value)> = fields.iter().map(|(n, v)| (n.as_str(), v.clone())).collect();
        h.object("Circle", &fields)
    };
    let mut h = Heap::new();
    let this = circle(&mut h, 2.0, 12.0);
    cases.call(h, "Circle::IsBig", Some(this), vec![]);
    let mut h = Heap::new();
    let this = circle(&mut h, 2.0, 1.0);
    cases.call(h, "Circle::IsBig", Some(this), vec![]);
}

fn person(h: &mut Heap, name: &str, age: i32) -> Value {
    let name = h.text(name);
    h.object("Person", &[(&backing("Name"), name), (&backing("Age"), int(age))])
}

fn node(h: &mut Heap, value: i32, next: Value) -> Value {
    h.object("Node", &[(&backing("Value"), int(value)), (&backing("Next"), next)])
}

fn graphs(cases: &mut Cases<'_>) {
    let mut h = Heap::new();
    let a = person(&mut h, "Ann", 40);
    cases.call(h, "Person::Older", Some(a), vec![]);

    let mut h = Heap::new();
    let (a, b) = (person(&mut h, "Ann", 40), person(&mut h, "Bob", 41));
    h.set(&a, &backing("Partner"), b.clone());
    h.set(&b, &backing("Partner"), a.clone());
    cases.call(h, "Person::Linked", None, vec![a, b]);

    for method in ["Node::Length", "Node::Reverse"] {
        let mut h = Heap::new();
        let third = node(&mut h, 3, Value::Null);
        let second = node(&mut h, 2, third);
        let first = node(&mut h, 1, second);
        cases.call(h, method, None, vec![first]);
    }
    // No constructor makes a list that goes round.
    let mut h = Heap::new();
    let round = h.object("Node", &[(&backing("Value"), int(1))]);
    h.set(&round, &backing("Next"), round.clone());
    cases.call(h, "Values::Replace", None, vec![round, Value::Null]);
    let mut h = Heap::new();
    let last = node(&mut h, 2, Value::Null);
    let first = node(&mut h, 1, last);
    cases.call(h, "Values::Replace", None, vec![first, Value::Null]);

    for method in ["Ring::Size", "Ring::Cut"] {
        let mut h = Heap::new();
        let rings: Vec<Value> = (1..=3).map(|v| h.object("Ring", &[("Value", int(v))])).collect();
        for (index, ring) in rings.iter().enumerate() {
            h.set(ring, "Next", rings[(index + 1) % 3].clone());
        }
        cases.call(h, method, None, vec![rings[0].clone()]);
    }
    cases.call(Heap::new(), "Ring::Make", None, vec![int(3)]);

    for method in ["Tree::Depth", "Tree::Swap"] {
        let mut h = Heap::new();
        let root = h.object("Tree", &[(&backing("Parent"), Value::Null), (&backing("Key"), int(1))]);
        let left = h.object("Tree", &[(&backing("Parent"), root.clone()), (&backing("Key"), int(2))]);
        h.set(&root, &backing("Left"), left);
        cases.call(h, method, Some(root), vec![]);
    }
}

fn arrays(cases: &mut Cases<'_>) {
    let mut h = Heap::new();
    let this = h.object("Matrix", &[]);
    cases.call(h, "Matrix::Trace", Some(this), vec![]);
    let mut h = Heap::new();
    let cell =
        |at: [i32; 2], v: f64| Element { at: at.to_vec(), value: Primitive::Double(v.to_bits()).into() };
    let elements = vec![cell([0, 0], 1.5), cell([1, 1], 2.0)];
    let ty = "System.Double[,]".to_owned();
    let cells = h.add(ObjectKind::Array(Array { ty, lengths: vec![2, 2], lower_bounds: vec![], elements }));
    let this = h.object("Matrix", &[("cells", cells)]);
    cases.call(h, "Matrix::Trace", Some(this), vec![]);

    let mut h = Heap::new();
    let m = h.sparse("System.Int32[,]", &[2, 3], &[], &[(&[0, 1], 5), (&[1, 2], 7)]);
    cases.call(h, "Matrix::Transposed", None, vec![m]);
    let mut h = Heap::new();
    let m = h.sparse("System.Int32[,]", &[2, 2], &[1, -1], &[(&[1, -1], 5)]);
    cases.call(h, "Matrix::First", None, vec![m]);
    let mut h = Heap::new();
    let (row, empty) = (h.ints(&[1, 2]), h.ints(&[]));
    let rows = h.array("System.Int32[][]", vec![row.clone(), Value::Null, empty, row]);
    cases.call(h, "Matrix::Ragged", None, vec![rows]);

    let mut h = Heap::new();
    let items = h.ints(&[3, 1, 2]);
    cases.call(h, "Values::Sort", None, vec![items]);
    let mut h = Heap::new();
    let items = h.ints(&[9, 8, 7, 6, 5, 4]);
    cases.call(h, "Values::Sort", None, vec![items]);
    let mut h = Heap::new();
    let items = h.array("System.Object[]", vec![Value::Null, Value::Null]);
    h.objects.iter_mut().for_each(|object| {
        if let ObjectKind::Array(array) = &mut object.kind {
            array.elements.clear();
        }
    });
    h.set(&items, "0", items.clone());
    cases.call(h, "Values::Loop", None, vec![items]);
    let mut h = Heap::new();
    let runs: Vec<(Vec<i32>, i32)> = (490..510).map(|at| (vec![at], 4)).collect();
    let runs: Vec<(&[i32], i32)> = runs.iter().map(|(at, v)| (at.as_slice(), *v)).collect();
    let items = h.sparse("System.Int32[]", &[1000], &[], &runs);
    let text = h.text(&("x".repeat(500) + "y"));
    cases.call(h, "Values::Long", None, vec![items, text]);
    cases.call(Heap::new(), "Values::Mixed", None, vec![]);
    cases.call(Heap::new(), "Values::Steps", None, vec![int(2)]);
}

fn generics(cases: &mut Cases<'_>) {
    let mut h = Heap::new();
    let items = h.ints(&[4, 5]);
    let this = h.object("Pile`1[System.Int32]", &[("items", items), ("count", int(2))]);
    cases.call(h, "Pile`1[System.Int32]::Pop", Some(this), vec![]);
    let mut h = Heap::new();
    let this = h.object("Pile`1[System.Int32]", &[("count", int(0))]);
    cases.call(h, "Pile`1[System.Int32]::Pop", Some(this), vec![]);
    let mut h = Heap::new();
    let this = h.object("Pile`1[System.String]", &[]);
    let text = h.text("a");
    cases.call(h, "Pile`1[System.String]::Push", Some(this), vec![text]);
    let mut h = Heap::new();
    let pair = "Pair`2[System.Int32,System.String]";
    let text = h.text("two");
    let this = h.object(pair, &[(&backing("First"), int(1)), (&backing("Second"), text)]);
    cases.call(h, &format!("{pair}::Flip"), Some(this), vec![]);
    let mut h = Heap::new();
    let this = h.object(pair, &[(&backing("First"), int(1))]);
    cases.call(h, &format!("{pair}::Flip"), Some(this), vec![]);
}

fn hidden(cases: &mut Cases<'_>) {
    let mut h = Heap::new();
    let inner = h.object("Hidden", &[("Level", int(2))]);
    let outer = h.object("Hidden", &[("Level", int(1)), ("Inner", inner)]);
    cases.call(h, "Inside::Sum", None, vec![outer]);
    let mut h = Heap::new();
    let vault =
        h.object("Vault`1[Gallery.Secret]", &[("held", structure("Gallery.Secret", &[("Code", int(7))]))]);
    cases.call(h, "Inside::Open", None, vec![vault]);
    let mut h = Heap::new();
    let one = h.object("Hidden", &[("Level", int(2))]);
    let all = h.array("Gallery.Hidden[]", vec![Value::Null, one]);
    cases.call(h, "Inside::Count", None, vec![all]);
    let mut h = Heap::new();
    let this = h.object("Square", &[("size", int(2)), ("Gallery.Shape::size", int(3))]);
    cases.call(h, "Square::Differs", Some(this), vec![]);
}

fn collections(cases: &mut Cases<'_>) {
    let mut h = Heap::new();
    let this = h.object("Basket", &[]);
    cases.call(h, "Basket::Add", Some(this), vec![int(4)]);
    let mut h = Heap::new();
    let items = h.items("List`1[System.Int32]", vec![]);
    let this = h.object("Basket", &[(&backing("Items"), items)]);
    cases.call(h, "Basket::Add", Some(this), vec![int(4)]);
    let mut h = Heap::new();
    let name = h.text("tea");
    let ty = "System.Collections.Generic.Dictionary`2[System.String,System.Int32]".to_owned();
    let items = vec![Item { key: Some(name.clone()), value: int(3) }];
    let prices = h.add(ObjectKind::Collection(Collection { ty, items }));
    let this = h.object("Basket", &[(&backing("Prices"), prices)]);
    cases.call(h, "Basket::Price", Some(this), vec![name]);

    let mut h = Heap::new();
    let (a, b) = (h.text("a"), h.text("b"));
    let words = h.items("List`1[System.String]", vec![a, b]);
    cases.call(h, "Values::Index", None, vec![words]);
    // As the engine sees a list.
    let mut h = Heap::new();
    let a = h.text("a");
    let array = h.array("System.String[]", vec![a, Value::Null, Value::Null]);
    let ty = "System.Collections.Generic.List`1[System.String]";
    let fields = fields_of(ty, &[("_items", array), ("_size", int(1))]);
    let words = h.add(ObjectKind::Object(Instance { ty: ty.into(), construction: None, fields }));
    cases.call(h, "Values::Index", None, vec![words]);
    let mut h = Heap::new();
    let set = h.items("HashSet`1[System.Int32]", vec![int(1)]);
    let queue = h.items("Queue`1[System.Int32]", vec![int(2), int(3)]);
    let stack = h.items("Stack`1[System.Int32]", vec![int(5), int(4)]);
    cases.call(h, "Values::Grow", None, vec![set, queue, stack]);
    let mut h = Heap::new();
    let people = vec![person(&mut h, "Ann", 40), person(&mut h, "Kid", 4), person(&mut h, "Bob", 18)];
    let people = h.array("Gallery.Person[]", people);
    cases.call(h, "Values::Adults", None, vec![people]);
    cases.call(Heap::new(), "Meter::Count", None, vec![int(5)]);
    let case = cases.all.last_mut().unwrap();
    for (name, value) in [("Total", Some(int(3))), ("last", None)] {
        let declaring = "Gallery.Meter".to_owned();
        let after = StaticAfter { declaring: declaring.clone(), name: name.into(), value: Value::Null };
        case.expect.after.statics.push(after);
        case.statics.push(StaticBefore { declaring, name: name.into(), value, elements: false });
    }
}

fn span(ty: &str, over: &Value, start: u32, length: u32) -> Value {
    let Value::Object(id) = over else { panic!("no object") };
    Value::Span { ty: ty.into(), span: Span { over: Some(*id), start, length } }
}

fn values(cases: &mut Cases<'_>) {
    let mut h = Heap::new();
    let array = h.ints(&[1, 2, 3]);
    let part = span("System.ReadOnlySpan`1[System.Int32]", &array, 1, 2);
    cases.call(h, "Values::Sum", None, vec![part]);
    let none = Value::Span { ty: "System.ReadOnlySpan`1[System.Int32]".into(), span: Span::default() };
    cases.call(Heap::new(), "Values::Sum", None, vec![none]);
    let mut h = Heap::new();
    let array = h.ints(&[1, 2, 3]);
    let whole = span("System.Span`1[System.Int32]", &array, 0, 3);
    cases.call(h, "Values::Fill", None, vec![whole, int(9)]);
    let mut h = Heap::new();
    let text = h.text("one two");
    let whole = span("System.ReadOnlySpan`1[System.Char]", &text, 0, 7);
    cases.call(h, "Values::Word", None, vec![whole]);
    let mut h = Heap::new();
    let array = h.ints(&[1, 2, 3]);
    let part = span("System.Memory`1[System.Int32]", &array, 1, 2);
    cases.call(h, "Values::Doubled", None, vec![part]);

    let mut h = Heap::new();
    let (a, b) = (h.text("same"), h.text("same"));
    cases.call(h, "Values::Same", None, vec![a, b]);
    let mut h = Heap::new();
    let a = h.text("same");
    cases.call(h, "Values::Same", None, vec![a.clone(), a]);
    let mut h = Heap::new();
    let text = h.add(ObjectKind::String(Text(vec![0, 0xd800, 0x22, 0x5c, 0xdc00, 0xffff, 0x41])));
    cases.call(h, "Values::Weird", None, vec![text]);

    let date = |data: u64| structure("System.DateTime", &[("_dateData", Primitive::UInt64(data).into())]);
    let time = |ticks: i64| structure("System.TimeSpan", &[("_ticks", long(ticks))]);
    let leap = 638_448_480_000_000_000u64;
    cases.call(Heap::new(), "Values::Later", None, vec![date(leap), time(864_000_000_000)]);
    cases.call(Heap::new(), "Values::Later", None, vec![date((1 << 62) | 5), time(-1)]);
    cases.call(Heap::new(), "Values::Later", None, vec![date(0), time(-1)]);
    let day = structure("System.DateOnly", &[("_dayNumber", Primitive::UInt32(738_944).into())]);
    let clock = structure("System.TimeOnly", &[("_ticks", Primitive::UInt64(36_000_000_000 * 13).into())]);
    let minutes = Value::from(Primitive::Int16(120));
    let at = structure("System.DateTimeOffset", &[("_dateTime", date(leap)), ("_offsetMinutes", minutes)]);
    cases.call(Heap::new(), "Values::Year", None, vec![day, clock, at]);
    let small = structure("System.Numerics.BigInteger", &[("_sign", int(12)), ("_bits", Value::Null)]);
    cases.call(Heap::new(), "Values::Square", None, vec![small]);
    let mut h = Heap::new();
    let words = [0u32, 0, 1].map(|word| Value::from(Primitive::UInt32(word)));
    let bits = h.array("System.UInt32[]", words.to_vec());
    let big = structure("System.Numerics.BigInteger", &[("_sign", int(-1)), ("_bits", bits)]);
    cases.call(h, "Values::Square", None, vec![big]);
    let mut parts =
        vec![("_a", int(0x1234)), ("_b", Primitive::Int16(-1).into()), ("_c", Primitive::Int16(2).into())];
    parts.extend(
        ["_d", "_e", "_f", "_g", "_h", "_i", "_j", "_k"].map(|name| (name, Primitive::Byte(7).into())),
    );
    cases.call(Heap::new(), "Values::Flip", None, vec![structure("System.Guid", &parts)]);
    let decimal = |flags: i32, lo: u64| {
        let hi = Primitive::UInt32(0).into();
        let lo = Primitive::UInt64(lo).into();
        structure("System.Decimal", &[("_flags", int(flags)), ("_hi32", hi), ("_lo64", lo)])
    };
    cases.call(Heap::new(), "Values::Half", None, vec![decimal(i32::MIN | (2 << 16), 12345)]);
    cases.call(Heap::new(), "Values::Half", None, vec![decimal(i32::MIN, 0)]);

    let made = |h: &mut Heap, ty: &str, parameters: &[&str], arguments: Vec<Value>| {
        let parameters = parameters.iter().map(|p| (*p).to_owned()).collect();
        let construction = Some(Construction { parameters, arguments, ..Construction::default() });
        h.add(ObjectKind::Object(Instance { ty: ty.into(), construction, fields: vec![] }))
    };
    let mut h = Heap::new();
    let version = made(&mut h, "System.Version", &["System.Int32", "System.Int32"], vec![int(1), int(2)]);
    cases.call(h, "Values::Next", None, vec![version]);
    let mut h = Heap::new();
    let fields = fields_of("System.Version", &[("_Major", int(3)), ("_Minor", int(4)), ("_Build", int(-1))]);
    let version =
        h.add(ObjectKind::Object(Instance { ty: "System.Version".into(), construction: None, fields }));
    cases.call(h, "Values::Next", None, vec![version]);
    let mut h = Heap::new();
    let text = h.text("https://a.example/b");
    let uri = made(&mut h, "System.Uri", &["System.String"], vec![text]);
    cases.call(h, "Values::Host", None, vec![uri]);
    let mut h = Heap::new();
    let (a, b) = (h.boxed(int(1)), h.boxed(int(1)));
    cases.call(h, "Values::Boxed", None, vec![a, b]);
    let mut h = Heap::new();
    let a = h.boxed(long(1));
    cases.call(h, "Values::Boxed", None, vec![a.clone(), a]);

    let mood = |value| Value::Enum { ty: "Gallery.Mood".into(), value };
    let mut h = Heap::new();
    let maybe = "System.Nullable`1[Gallery.Mood]";
    let some = structure(maybe, &[("hasValue", Value::boolean(true)), ("value", mood(2))]);
    let text = h.text("t");
    let pair =
        structure("System.ValueTuple`2[System.Int32,System.String]", &[("Item1", int(3)), ("Item2", text)]);
    let moods = h.array("Gallery.Mood[]", vec![mood(1), mood(9)]);
    cases.call(h, "Values::Moods", None, vec![some, pair, moods]);
    let mut h = Heap::new();
    let bytes = h.array("System.Byte[]", [1, 2, 3].map(|b| Primitive::Byte(b).into()).to_vec());
    let segment = "System.ArraySegment`1[System.Byte]";
    let part = structure(segment, &[("_array", bytes), ("_offset", int(1)), ("_count", int(2))]);
    let text = h.text("v");
    let entry = "System.Collections.Generic.KeyValuePair`2[System.Int32,System.String]";
    let entry = structure(entry, &[("key", int(5)), ("value", text)]);
    cases.call(h, "Values::Segment", None, vec![part, entry]);
}
