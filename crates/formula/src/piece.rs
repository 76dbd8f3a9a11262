//! A piece of text with what C# makes of it: how tightly it binds, its static type, and how the number relates to the bits.

use std::rc::Rc;

use crate::kinds::Enumeration;

/// Text of an expression.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub text: String,
    pub level: Level,
    pub ty: Type,
    pub sign: Sign,
}

/// How tightly an expression binds, the loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Conditional,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Primary,
}

/// The static type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Bool,
    Char,
    Int(Int),
    /// A number that is written down, whose type follows from where it stands.
    Literal(i128),
    Single,
    Double,
    Enum(Rc<Enumeration>),
    Reference,
    /// Of something that is not written.
    Elided,
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Int {
    pub bits: u32,
    pub signed: bool,
}

/// Which reading of a term's bits is the number that the text stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Signed,
    Unsigned,
    /// Both readings are the same number.
    Both,
}

impl Int {
    pub const I32: Int = Int { bits: 32, signed: true };
    pub const U32: Int = Int { bits: 32, signed: false };

    pub fn name(self) -> &'static str {
        match (self.bits, self.signed) {
            (8, true) => "sbyte",
            (8, false) => "byte",
            (16, true) => "short",
            (16, false) => "ushort",
            (32, true) => "int",
            (32, false) => "uint",
            (64, true) => "long",
            (64, false) => "ulong",
            (_, true) => "Int128",
            (_, false) => "UInt128",
        }
    }

    /// The smallest type that arithmetic on so many bits is done in.
    pub fn computing(width: u32, signed: bool) -> Int {
        let bits = match width {
            0..=32 => 32,
            33..=64 => 64,
            _ => 128,
        };
        Int { bits, signed }
    }

    /// Whether C# converts it by itself, keeping the value.
    fn becomes(self, to: Int) -> bool {
        self == to || self.bits < to.bits && (to.signed || !self.signed)
    }

    fn holds(self, value: i128) -> bool {
        match self.signed {
            true => {
                self.bits == 128 || (-(1i128 << (self.bits - 1))..1i128 << (self.bits - 1)).contains(&value)
            }
            false => value >= 0 && (self.bits >= 127 || value < 1i128 << self.bits),
        }
    }
}

impl Sign {
    pub fn fits(self, signed: bool) -> bool {
        match self {
            Sign::Both => true,
            Sign::Signed => signed,
            Sign::Unsigned => !signed,
        }
    }

    pub fn of(signed: bool) -> Sign {
        if signed { Sign::Signed } else { Sign::Unsigned }
    }
}

impl Type {
    /// The integer type that arithmetic sees; `None` for what is no number.
    fn integer(&self) -> Option<Int> {
        match self {
            Type::Int(int) => Some(*int),
            Type::Char => Some(Int { bits: 16, signed: false }),
            Type::Literal(value) => Some(literal_type(*value)),
            _ => None,
        }
    }

    fn becomes(&self, to: Int) -> bool {
        match self {
            Type::Elided => true,
            Type::Literal(value) => to.holds(*value),
            other => other.integer().is_some_and(|int| int.becomes(to)),
        }
    }
}

/// The type that a literal has by itself.
fn literal_type(value: i128) -> Int {
    let types = [(32, true), (32, false), (64, true), (64, false)].map(|(bits, signed)| Int { bits, signed });
    types.into_iter().find(|int| int.holds(value)).unwrap_or(Int { bits: 128, signed: true })
}

/// The type in which C# computes with two operands; `None` if it refuses.
pub(crate) fn promoted(a: &Type, b: &Type) -> Option<Int> {
    if *a == Type::Elided || *b == Type::Elided {
        return match (a.integer(), b.integer()) {
            (Some(int), _) | (_, Some(int)) => Some(Int::computing(int.bits, int.signed || int.bits < 32)),
            (None, None) => Some(Int::I32),
        };
    }
    let (x, y) = (a.integer()?, b.integer()?);
    if x.bits == 128 || y.bits == 128 {
        return (x == y).then_some(x);
    }
    // A constant takes the other operand's type where it can.
    for (literal, other) in [(a, y), (b, x)] {
        let wide = Int::computing(other.bits, other.signed || other.bits < 32);
        if matches!(literal, Type::Literal(_)) && literal.becomes(wide) {
            return Some(wide);
        }
    }
    let u64 = Int { bits: 64, signed: false };
    if x == u64 || y == u64 {
        return (!x.signed && !y.signed).then_some(u64);
    }
    if x.bits == 64 || y.bits == 64 {
        return Some(Int { bits: 64, signed: true });
    }
    match (x == Int::U32, y == Int::U32) {
        (false, false) => Some(Int::I32),
        (true, true) => Some(Int::U32),
        (one, _) => {
            let other = if one { y } else { x };
            Some(if other.signed { Int { bits: 64, signed: true } } else { Int::U32 })
        }
    }
}

impl Piece {
    pub fn new(text: String, level: Level, ty: Type, sign: Sign) -> Piece {
        Piece { text, level, ty, sign }
    }

    pub fn elided() -> Piece {
        Piece::new("…".to_owned(), Level::Primary, Type::Elided, Sign::Both)
    }

    /// A condition.
    pub fn truth(text: String, level: Level) -> Piece {
        Piece::new(text, level, Type::Bool, Sign::Both)
    }

    pub fn int(text: String, level: Level, int: Int, sign: Sign) -> Piece {
        Piece::new(text, level, Type::Int(int), sign)
    }

    /// In parentheses if it binds less tightly than its surroundings want.
    pub fn at(&self, level: Level) -> String {
        if self.level < level { format!("({})", self.text) } else { self.text.clone() }
    }

    pub fn cast(&self, to: Int, sign: Sign) -> Piece {
        if self.ty == Type::Elided {
            return self.clone();
        }
        // `(int)-x` is read as a subtraction by C#.
        let operand =
            if self.text.starts_with('-') { format!("({})", self.text) } else { self.at(Level::Unary) };
        Piece::int(format!("({}){operand}", to.name()), Level::Unary, to, sign)
    }

    /// The same number for arithmetic in a type, cast if C# would not do it by itself.
    pub fn for_type(self, to: Int) -> Piece {
        if self.ty.becomes(to) {
            self
        } else {
            let sign = self.sign;
            self.cast(to, sign)
        }
    }
}

/// Two operands of an operation in a type: with casts where C# would compute in another one.
pub(crate) fn operands(a: Piece, b: Piece, ty: Int) -> (Piece, Piece) {
    let (a, b) = (a.for_type(ty), b.for_type(ty));
    if promoted(&a.ty, &b.ty) == Some(ty) || a.ty == Type::Elided || b.ty == Type::Elided {
        return (a, b);
    }
    let (first, second) = (a.sign, b.sign);
    if ty.bits == 128 {
        return (a.cast(ty, first), b.cast(ty, second));
    }
    if matches!(a.ty, Type::Literal(_)) { (a, b.cast(ty, second)) } else { (a.cast(ty, first), b) }
}

/// Of exactly this type as far as operators can tell.
pub(crate) fn of_type(piece: Piece, ty: Int) -> Piece {
    let own = match piece.ty {
        Type::Elided => return piece,
        Type::Int(int) => Int::computing(int.bits, int.signed || int.bits < 32),
        Type::Char => Int::I32,
        Type::Literal(value) => literal_type(value),
        _ => Int::computing(ty.bits, !ty.signed),
    };
    let sign = piece.sign;
    if own == ty { piece } else { piece.cast(ty, sign) }
}

/// Whether both can stand behind one `?`: C# converts one to the type of the other.
pub(crate) fn meet(a: &Type, b: &Type) -> bool {
    let into = |from: &Type, to: &Type| match to {
        Type::Elided => true,
        Type::Int(int) => from.becomes(*int),
        Type::Literal(_) => to.integer().is_some_and(|int| from.becomes(int)),
        _ => false,
    };
    a == b || into(a, b) || into(b, a)
}
