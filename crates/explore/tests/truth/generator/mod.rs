//! Random C# programs over small domains: many static methods, each with distinguishable ends.

mod body;
mod expression;
mod helpers;
mod prelude;
mod random;
mod statement;
mod types;

use body::Body;
pub use random::Random;

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
}

#[derive(Clone, Copy, Debug)]
pub enum Scalar {
    Bool,
    /// Eight bits, of this type.
    Integer(&'static str),
}

impl Scalar {
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Integer(_) => 8,
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
        }
    }

    /// What an input consists of, in the order in which the machine makes its symbols.
    pub fn scalars(self) -> Vec<Scalar> {
        match self.kind {
            ParameterKind::Bool => vec![Scalar::Bool],
            ParameterKind::P => vec![Scalar::Integer("byte"); 2],
            ParameterKind::Q => vec![Scalar::Integer("sbyte"), Scalar::Bool],
            _ => vec![Scalar::Integer(self.type_name())],
        }
    }

    pub fn bits(self) -> u32 {
        self.scalars().iter().map(|scalar| scalar.bits()).sum()
    }
}

impl Method {
    pub fn bits(&self) -> u32 {
        self.parameters.iter().map(|parameter| parameter.bits()).sum()
    }
}

/// The program of a seed.
pub fn program(seed: u64, count: usize) -> Program {
    let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let helpers = helpers::make(&mut random);
    let methods: Vec<Method> = (0..count).map(|number| method(&mut random, &helpers, number)).collect();
    let mut source = String::from("using System;\n#pragma warning disable\n");
    source.push_str(prelude::TYPES);
    source.push_str("\npublic static class Helpers_\n{\n");
    source.push_str(helpers::FIXED);
    for helper in &helpers {
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

fn method(random: &mut Random, helpers: &[helpers::Helper], number: usize) -> Method {
    let parameters = parameters(random);
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
