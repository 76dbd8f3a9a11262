//! Random loops over two bytes: counters, sums, flags, arrays, jumps out of the middle, exceptions, loops inside of loops.
//! What follows a loop asks for relations that may hold after it, so that many branches are dead and many nearly so.

use super::{Method, Parameter, ParameterKind, Program, Random, assemble};

/// A program of a seed whose methods loop.
pub fn loop_program(seed: u64, count: usize) -> Program {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let methods = (0..count).map(|number| method(&mut random, number)).collect();
    assemble(&[], methods)
}

fn method(random: &mut Random, number: usize) -> Method {
    let name = format!("M{number}");
    let parameters = [ParameterKind::Byte, ParameterKind::Byte];
    let parameters = parameters.map(|kind| Parameter { kind, by_ref: false }).to_vec();
    let mut loops = Loops { random, leaves: 0, names: 0, counters: Vec::new(), depth: 0 };
    let body = loops.body();
    let text = format!("    public static long {name}(byte p0, byte p1)\n    {{\n{body}    }}\n");
    Method { name, parameters, plain: true, text }
}

struct Loops<'a> {
    random: &'a mut Random,
    leaves: usize,
    names: usize,
    /// Counters of the loops around.
    counters: Vec<String>,
    depth: usize,
}

impl Loops<'_> {
    fn body(&mut self) -> String {
        let mut text = String::new();
        for name in ["a", "b", "c"] {
            let first = self.random.pick(&["0", "0", "1", "p0", "p1", "10", "-1", "p0 - p1", "p0 & 3"]);
            text.push_str(&format!("int {name} = {first};\n"));
        }
        text.push_str("bool f = false;\n");
        let array = self.random.pick(&[
            "int[] t = new int[4];",
            "int[] t = { 1, 2, 3 };",
            "int[] t = new int[p1];",
            "byte[] t = new byte[p0 & 7];",
            "int[] t = { p0, p1, 5, 7 };",
        ]);
        text.push_str(array);
        text.push('\n');
        if self.random.percent(30) {
            text.push_str(&format!("if ({}) {}", self.condition(), self.leaf()));
        }
        for _ in 0..1 + self.random.below(2) {
            text.push_str(&self.a_loop());
            for _ in 0..1 + self.random.below(2) {
                text.push_str(&format!("if ({}) {}", self.relation(), self.leaf()));
            }
        }
        text.push_str(&self.leaf());
        text
    }

    fn leaf(&mut self) -> String {
        self.leaves += 1;
        match self.random.percent(30) {
            true => format!("throw new {}();\n", self.random.pick(&["X0", "X1", "X2", "X3", "X4", "X5"])),
            false => format!("return {};\n", 1000 + self.leaves),
        }
    }

    fn a_loop(&mut self) -> String {
        self.names += 1;
        let i = format!("i{}", self.names);
        let inner = self.depth > 0;
        let bound = match inner {
            true => self.random.pick(&["4", "(p0 & 7)", "t.Length", "3"]),
            false => {
                self.random.pick(&["p0", "p1", "(p0 & 31)", "t.Length", "p0 + p1", "50", "(b & 63)", "300"])
            }
        };
        let step = self.random.pick(&["++", "++", "++", " += 2", " += 3"]);
        let first = self.random.pick(&["0", "0", "0", "1", "p1 & 3", "-2"]);
        self.depth += 1;
        let form = self.random.below(6);
        if form < 4 {
            self.counters.push(i.clone());
        }
        let count = 1 + self.random.below(if inner { 2 } else { 4 });
        let mut body: String = (0..count).map(|_| self.statement()).collect();
        self.depth -= 1;
        if form < 4 {
            self.counters.pop();
        }
        match form {
            0..=2 => format!("for (int {i} = {first}; {i} < {bound}; {i}{step})\n{{\n{body}}}\n"),
            3 => format!("for (int {i} = {bound}; {i} > 0; {i}--)\n{{\n{body}}}\n"),
            4 => {
                let condition = self.condition();
                format!("int {i} = 0;\nwhile ({i}++ < 200 && {condition})\n{{\n{body}}}\n")
            }
            _ => {
                let condition = self.condition();
                body.push_str(&format!("if ({i}++ > 100) break;\n"));
                format!("int {i} = 0;\ndo\n{{\n{body}}}\nwhile ({condition});\n")
            }
        }
    }

    fn statement(&mut self) -> String {
        let v = self.variable();
        match self.random.below(if self.depth > 1 { 13 } else { 15 }) {
            0 | 1 => format!("{v}++;\n"),
            2 => format!("{v} += {};\n", self.random.pick(&["2", "3", "p0", "-1", "p1 & 3"])),
            3 => format!("{v} = {};\n", self.expression()),
            4 | 5 => format!("if ({}) {v} = {};\n", self.condition(), self.expression()),
            6 => format!("if ({}) {{ {v}++; }} else {{ {v} = {}; }}\n", self.condition(), self.expression()),
            7 => format!("f = {};\n", self.condition()),
            8 => format!("t[{}] = unchecked(({})({}));\n", self.index(), "byte", self.expression()),
            9 => format!("{v} = t[{}];\n", self.index()),
            10 => format!("if ({}) {}", self.condition(), self.leaf()),
            11 => format!("if ({}) {};\n", self.condition(), self.random.pick(&["break", "continue"])),
            12 => format!(
                "{v} = checked({v} {} {});\n",
                self.random.pick(&["+", "-", "*"]),
                self.random.pick(&["2", "p0", "c", "1"])
            ),
            13 => format!(
                "try {{ {v} = checked((byte)({v} + 1)); }} catch (OverflowException) {{ {} = 0; }}\n",
                self.variable()
            ),
            _ => self.a_loop(),
        }
    }

    fn variable(&mut self) -> &'static str {
        self.random.pick(&["a", "b", "c"])
    }

    fn operand(&mut self) -> String {
        match (self.counters.last().cloned(), self.random.below(10)) {
            (Some(counter), 0..=2) => counter,
            (_, 3) => "p0".to_owned(),
            (_, 4) => "p1".to_owned(),
            (_, 5) => self.random.pick(&["0", "1", "7", "100", "255"]).to_owned(),
            _ => self.variable().to_owned(),
        }
    }

    fn expression(&mut self) -> String {
        let (x, y) = (self.operand(), self.operand());
        match self.random.below(8) {
            0 => x,
            1 => format!("{x} + 1"),
            2 => format!("unchecked({x} + {y})"),
            3 => format!("unchecked({x} - {y})"),
            4 => format!("{x} & 15"),
            5 => format!("unchecked({x} * 2)"),
            6 => format!("(f ? {x} : {y})"),
            _ => format!("{x} % 5"),
        }
    }

    fn index(&mut self) -> String {
        let x = self.operand();
        match self.random.below(4) {
            0 => x,
            1 => format!("{x} & 3"),
            2 => format!("(int)((uint)({x}) % (uint)t.Length)"),
            _ => self.counters.last().cloned().unwrap_or(x),
        }
    }

    fn condition(&mut self) -> String {
        let (x, y) = (self.operand(), self.operand());
        match self.random.below(8) {
            0 => "f".to_owned(),
            1 => format!("({x} & 1) == 0"),
            2 => format!("{x} == {y}"),
            3 => format!("{x} != {y}"),
            4 => format!("{x} > {y}"),
            5 => format!("{x} % 3 == 1"),
            _ => format!("{x} < {y}"),
        }
    }

    /// What may hold after a loop.
    fn relation(&mut self) -> String {
        let (x, y) = (self.variable(), self.variable());
        match self.random.below(9) {
            0 => format!("({x} & 1) == 1"),
            1 => format!("{x} < 0"),
            2 => format!("{x} > {y}"),
            3 => format!("{x} != {y}"),
            4 => format!("unchecked({x} - {y}) > 1"),
            5 => format!("{x} > p0"),
            6 => format!("{x} == unchecked(2 * {y})"),
            7 => format!("{x} > 300"),
            _ => self.condition(),
        }
    }
}
