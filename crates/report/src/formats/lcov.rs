//! LCOV: coverage that editors and `genhtml` read. Hits are numbers of tests.

use super::coverage::{CodeCoverage, MethodLines, merged, shares};
use super::uri;

pub fn lcov(coverage: &CodeCoverage) -> String {
    let mut out = Vec::new();
    for (file, methods) in coverage.by(|method| method.file.as_str()) {
        out.push("TN:".to_owned());
        out.push(format!("SF:{}", uri::parts(file).0));
        functions(&methods, &mut out);
        let lines = merged(methods.iter().copied());
        for (number, line) in &lines {
            for (block, jump) in line.jumps.iter().enumerate() {
                let is_met = jump.ways.iter().any(|tests| *tests > 0);
                for (way, tests) in jump.ways.iter().enumerate() {
                    // A jump that was never come to has no counts.
                    let taken = if is_met { tests.to_string() } else { "-".to_owned() };
                    out.push(format!("BRDA:{number},{block},{way},{taken}"));
                }
            }
        }
        let (of_lines, of_ways) = shares(lines.values());
        out.push(format!("BRF:{}", of_ways.all));
        out.push(format!("BRH:{}", of_ways.covered));
        out.extend(lines.iter().map(|(number, line)| format!("DA:{number},{}", line.tests)));
        out.push(format!("LF:{}", of_lines.all));
        out.push(format!("LH:{}", of_lines.covered));
        out.push("end_of_record".to_owned());
    }
    out.push(String::new());
    out.join("\n")
}

fn functions(methods: &[&MethodLines], out: &mut Vec<String>) {
    let first =
        |method: &MethodLines| method.lines.first_key_value().map(|(number, hits)| (*number, hits.tests));
    let known: Vec<(&str, (u32, u64))> =
        methods.iter().filter_map(|method| Some((method.id.as_str(), first(method)?))).collect();
    out.extend(known.iter().map(|(id, (line, _))| format!("FN:{line},{id}")));
    out.extend(known.iter().map(|(id, (_, tests))| format!("FNDA:{tests},{id}")));
    out.push(format!("FNF:{}", known.len()));
    out.push(format!("FNH:{}", known.iter().filter(|(_, (_, tests))| *tests > 0).count()));
}
