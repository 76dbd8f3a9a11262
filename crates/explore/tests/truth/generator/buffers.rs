//! Random loops over arrays and lists that are replaced, aliased, grown, copied and cleared, and over what they hold. What
//! follows a loop asks whether two names mean one array, and for what may hold of all elements.

use super::{Method, Parameter, ParameterKind, Program, Random, assemble};

/// A program of a seed whose methods loop over buffers.
pub fn buffer_program(seed: u64, count: usize) -> Program {
    let mut random = Random::new(seed.wrapping_mul(0xd134_2543_de82_ef95));
    let methods = (0..count).map(|number| method(&mut random, number)).collect();
    assemble(&[], methods)
}

fn method(random: &mut Random, number: usize) -> Method {
    let name = format!("M{number}");
    let parameters = [ParameterKind::Byte, ParameterKind::Byte];
    let parameters = parameters.map(|kind| Parameter { kind, by_ref: false }).to_vec();
    let mut buffers = Buffers { random, leaves: 0, loops: 0 };
    let body = buffers.body();
    let text = format!("    public static long {name}(byte p0, byte p1)\n    {{\n{body}    }}\n");
    Method { name, parameters, plain: true, text }
}

struct Buffers<'a> {
    random: &'a mut Random,
    leaves: usize,
    loops: usize,
}

impl Buffers<'_> {
    fn body(&mut self) -> String {
        let mut text = String::from("int a = 0, m = 0;\n");
        let made = ["new int[2]", "new int[1 + (p0 & 7)]", "new int[p1 + 1]", "new int[] { p0, p1, 3 }"];
        text.push_str(&format!("int[] t = {};\n", self.random.pick(&made)));
        text.push_str(&format!(
            "int[] u = {};\n",
            self.random.pick(&["t", "new int[2]", "new int[1 + (p1 & 3)]"])
        ));
        text.push_str("var list = new System.Collections.Generic.List<int>();\n");
        text.push_str("int[][] kept = { t, u };\n");
        for _ in 0..1 + self.random.below(2) {
            text.push_str(&self.a_loop());
        }
        for _ in 0..1 + self.random.below(2) {
            text.push_str(&self.question());
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
        self.loops += 1;
        let i = format!("i{}", self.loops);
        let bound = self.random.pick(&["p0", "p1", "(p0 & 31)", "t.Length", "u.Length", "40", "list.Count"]);
        let first = self.random.pick(&["0", "0", "1"]);
        let count = 1 + self.random.below(3);
        let body: String = (0..count).map(|_| self.statement(&i)).collect();
        format!("for (int {i} = {first}; {i} < {bound}; {i}++)\n{{\n{body}}}\n")
    }

    fn statement(&mut self, i: &str) -> String {
        let at = self.index(i);
        let value = self.random.pick(&["p0", "a", "7", "0"]);
        let value = if self.random.percent(40) { i.to_owned() } else { value.to_owned() };
        match self.random.below(18) {
            0 => "if (t.Length < 90) t = new int[t.Length + 1];\n".to_owned(),
            1 => "if (t.Length < 90) Array.Resize(ref t, t.Length * 2);\n".to_owned(),
            2 => self.random.pick(&["u = t;\n", "t = u;\n", "(t, u) = (u, t);\n"]).to_owned(),
            3 => format!(
                "if ({i} == 3) {}",
                self.random.pick(&["kept[0] = t;\n", "u = t;\n", "t = kept[1];\n"])
            ),
            4 | 5 => format!("t[{at}] = {value};\n"),
            6 => format!("u[(int)((uint){i} % (uint)u.Length)] = {value};\n"),
            7 => format!("a = t[{at}];\n"),
            8 | 9 => format!("list.Add({value});\n"),
            10 => "if (list.Count > 0) list.RemoveAt(list.Count - 1);\n".to_owned(),
            11 => format!("if (list.Count > 0) a = list[{i} % list.Count];\n"),
            12 => format!("Array.Clear(t, 0, Math.Min({i}, t.Length));\n"),
            13 => "Array.Copy(t, 0, u, 0, Math.Min(t.Length, u.Length));\n".to_owned(),
            14 => format!("if (t[{at}] > m) m = t[{at}];\n"),
            15 => format!("if (t[{at}] {} 2) {}", self.random.pick(&["<", "==", ">"]), self.leaf()),
            16 => format!("t.AsSpan(0, Math.Min({i}, t.Length)).Fill({value});\n"),
            _ => "a++;\n".to_owned(),
        }
    }

    fn index(&mut self, i: &str) -> String {
        match self.random.below(3) {
            0 => i.to_owned(),
            1 => format!("{i} % t.Length"),
            _ => format!("(int)((uint){i} % (uint)t.Length)"),
        }
    }

    /// What may hold after a loop.
    fn question(&mut self) -> String {
        let leaf = self.leaf();
        match self.random.below(10) {
            0 => format!("if (t == u) {leaf}"),
            1 => format!("if (t[p1 % t.Length] > m) {leaf}"),
            2 => format!("if (t.Length == 5) {leaf}"),
            3 => format!("if (list.Count > p0) {leaf}"),
            4 => format!("if (kept[0] == t) {leaf}"),
            5 => format!("if (t[0] == 7 && u[0] != 7) {leaf}"),
            6 => format!("for (int k = 0; k < t.Length; k++)\n{{\nif (t[k] == 0) {leaf}}}\n"),
            7 => format!("if (list.Count > 2 && list[2] == 2) {leaf}"),
            8 => format!("if (t[p1 % t.Length] == 0) {leaf}"),
            _ => format!("if (kept[0][0] != t[0]) {leaf}"),
        }
    }
}
