//! Methods that the methods under test call: by value, by reference, recursive.

use super::Random;
use super::body::{Body, Ends};
use super::types::Ty;

pub struct Helper {
    name: String,
    pub parameters: Vec<Ty>,
    pub kind: Kind,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Value,
    /// Calls itself as often as its first argument says, at most seven times.
    Recursive,
    /// The first parameter is by reference; returns nothing.
    Ref,
    /// The last parameter is an output; returns whether all is well.
    Out,
}

impl Helper {
    pub fn is_function(&self) -> bool {
        matches!(self.kind, Kind::Value | Kind::Recursive)
    }

    pub fn call(&self, arguments: &[String]) -> String {
        let mut arguments = arguments.to_vec();
        if self.kind == Kind::Recursive
            && let Some(first) = arguments.first_mut()
        {
            *first = format!("({first} & 3)");
        }
        format!("Helpers_.{}({})", self.name, arguments.join(", "))
    }
}

pub fn make(random: &mut Random) -> Vec<Helper> {
    let kinds = [
        Kind::Value,
        Kind::Value,
        Kind::Value,
        Kind::Recursive,
        Kind::Recursive,
        Kind::Ref,
        Kind::Ref,
        Kind::Ref,
        Kind::Out,
        Kind::Out,
    ];
    let mut helpers: Vec<Helper> = Vec::new();
    for (number, kind) in kinds.into_iter().enumerate() {
        let helper = one(random, &helpers, kind, number);
        helpers.push(helper);
    }
    helpers
}

fn one(random: &mut Random, earlier: &[Helper], kind: Kind, number: usize) -> Helper {
    let name = format!("H{number}");
    let mut parameters: Vec<Ty> = (0..2).map(|_| random.pick(&Ty::INTEGERS)).collect();
    if kind == Kind::Recursive {
        parameters[0] = Ty::I4;
    }
    let result = match kind {
        Kind::Value | Kind::Recursive => random.pick(&Ty::WIDE).name(),
        Kind::Ref => "void",
        Kind::Out => "bool",
    };
    let ends = match kind {
        Kind::Ref => Ends::Value(None),
        Kind::Out => Ends::Value(Some(Ty::Bool)),
        _ => Ends::Value(Ty::WIDE.into_iter().find(|ty| ty.name() == result)),
    };
    let declared: Vec<String> = parameters
        .iter()
        .enumerate()
        .map(|(i, ty)| {
            let mode = match (kind, i) {
                (Kind::Ref, 0) => "ref ",
                (Kind::Out, 1) => "out ",
                _ => "",
            };
            format!("{mode}{} a{i}", ty.name())
        })
        .collect();
    let calls = if random.percent(30) { earlier } else { &[] };
    let mut body = Body::new(random, calls, ends);
    body.add_variable("a0", parameters[0], kind != Kind::Recursive);
    if kind != Kind::Out {
        body.add_variable("a1", parameters[1], true);
    }
    let mut text = format!("    public static {result} {name}({})\n    {{\n", declared.join(", "));
    if kind == Kind::Out {
        let value = body.expression(parameters[1], 2).text;
        text.push_str(&format!("        a1 = {value};\n"));
        body.add_variable("a1", parameters[1], true);
    }
    if kind == Kind::Recursive {
        let argument = body.expression(parameters[1], 2).text;
        text.push_str(&format!(
            "        if (a0 > 0) {{ var deeper = {name}(a0 - 1, {argument}); a1 = unchecked(({})(a1 + ({})deeper)); }}\n",
            parameters[1].name(),
            parameters[1].name()
        ));
    }
    let size = 1 + body.random.below(3);
    text.push_str(&body.whole(size));
    text.push_str("    }\n");
    Helper { name, parameters, kind, text }
}
