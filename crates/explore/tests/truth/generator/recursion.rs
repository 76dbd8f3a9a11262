//! Random methods over two bytes that call themselves and each other: with and without promises about their results, with
//! exceptions that pass through them or are caught on the way, with loops, and with memory that they read or write.

use super::{Method, Parameter, ParameterKind, Program, Random, assemble};

/// A program of a seed whose methods recurse.
pub fn recursive_program(seed: u64, count: usize) -> Program {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995);
    let methods = (0..count).map(|number| method(&mut random, number)).collect();
    assemble(&[], methods)
}

fn method(random: &mut Random, number: usize) -> Method {
    let name = format!("M{number}");
    let parameters = [ParameterKind::Byte, ParameterKind::Byte];
    let parameters = parameters.map(|kind| Parameter { kind, by_ref: false }).to_vec();
    let mut text = String::new();
    let is_mutual = random.percent(40);
    let names = [format!("R{number}"), format!("S{number}")];
    let [first, second] = &names;
    let mut recursion = Recursion { random, leaves: 0 };
    text.push_str(&recursion.callee(first, if is_mutual { second } else { first }));
    if is_mutual {
        text.push_str(&recursion.callee(second, first));
    }
    let body = recursion.body(first);
    text.push_str(&format!("    public static long {name}(byte p0, byte p1)\n    {{\n{body}    }}\n"));
    Method { name, parameters, plain: true, text }
}

struct Recursion<'a> {
    random: &'a mut Random,
    leaves: usize,
}

impl Recursion<'_> {
    fn body(&mut self, callee: &str) -> String {
        let mut text = "int[] t = { 1, 2, p1, 4 };\n".to_owned();
        let (depth, other) = (
            self.random.pick(&["p0", "p0 & 31", "p1 & 7", "p0 % 10", "20"]),
            self.random.pick(&["p1", "0", "p0", "3", "p1 - 100"]),
        );
        text.push_str(&format!("int a = {callee}({depth}, {other}, t);\nint b = p1;\n"));
        if self.random.percent(30) {
            text.push_str(&format!("b = {callee}(p1 & 15, {}, t);\n", self.random.pick(&["a", "1", "p0"])));
        }
        for _ in 0..1 + self.random.below(3) {
            text.push_str(&format!("if ({}) {}", self.relation("a", "b"), self.leaf()));
        }
        text.push_str(&self.leaf());
        text
    }

    fn callee(&mut self, name: &str, next: &str) -> String {
        let base = self.random.pick(&["0", "1", "y", "-1", "y & 3", "t[1]", "7"]);
        let mut text = format!("if (x <= 0) return {base};\n");
        if self.random.percent(40) {
            let end = match self.random.percent(50) {
                true => self.throw(),
                false => format!("return {};\n", self.random.pick(&["x", "y", "2", "x + 1"])),
            };
            text.push_str(&format!("if ({}) {end}", self.relation("x", "y")));
        }
        let argument = self.random.pick(&["y", "y", "y + 1", "y - 1", "x", "y & 15", "y / 2", "0"]);
        let less = self.random.pick(&["x - 1", "x - 1", "x - 2", "x / 2", "x - 3"]);
        let call = format!("{next}({less}, {argument}, t)");
        text.push_str(&match self.random.below(10) {
            0 => format!("int r = 5;\ntry {{ r = {call}; }} catch (X0) {{ r = 9; }}\n"),
            1 => format!("int r = 0;\ntry {{ r = {call}; }} finally {{ y = 3; }}\n"),
            2 => format!("int r = (x & 1) == 0 ? {call} : {base};\n"),
            3 => format!("int r = 0;\nfor (int i = 0; i < 1 + (y & 1) && x > 240; i++) r = {call};\n"),
            _ => format!("int r = {call};\n"),
        });
        match self.random.below(12) {
            0 => text.push_str("t[x & 3] = r & 15;\n"),
            1 => text.push_str(&format!("if (t[x & 3] > r) {}", self.throw())),
            2 => text.push_str("for (int i = 0; i < x; i++) if (r < 100) r++;\n"),
            3 => text.push_str(&format!("if (x < 10) r += {next}(x / 4, r & 7, t);\n")),
            4 | 5 => text.push_str(&format!("if ({}) {}", self.relation("r", "x"), self.throw())),
            _ => {}
        }
        let result = self.random.pick(&[
            "r",
            "r + 1",
            "checked(r + 1)",
            "r & 7",
            "unchecked(r + x)",
            "checked(r * 2)",
            "r > 50 ? 0 : r + 1",
            "1 - r",
            "r % 5",
            "y",
            "unchecked(r - y)",
        ]);
        format!(
            "    private static int {name}(int x, int y, int[] t)\n    {{\n{text}return {result};\n    }}\n"
        )
    }

    fn throw(&mut self) -> String {
        format!("throw new {}();\n", self.random.pick(&["X0", "X1", "X2", "X3", "X4", "X5"]))
    }

    fn leaf(&mut self) -> String {
        self.leaves += 1;
        match self.random.percent(40) {
            true => self.throw(),
            false => format!("return {};\n", 1000 + self.leaves),
        }
    }

    fn relation(&mut self, x: &str, y: &str) -> String {
        match self.random.below(10) {
            0 => format!("({x} & 1) == 1"),
            1 => format!("{x} < 0"),
            2 => format!("{x} > {y}"),
            3 => format!("{x} == {y}"),
            4 => format!("{x} > 300"),
            5 => format!("{x} == 5"),
            6 => format!("{x} < {y}"),
            7 => format!("{x} > 7"),
            8 => format!("unchecked({x} - {y}) > 100"),
            _ => format!("{x} < -1"),
        }
    }
}
