//! The types a program declares.

use super::Generator;
use super::scope::{Scope, Ty};
use super::simple::Simple;
use crate::tree::{Kind, Node};

#[derive(Clone, Debug)]
pub struct Struct {
    pub fields: Vec<(String, Ty)>,
}

/// The class hierarchy: `Base`, `Near : Base`, `Far : Base`, `Last : Far`.
#[derive(Clone, Debug)]
pub struct Class {
    pub first: Simple,
    pub second: Simple,
}

const PAIR: &str = "struct Pair<T>
{
    public T Left, Right;
    public Pair(T left, T right) { Left = left; Right = right; }
    public readonly Pair<T> Turn() => new Pair<T>(Right, Left);
    public T First() { T old = Left; Left = Right; return old; }
    public readonly Pair<U> Map<U>(Func<T, U> f) => new Pair<U>(f(Left), f(Right));
}
";

const OVERLAY: &str = "[StructLayout(LayoutKind.Explicit)]
struct Overlay
{
    [FieldOffset(0)] public long Whole;
    [FieldOffset(0)] public uint Low;
    [FieldOffset(4)] public int High;
    [FieldOffset(3)] public ushort Middle;
    [FieldOffset(2)] public byte Third;
    [FieldOffset(7)] public sbyte Odd;
    [FieldOffset(0)] public double Real;
}
";

impl Generator {
    pub fn type_members(&mut self) -> Vec<Node> {
        let mut members = vec![self.enumeration(), Node::member(PAIR, vec![]), Node::member(OVERLAY, vec![])];
        for index in 0..1 + self.r.below(3) {
            let node = self.structure(index);
            members.push(node);
        }
        members.push(self.statics());
        members.extend(self.classes());
        members
    }

    fn enumeration(&mut self) -> Node {
        let under = self.r.pick(&["byte", "sbyte", "short", "ushort", "int", "uint", "long", "ulong"]);
        let flags = if self.r.percent(50) { "[Flags] " } else { "" };
        let most = 2 + self.r.below(100);
        let text = format!("{flags}enum Mode : {under} {{ None, Some = 1, Most = {most} }}\n");
        Node::member(&text, vec![])
    }

    fn structure(&mut self, index: usize) -> Node {
        let mut fields = Vec::new();
        for number in 0..1 + self.r.below(4) {
            let nested = index > 0 && self.r.percent(25);
            let ty =
                if nested { Ty::Struct(self.r.below(index)) } else { Ty::Simple(Simple::any(&mut self.r)) };
            fields.push((format!("F{number}"), ty));
        }
        let name = format!("S{index}");
        let attribute = self.r.pick(&["", "", "[StructLayout(LayoutKind.Sequential, Pack = 1)] ", "record "]);
        let mut text = if attribute == "record " {
            format!("record struct {name}\n{{\n")
        } else {
            format!("{attribute}struct {name} : IEquatable<{name}>\n{{\n")
        };
        for (field, ty) in &fields {
            text.push_str(&format!("public {} {field};\n", ty.name()));
        }
        let parameters: Vec<String> =
            fields.iter().map(|(field, ty)| format!("{} p{field}", ty.name())).collect();
        let sets: String = fields.iter().map(|(field, _)| format!("{field} = p{field}; ")).collect();
        text.push_str(&format!("public {name}({}) {{ {sets}}}\n", parameters.join(", ")));
        let sums: Vec<String> = fields.iter().map(|(field, ty)| sum(field, *ty)).collect();
        text.push_str(&format!(
            "public static {name} operator +({name} a, {name} b) => new {name}({});\n",
            sums.join(", ")
        ));
        text.push_str("public void Mix()\n{\n");
        for (field, ty) in &fields {
            text.push_str(&match ty {
                Ty::Struct(_) => format!("{field}.Mix();\n"),
                _ => format!("F.Add({field});\n"),
            });
        }
        text.push_str("}\n");
        if attribute != "record " {
            let equal: Vec<String> =
                fields.iter().map(|(field, _)| format!("{field}.Equals(other.{field})")).collect();
            let equal = equal.join(" && ");
            if self.r.percent(50) {
                text.push_str(&format!(
                    "public bool Equals({name} other) => {};\n",
                    guarded(&equal, &fields)
                ));
            } else {
                text.push_str(&format!("public bool Equals({name} other) => base.Equals(other);\n"));
            }
        }
        text.push_str("}\n");
        self.structs.push(Struct { fields });
        Node::member(&text, vec![])
    }

    /// A class whose static constructor runs at a moment the language fixes.
    fn statics(&mut self) -> Node {
        let scope = Scope { nesting: 1, ..Scope::default() };
        let (a, b) = (Simple::any(&mut self.r), Simple::any(&mut self.r));
        let first = self.opaque(a, &scope, 2);
        let second = self.opaque(b, &scope, 2);
        let fails = if self.r.percent(10) { "if (F.Id(true)) throw new Trouble(3, \"no\");" } else { "" };
        let (a, b) = (a.name(), b.name());
        let text = format!(
            "static class Shared\n{{\npublic static {a} A;\npublic static {b} B;\npublic static int Count;\n[ThreadStatic] public static int Own;\nstatic Shared()\n{{\nF.Out(9000);\nA = #;\n{fails}\nB = #;\nCount++;\n}}\n[MethodImpl(MethodImplOptions.NoInlining)] public static int Touch() => ++Count + Own++;\n[MethodImpl(MethodImplOptions.NoInlining)] public static void Spend() {{ Own -= 2; Count += 3; }}\n[MethodImpl(MethodImplOptions.NoInlining)] public static void Mix() {{ F.Add(A); F.Add(B); }}\n}}\n"
        );
        Node::new(Kind::Member, &text, vec![first, second])
    }

    fn classes(&mut self) -> Vec<Node> {
        let class = Class { first: Simple::any(&mut self.r), second: Simple::any(&mut self.r) };
        let (first, second) = (class.first.name(), class.second.name());
        let mut members = vec![Node::member(
            &format!(
                "interface IShape\n{{\nint Kind {{ get; }}\n{first} Turn({first} x);\nint Size(int k) => unchecked(k * 2 + Kind);\n}}\n"
            ),
            vec![],
        )];
        let mut scope = Scope { nesting: 2, ..Scope::default() };
        scope.add("First", Ty::Simple(class.first));
        scope.add("Second", Ty::Simple(class.second));
        let mut body_scope = scope.clone();
        body_scope.add("x", Ty::Simple(class.first));
        let same = self.expr(class.first, &body_scope, 2);
        members.push(Node::new(
            Kind::Member,
            &format!(
                "abstract class Base : IShape\n{{\npublic {first} First;\npublic {second} Second;\nprotected Base({first} first, {second} second) {{ First = first; Second = second; }}\npublic abstract int Kind {{ get; }}\npublic abstract {first} Turn({first} x);\npublic virtual {first} Twice({first} x) => F.Go() ? Turn(Turn(x)) : x;\npublic {first} Same({first} x) => #;\npublic virtual string Describe<T>(T x) => typeof(T).Name + Kind;\npublic virtual void Mix() {{ F.Add(First); F.Add(Second); F.Add(Kind); }}\n}}\n"
            ),
            vec![same],
        ));
        for (name, base, sealed, kind) in
            [("Near", "Base", "sealed ", 1), ("Far", "Base", "", 2), ("Last", "Far", "", 3)]
        {
            let turn = self.expr(class.first, &body_scope, 2);
            let mut text = format!(
                "{sealed}class {name} : {base}\n{{\npublic {name}({first} first, {second} second) : base(first, second) {{ }}\npublic override int Kind => {kind};\npublic override {first} Turn({first} x) => #;\n"
            );
            let mut children = vec![turn];
            if self.r.percent(40) {
                let describe = self.expr(Simple::Text, &scope, 1);
                text.push_str(
                    "public override string Describe<T>(T x) => base.Describe(x) + typeof(T[]).Name + #;\n",
                );
                children.push(describe);
            }
            if self.r.percent(30) {
                text.push_str("public override void Mix() { F.Add(Kind * 3); base.Mix(); }\n");
            }
            if name == "Last" && self.r.percent(50) {
                text.push_str("public new int Size(int k) => k;\n");
            }
            text.push_str("}\n");
            members.push(Node::new(Kind::Member, &text, children));
        }
        self.class = Some(class);
        members
    }
}

fn sum(field: &str, ty: Ty) -> String {
    match ty {
        Ty::Simple(Simple::Bool) => format!("a.{field} ^ b.{field}"),
        Ty::Simple(ty) => format!("({})(a.{field} + b.{field})", ty.name()),
        _ => format!("a.{field} + b.{field}"),
    }
}

/// Texts may be null.
fn guarded(equal: &str, fields: &[(String, Ty)]) -> String {
    let texts: Vec<&String> =
        fields.iter().filter(|(_, ty)| *ty == Ty::Simple(Simple::Text)).map(|(field, _)| field).collect();
    let mut text = equal.to_owned();
    for field in texts {
        text = text.replace(&format!("{field}.Equals(other.{field})"), &format!("{field} == other.{field}"));
    }
    text
}
