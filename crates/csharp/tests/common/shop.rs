//! What is public in `Shop` and how its objects are made.

use case::type_facts::*;

const SHOP: [&str; 17] = [
    "Odd.Assert",
    "Odd.Is",
    "Shop.ICounter",
    "Shop.Counter",
    "Shop.Counter+Step",
    "Shop.Calculator",
    "Shop.Money",
    "Shop.Point",
    "Shop.Sealed",
    "Shop.Account",
    "Shop.Node",
    "Shop.Inner",
    "Shop.Box`1",
    "Shop.Box`1+Lid`1",
    "Shop.Range",
    "Shop.Deep.Calculator",
    "Rootless",
];

pub fn surroundings() -> InMemory {
    let mut known = InMemory { assembly: "Shop".into(), ..InMemory::default() };
    known.namespaces = ["Shop", "Shop.Deep", "System"].map(String::from).to_vec();
    for name in SHOP {
        known.types.insert(name.into(), TypeInfo { public: true, ..TypeInfo::default() });
    }
    for name in ["Shop.Hidden", "Shop.Mood", "Shop.Trouble"] {
        known.types.insert(name.into(), TypeInfo::default());
    }
    // A type of the base library with a name that Shop uses as well.
    known.types.insert("System.Range".into(), TypeInfo { public: true, ..TypeInfo::default() });
    known.types.insert("Shop.Color".into(), color(&[("Red", 1), ("Green", 2), ("class", 7)], false));
    let access = [("None", 0), ("Read", 1), ("Write", 2), ("ReadWrite", 3), ("Top", 1 << 63)];
    known.types.insert("Shop.Access".into(), color(&access, true));
    structs(&mut known);
    classes(&mut known);
    methods(&mut known);
    known
}

fn color(members: &[(&str, i128)], flags: bool) -> TypeInfo {
    let enum_members = members.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    TypeInfo { public: true, kind: TypeKind::Enum, enum_members, flags, ..TypeInfo::default() }
}

fn structs(known: &mut InMemory) {
    let money = known.types.get_mut("Shop.Money").unwrap();
    money.kind = TypeKind::Struct;
    money
        .constructors
        .push(constructor("Shop.Money", &[("cents", "System.Int64", "<Cents>k__BackingField")]));
    money.members.push(member("Shop.Money", "Cents", "<Cents>k__BackingField", Writable::No));
    let point = known.types.get_mut("Shop.Point").unwrap();
    point.kind = TypeKind::Struct;
    point.members.push(member("Shop.Point", "X", "X", Writable::Always));
    point.members.push(member("Shop.Point", "Y", "Y", Writable::Always));
    let range = known.types.get_mut("Shop.Range").unwrap();
    range.kind = TypeKind::Struct;
    range.members.push(member("Shop.Range", "Start", "Start", Writable::Always));
    known.types.get_mut("Shop.Sealed").unwrap().kind = TypeKind::Struct;
}

fn classes(known: &mut InMemory) {
    let account = known.types.get_mut("Shop.Account").unwrap();
    let parameters =
        [("owner", "System.String", "owner"), ("balance", "System.Int32", "<Balance>k__BackingField")];
    let mut both = constructor("Shop.Account", &parameters);
    both.constants.push((key("Shop.Account", "<Open>k__BackingField"), super::Value::boolean(true)));
    account.constructors.push(both);
    account.members.push(member("Shop.Account", "Balance", "<Balance>k__BackingField", Writable::No));
    account.members.push(member("Shop.Account", "Open", "<Open>k__BackingField", Writable::Always));
    let node = known.types.get_mut("Shop.Node").unwrap();
    node.constructors.push(Constructor::default());
    node.members.push(member("Shop.Node", "Value", "Value", Writable::Always));
    node.members.push(member("Shop.Node", "Next", "Next", Writable::Always));
    let counter = known.types.get_mut("Shop.Counter").unwrap();
    counter.constructors.push(Constructor::default());
    counter.members.push(member("Shop.Counter", "Total", "total", Writable::No));
    counter.members.push(member("Shop.Counter", "Size", "<Size>k__BackingField", Writable::Init));
    known.types.get_mut("Shop.ICounter").unwrap().kind = TypeKind::Interface;
    let boxed = known.types.get_mut("Shop.Box`1").unwrap();
    boxed.constructors.push(Constructor::default());
    boxed.members.push(member("Shop.Box`1", "Value", "value", Writable::Always));
}

fn constructor(ty: &str, parameters: &[(&str, &str, &str)]) -> Constructor {
    let parameters = parameters
        .iter()
        .map(|(name, parameter, field)| ConstructorParameter {
            name: (*name).into(),
            ty: (*parameter).into(),
            field: Some(key(ty, field)),
        })
        .collect();
    Constructor { parameters, ..Constructor::default() }
}

fn member(ty: &str, name: &str, field: &str, writable: Writable) -> Member {
    let field = key(ty, field);
    let ty = String::new();
    Member {
        name: name.into(),
        field,
        ty,
        readable: true,
        writable,
        required: false,
        is_static: false,
        diagnostics: Vec::new(),
    }
}

fn key(declaring: &str, name: &str) -> FieldKey {
    FieldKey { declaring: declaring.into(), name: name.into() }
}

/// Every method of the cases is public and ordinary except where it is said otherwise.
fn methods(known: &mut InMemory) {
    let hidden = ["Secret", "Halve", "Use", "Feel", "Bump", "Pick", "Scramble", "Shop.ICounter.Count"];
    for case in super::cases::all() {
        let name = case.method.name.as_str();
        let getter = name.strip_prefix("get_");
        let setter = name.strip_prefix("set_");
        let kind = match (getter, setter) {
            (Some(property), _) => {
                MethodKind::Getter { property: property.into(), indexer: property == "Item" }
            }
            (_, Some(property)) => MethodKind::Setter {
                property: property.into(),
                indexer: property == "Item",
                init: property == "Size",
            },
            _ if name.starts_with("op_") => MethodKind::Operator,
            _ => MethodKind::Ordinary,
        };
        let info = MethodInfo {
            public: !hidden.contains(&name) && case.method.id != "Shop.Counter::.ctor(System.Int32)",
            kind,
            overloaded: name == "Add",
            diagnostics: Vec::new(),
        };
        known.methods.insert(case.method.id.clone(), info);
    }
}
