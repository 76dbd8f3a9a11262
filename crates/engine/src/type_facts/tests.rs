//! Metadata and small bodies of a compiled library, as the writer of tests sees them.

use std::path::Path;

use case::type_facts::{MethodKind, TypeFacts, TypeInfo, TypeKind, Writable};
use case::{MethodRef, ObjectId, Value};
use expect_test::{Expect, expect};
use types::{Probing, Universe};

use crate::type_facts::Metadata;

const SOURCE: &str = r#"
namespace Shop
{
    public struct Point
    {
        public int X, Y;
        private readonly int hidden;
        public Point(int x, int y) { X = x; Y = y; hidden = 7; }
        public Point(int both) { X = both; Y = both; hidden = 0; }
        public int Hidden => hidden;
        public int Sum => X + Y;
    }

    public class Account
    {
        public Account(string owner, long cents) { Owner = owner; this.cents = cents; }
        private long cents;
        public string Owner { get; }
        public int Limit { get; set; }
        public bool Open { get; init; }
        public long Cents { get => cents; private set => cents = value; }
        public int this[int i] => i;
        public static Account operator +(Account a, Account b) => a;
        public override bool Equals(object other) => other is Account;
        public override int GetHashCode() => 0;
    }

    public class Savings : Account
    {
        public Savings() : base("", 0) { }
    }

    [System.Flags]
    public enum Days : byte { None, First = 1, Second = 2, Both = 3 }

    public static class Helpers { public static int Twice(int x) => 2 * x; public static int Twice(long x) => 0; }

    internal class Inside { public class Nested { } }

    public record struct Pair(int A, int B);

    public class Checked
    {
        private readonly string name;
        private Days days = Days.Both;
        private long big = -1;
        public Checked(string name, int size)
        {
            if (name == null) throw new System.ArgumentNullException(nameof(name));
            if (size < 0 || size > 9) throw new System.ArgumentException("size");
            this.name = name;
            Size = size;
        }
        public int Size { get; private set; }
        public int Twice => Size * 2;
    }

    public class Derived : Checked
    {
        public double Rate;
        public Derived(string name, int size, double rate) : base(name, size) { Rate = rate; }
    }

    public class Guarded
    {
        private object value;
        private int n;
        public Guarded(object value, int n) { System.ArgumentNullException.ThrowIfNull(value); this.value = value; this.n = n; }
    }

    public class Ready
    {
        private readonly int[] items = new int[4];
        private readonly string label, text, maybe;
        public Ready(string label, string text)
        {
            this.label = label ?? throw new System.ArgumentNullException();
            if (string.IsNullOrEmpty(text)) throw new System.ArgumentException("text");
            this.text = text;
        }
        public Ready(string label, string text, string maybe) : this(label, text) { this.maybe = maybe; }
    }

    public class Busy { private object items = new object(); public Busy(int n) { N = n; } public int N { get; } }
    public class Escapes { public static Escapes Last; public int N; public Escapes(int n) { N = n; Last = this; } }
    public class Computes
    {
        private int n;
        public Computes(int n) { this.n = n + 1; }
        public Computes(long n) { this.n = (int)n; }
        public Computes(byte n) { this.n = n > 3 ? n : 3; }
    }
    public class Spins { private int n; public Spins(int n) { while (n > 3) { } this.n = n; } }
    public class Overridden
    {
        private int n;
        public virtual int N { get => n; set => n = value; }
        public Overridden(int n) { N = n; }
    }
    public class Box<T> { public T Value { get; set; } public Box(T value) { Value = value; } }
    public class IntBox : Box<int> { public IntBox(int value) : base(value) { } }
    public static class Settings
    {
        public static int Level;
        public static readonly int First = 1;
        public const int Least = 0;
        private static string title;
        public static string Title { get => title; set { title = value; } }
        public static bool Open { get; private set; }
        public static int Double { get => 2 * Level; set => Level = value / 2; }
        public static string Trimmed { get => title; set => title = value.Trim(); }
    }
}
"#;

fn metadata() -> Metadata {
    let dll = testkit::compile("Surround", &[("Shop.cs", SOURCE)], &testkit::Options::default()).unwrap();
    let toolchain = testkit::Toolchain::locate().unwrap();
    let probing = Probing::for_application(Path::new(&dll), Some(toolchain.runtime_root())).unwrap();
    let universe = Universe::new(probing);
    let assembly = universe.load(&dll).unwrap();
    Metadata::new(universe, assembly)
}

fn check(name: &str, expected: Expect) {
    expected.assert_eq(&told(&metadata().type_info(name).unwrap()));
}

fn told(info: &TypeInfo) -> String {
    let mut out = format!("{:?}{}", info.kind, if info.public { ", public" } else { "" });
    out.push_str(if info.flags { ", flags" } else { "" });
    out.push_str(if info.custom_equality { ", own equality" } else { "" });
    for constructor in &info.constructors {
        let parameters: Vec<String> = constructor
            .parameters
            .iter()
            .map(|p| format!("{} {} -> {}", p.ty, p.name, p.field.as_ref().map_or("?", |field| &field.name)))
            .collect();
        let opaque = if constructor.opaque { "opaque " } else { "" };
        out.push_str(&format!("\n{opaque}new({})", parameters.join(", ")));
        for (field, value) in &constructor.constants {
            out.push_str(&format!(" {} = {value:?}", field.name));
        }
    }
    for member in &info.members {
        let is_static = if member.is_static { "static " } else { "" };
        let read = if member.readable { "get " } else { "" };
        let write = match member.writable {
            Writable::No => "",
            Writable::Init => "init ",
            Writable::Always => "set ",
        };
        let (name, field) = (&member.name, &member.field);
        out.push_str(&format!("\n{is_static}{read}{write}{name} -> {}::{}", field.declaring, field.name));
    }
    for (name, value) in &info.enum_members {
        out.push_str(&format!("\n{name} = {value}"));
    }
    out
}

#[test]
fn structs_with_storing_constructors() {
    check(
        "Shop.Point",
        expect![[r#"
            Struct, public
            new(System.Int32 x -> X, System.Int32 y -> Y) hidden = Primitive(Int32(7))
            opaque new(System.Int32 both -> ?)
            get set X -> Shop.Point::X
            get set Y -> Shop.Point::Y
            get Hidden -> Shop.Point::hidden"#]],
    );
    check(
        "Shop.Pair",
        expect![[r#"
        Struct, public
        new(System.Int32 A -> <A>k__BackingField, System.Int32 B -> <B>k__BackingField)
        get set A -> Shop.Pair::<A>k__BackingField
        get set B -> Shop.Pair::<B>k__BackingField"#]],
    );
}

#[test]
fn classes_and_what_they_inherit() {
    check(
        "Shop.Account",
        expect![[r#"
        Class, public, own equality
        new(System.String owner -> <Owner>k__BackingField, System.Int64 cents -> cents)
        get Owner -> Shop.Account::<Owner>k__BackingField
        get set Limit -> Shop.Account::<Limit>k__BackingField
        get init Open -> Shop.Account::<Open>k__BackingField
        get Cents -> Shop.Account::cents"#]],
    );
    check(
        "Shop.Savings",
        expect![[r#"
            Class, public, own equality
            opaque new()
            get Owner -> Shop.Account::<Owner>k__BackingField
            get set Limit -> Shop.Account::<Limit>k__BackingField
            get init Open -> Shop.Account::<Open>k__BackingField
            get Cents -> Shop.Account::cents"#]],
    );
}

#[test]
fn static_members_that_stand_for_one_field() {
    check(
        "Shop.Settings",
        expect![[r#"
            StaticClass, public
            static get set Level -> Shop.Settings::Level
            static get First -> Shop.Settings::First
            static get Least -> Shop.Settings::Least
            static get set Title -> Shop.Settings::title
            static get Open -> Shop.Settings::<Open>k__BackingField
            static get Trimmed -> Shop.Settings::title"#]],
    );
}

#[test]
fn validation_constants_and_base_constructors_are_followed() {
    check(
        "Shop.Checked",
        expect![[r#"
            Class, public
            new(System.String name -> name, System.Int32 size -> <Size>k__BackingField) days = Enum { ty: "Shop.Days", value: 3 } big = Primitive(Int64(-1))
            get Size -> Shop.Checked::<Size>k__BackingField"#]],
    );
    check(
        "Shop.Derived",
        expect![[r#"
            Class, public
            new(System.String name -> name, System.Int32 size -> <Size>k__BackingField, System.Double rate -> Rate) days = Enum { ty: "Shop.Days", value: 3 } big = Primitive(Int64(-1))
            get set Rate -> Shop.Derived::Rate
            get Size -> Shop.Checked::<Size>k__BackingField"#]],
    );
    check(
        "Shop.Box`1",
        expect![[r#"
            Class, public
            new(!0 value -> <Value>k__BackingField)
            get set Value -> Shop.Box`1::<Value>k__BackingField"#]],
    );
    check(
        "Shop.IntBox",
        expect![[r#"
            Class, public
            new(System.Int32 value -> <Value>k__BackingField)
            get set Value -> Shop.Box`1::<Value>k__BackingField"#]],
    );
}

#[test]
fn constructors_accept_what_they_do_not_refuse() {
    let metadata = metadata();
    let accepts = |ty: &str, arguments: &[Value]| {
        let info = metadata.type_info(ty).unwrap();
        metadata.accepts(ty, &info.constructors[0], arguments)
    };
    let text = || Value::Object(ObjectId(1));
    assert!(accepts("Shop.Checked", &[text(), Value::int32(9)]));
    assert!(accepts("Shop.Checked", &[text(), Value::int32(0)]));
    assert!(!accepts("Shop.Checked", &[text(), Value::int32(10)]));
    assert!(!accepts("Shop.Checked", &[text(), Value::int32(-1)]));
    assert!(!accepts("Shop.Checked", &[Value::Null, Value::int32(1)]));
    assert!(accepts("Shop.Point", &[Value::int32(-7), Value::int32(i32::MAX)]));
    assert!(accepts("Shop.Guarded", &[text(), Value::int32(0)]));
    assert!(!accepts("Shop.Guarded", &[Value::Null, Value::int32(0)]));
}

#[test]
fn constructors_that_do_more_than_store_must_be_tried() {
    let metadata = metadata();
    for name in ["Busy", "Escapes", "Computes", "Spins", "Overridden"] {
        let info = metadata.type_info(&format!("Shop.{name}")).unwrap();
        assert!(info.constructors.iter().all(|constructor| constructor.opaque), "{name}");
    }
}

#[test]
fn readonly_fields_that_are_never_null() {
    let metadata = metadata();
    let names = |ty: &str| -> Vec<String> {
        metadata.type_info(ty).unwrap().never_null.into_iter().map(|field| field.name).collect()
    };
    assert_eq!(names("Shop.Checked"), ["name"]);
    assert_eq!(names("Shop.Derived"), ["name"]);
    assert_eq!(names("Shop.Ready"), ["items", "label", "text"]);
    assert_eq!(names("Shop.Guarded"), [""; 0], "the field is not readonly");
    assert_eq!(names("Shop.Account"), [""; 0], "null is accepted");
}

#[test]
fn enums_and_what_is_not_public() {
    check(
        "Shop.Days",
        expect![[r#"
            Enum, public, flags
            None = 0
            First = 1
            Second = 2
            Both = 3"#]],
    );
    check(
        "Shop.Inside+Nested",
        expect![[r#"
        Class
        new()"#]],
    );
    check(
        "System.DayOfWeek",
        expect![[r#"
            Enum, public
            Sunday = 0
            Monday = 1
            Tuesday = 2
            Wednesday = 3
            Thursday = 4
            Friday = 5
            Saturday = 6"#]],
    );
    assert_eq!(metadata().type_info("Shop.Helpers").unwrap().kind, TypeKind::StaticClass);
    assert!(metadata().type_info("Shop.Nothing").is_none());
}

#[test]
fn methods() {
    let metadata = metadata();
    let kind = |ty: &str, name: &str| {
        let t = metadata.find(ty).unwrap();
        let m = metadata.universe.methods_named(t, name).unwrap()[0];
        let method = MethodRef {
            id: String::new(),
            ty: ty.to_owned(),
            name: name.to_owned(),
            token: metadata.universe.method(m).token().unwrap().raw(),
            is_static: false,
            generic_arguments: vec![],
            parameters: vec![],
            returns: String::new(),
        };
        metadata.method_info(&method).unwrap()
    };
    let property = |name: &str| name.to_owned();
    let getter = kind("Shop.Account", "get_Limit").kind;
    assert_eq!(getter, MethodKind::Getter { property: property("Limit"), indexer: false });
    let init = kind("Shop.Account", "set_Open").kind;
    assert_eq!(init, MethodKind::Setter { property: property("Open"), indexer: false, init: true });
    let item = kind("Shop.Account", "get_Item").kind;
    assert_eq!(item, MethodKind::Getter { property: property("Item"), indexer: true });
    assert_eq!(kind("Shop.Account", "op_Addition").kind, MethodKind::Operator);
    assert!(kind("Shop.Helpers", "Twice").overloaded);
    assert!(!kind("Shop.Account", "set_Cents").public);
}

#[test]
fn names_of_assemblies_and_namespaces() {
    let metadata = metadata();
    assert_eq!(metadata.assembly_of("Shop.Point").as_deref(), Some("Surround"));
    assert_eq!(metadata.assembly_of("System.Int32").as_deref(), Some("System.Private.CoreLib"));
    assert!(
        metadata.is_namespace("Shop")
            && metadata.is_namespace("System")
            && metadata.is_namespace("System.Collections")
    );
    assert!(!metadata.is_namespace("Shop.Point"));
}
