//! Random C# programs over small domains: many static methods, each with distinguishable ends.

mod body;
mod buffers;
mod expression;
mod helpers;
mod loops;
mod prelude;
mod recursion;
mod statement;
mod types;

use body::Body;
pub use buffers::buffer_program;
pub use loops::loop_program;
pub use prelude::FIRST_EXCEPTION;
pub use random::Random;
pub use recursion::recursive_program;

/// A program and the methods in it that can be tried on all inputs.
pub struct Program {
    pub source: String,
    pub methods: Vec<Method>,
}

/// A static method of class `Methods_` that returns a `long`.
#[derive(Clone, Debug)]
pub struct Method {
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// Returned numbers are leaves' own, so that the set of outcomes is small.
    pub plain: bool,
    pub text: String,
}

#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub kind: ParameterKind,
    pub by_ref: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    SByte,
    Byte,
    Bool,
    Colour,
    Sign,
    /// A struct of two bytes.
    P,
    /// A struct of a signed byte and a boolean.
    Q,
    Short,
    Char,
    Int,
    UInt,
    Long,
    ULong,
    /// A struct of a long and a short.
    W,
}

#[derive(Clone, Copy, Debug)]
pub enum Scalar {
    Bool,
    /// A number of this type with so many bits.
    Integer(&'static str, u32),
}

impl Scalar {
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Integer(_, bits) => bits,
        }
    }
}

impl Parameter {
    pub fn type_name(self) -> &'static str {
        match self.kind {
            ParameterKind::SByte => "sbyte",
            ParameterKind::Byte => "byte",
            ParameterKind::Bool => "bool",
            ParameterKind::Colour => "Colour",
            ParameterKind::Sign => "Sign",
            ParameterKind::P => "P",
            ParameterKind::Q => "Q",
            ParameterKind::Short => "short",
            ParameterKind::Char => "char",
            ParameterKind::Int => "int",
            ParameterKind::UInt => "uint",
            ParameterKind::Long => "long",
            ParameterKind::ULong => "ulong",
            ParameterKind::W => "W",
        }
    }

    /// What an input consists of, in the order in which the machine makes its symbols.
    pub fn scalars(self) -> Vec<Scalar> {
        match self.kind {
            ParameterKind::Bool => vec![Scalar::Bool],
            ParameterKind::P => vec![Scalar::Integer("byte", 8); 2],
            ParameterKind::Q => vec![Scalar::Integer("sbyte", 8), Scalar::Bool],
            ParameterKind::W => vec![Scalar::Integer("long", 64), Scalar::Integer("short", 16)],
            ParameterKind::Short | ParameterKind::Char => vec![Scalar::Integer(self.type_name(), 16)],
            ParameterKind::Int | ParameterKind::UInt => vec![Scalar::Integer(self.type_name(), 32)],
            ParameterKind::Long | ParameterKind::ULong => vec![Scalar::Integer(self.type_name(), 64)],
            _ => vec![Scalar::Integer(self.type_name(), 8)],
        }
    }

    pub fn bits(self) -> u32 {
        self.scalars().iter().map(|scalar| scalar.bits()).sum()
    }
}

impl Method {
    pub fn scalars(&self) -> Vec<Scalar> {
        self.parameters.iter().flat_map(|parameter| parameter.scalars()).collect()
    }

    pub fn bits(&self) -> u32 {
        self.parameters.iter().map(|parameter| parameter.bits()).sum()
    }

    /// The bits of the scalars of the input of this number: its digits, the first scalar's highest.
    pub fn input(&self, number: usize) -> Vec<u64> {
        let mut rest = number as u64;
        let mut input = Vec::new();
        for scalar in self.scalars().iter().rev() {
            input.push(rest & ((1 << scalar.bits()) - 1));
            rest >>= scalar.bits();
        }
        input.reverse();
        input
    }

    /// The number of an input.
    pub fn number(&self, input: &[u64]) -> usize {
        let digits = self.scalars().into_iter().zip(input);
        digits.fold(0, |number, (scalar, bits)| number << scalar.bits() | *bits as usize)
    }
}

/// How large the domains of parameters are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// All inputs can be tried.
    Small,
    /// Numbers of all widths.
    Wide,
}

/// A program whose methods are the fixed functions.
pub fn fixed_program() -> Program {
    let methods: Vec<Method> =
        expression::FIXED_CALLS.iter().enumerate().map(|(i, call)| fixed(i, call)).collect();
    assemble(&[], methods)
}

fn fixed(number: usize, call: &str) -> Method {
    let name = format!("M{number}");
    let text = format!("    public static long {name}(sbyte p0, byte p1) => {call}(p0, p1);\n");
    let parameters = [ParameterKind::SByte, ParameterKind::Byte];
    let parameters = parameters.map(|kind| Parameter { kind, by_ref: false }).to_vec();
    Method { name, parameters, plain: false, text }
}

/// The program of a seed.
pub fn program(seed: u64, count: usize, domain: Domain) -> Program {
    let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ domain as u64);
    let helpers = helpers::make(&mut random);
    let methods: Vec<Method> =
        (0..count).map(|number| method(&mut random, &helpers, number, domain)).collect();
    assemble(&helpers, methods)
}

fn assemble(helpers: &[helpers::Helper], methods: Vec<Method>) -> Program {
    let mut source = String::from("using System;\n#pragma warning disable\n");
    source.push_str(prelude::FIXED);
    source.push_str("\npublic static partial class Helpers_\n{\n");
    for helper in helpers {
        source.push_str(&helper.text);
    }
    source.push_str("}\n\npublic static class Methods_\n{\n");
    for method in &methods {
        source.push_str(&method.text);
    }
    source.push_str("}\n");
    source.push_str(&prelude::main_program(&methods));
    Program { source, methods }
}

fn method(random: &mut Random, helpers: &[helpers::Helper], number: usize, domain: Domain) -> Method {
    let parameters = match domain {
        Domain::Small => parameters(random),
        Domain::Wide => wide_parameters(random),
    };
    let plain = random.percent(70);
    let size = 4 + random.below(10);
    let declared: Vec<String> = parameters
        .iter()
        .enumerate()
        .map(|(i, p)| format!("{}{} p{i}", if p.by_ref { "ref " } else { "" }, p.type_name()))
        .collect();
    let name = format!("M{number}");
    let mut body = Body::new(random, helpers, body::Ends::Leaves { plain });
    for (i, parameter) in parameters.iter().enumerate() {
        body.add_parameter(&format!("p{i}"), parameter.kind);
    }
    let statements = body.whole(size);
    let text =
        format!("    public static long {name}({})\n    {{\n{statements}    }}\n", declared.join(", "));
    Method { name, parameters, plain, text }
}

/// Parameters with 2^14 to 2^17 combinations of values.
fn parameters(random: &mut Random) -> Vec<Parameter> {
    use ParameterKind::{Bool, Byte, Colour, P, Q, SByte, Sign};
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut bits = 0;
    let mut by_ref = random.percent(15);
    while bits < 14 {
        let kind = random.pick(&[SByte, SByte, SByte, Byte, Byte, Byte, Bool, Colour, Sign, P, Q]);
        let parameter = Parameter { kind, by_ref };
        if bits + parameter.bits() <= 17 {
            bits += parameter.bits();
            parameters.push(parameter);
            by_ref = false;
        }
    }
    parameters
}

fn wide_parameters(random: &mut Random) -> Vec<Parameter> {
    use ParameterKind::{Bool, Byte, Char, Int, Long, Short, UInt, ULong, W};
    let kinds = [Int, Int, Int, UInt, Long, Long, ULong, Short, Char, W, Bool, Byte];
    let count = 2 + random.below(2);
    (0..count).map(|_| Parameter { kind: random.pick(&kinds), by_ref: false }).collect()
}
