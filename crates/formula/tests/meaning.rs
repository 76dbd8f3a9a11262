//! The text is C# and means what the term means: random conditions are compiled and their values compared.

#![allow(clippy::unwrap_used)]

mod inputs;

use std::fmt::Write;

use formula::Formula;
use inputs::{INPUTS, Inputs, Maker};
use random::Random;
use term::{Model, Sort, Symbol, Terms};
use testkit::{Options, Target, run_dotnet};

const CONDITIONS: usize = 700;
const ROUNDS: usize = 16;

#[test]
fn csharp_agrees_with_the_terms() {
    let mut inputs = Inputs::new();
    let (mut terms, mut texts) = (Vec::new(), Vec::new());
    let mut seed = 0;
    while terms.len() < CONDITIONS {
        seed += 1;
        let depth = 1 + seed as u32 % 4;
        let term = Maker { inputs: &mut inputs, random: Random::new(seed) }.condition(depth);
        let names = inputs.names();
        let text = Formula::new(&inputs.terms, &names).at_most(2000).text(term);
        if text.contains('…') || text.contains("overflow") || inputs.terms.as_bool(term).is_some() {
            continue;
        }
        terms.push(term);
        texts.push(text);
    }
    let mut random = Random::new(1);
    let models: Vec<Model> = (0..ROUNDS).map(|_| inputs.model(&mut random)).collect();
    let printed = run(&program(&texts, &inputs, &models));
    let mut lines = printed.lines();
    let mut compared = 0;
    for (text, term) in texts.iter().zip(&terms) {
        for model in &models {
            let line = lines.next().unwrap();
            // A division that C# refuses.
            if line == "refused" {
                continue;
            }
            compared += 1;
            let expected = inputs.terms.eval(*term, model).is_true();
            let values = || arguments(&inputs.terms, &inputs.symbols, model);
            assert_eq!(line, if expected { "True" } else { "False" }, "{text}\nwith {}", values());
        }
    }
    assert!(compared > CONDITIONS * ROUNDS * 3 / 4, "{compared}");
}

fn program(texts: &[String], inputs: &Inputs, models: &[Model]) -> String {
    let parameters: Vec<String> = INPUTS.iter().map(|(name, ty, _)| format!("{ty} {name}")).collect();
    let parameters = parameters.join(", ");
    let mut source = format!(
        "using System;\nenum Tier {{ Bronze, Silver, Gold }}\nstatic class P {{\ndelegate bool F({parameters});\n"
    );
    for (number, text) in texts.iter().enumerate() {
        let _ = writeln!(source, "static bool F{number}({parameters}) => unchecked({text});");
    }
    source += "static void Main() { var @out = new System.IO.StringWriter(); var all = new F[] { ";
    for number in 0..texts.len() {
        let _ = write!(source, "F{number}, ");
    }
    source += "};\nforeach (var f in all) {\n";
    for model in models {
        let arguments = arguments(&inputs.terms, &inputs.symbols, model);
        let _ = writeln!(
            source,
            "try {{ @out.WriteLine(f({arguments})); }} catch (ArithmeticException) {{ @out.WriteLine(\"refused\"); }}"
        );
    }
    source + "}\nConsole.Write(@out.ToString()); } }\n"
}

fn arguments(terms: &Terms, symbols: &[Symbol], model: &Model) -> String {
    let argument = |(symbol, (_, ty, sort)): (&Symbol, &(&str, &str, Sort))| {
        let bits = model.get(*symbol).unwrap().bits();
        match sort {
            Sort::Float(_) if *ty == "float" => format!("BitConverter.UInt32BitsToSingle({bits}u)"),
            Sort::Float(_) => format!("BitConverter.UInt64BitsToDouble({bits}ul)"),
            _ if *ty == "bool" => (bits == 1).to_string(),
            _ => format!("unchecked(({ty})({bits}ul))"),
        }
    };
    assert_eq!(terms.symbol_sort(symbols[0]), INPUTS[0].2);
    symbols.iter().zip(&INPUTS).map(argument).collect::<Vec<_>>().join(", ")
}

fn run(source: &str) -> String {
    let options = Options { target: Target::Exe, ..Options::default() };
    let dll =
        testkit::compile("Conditions", &[("Conditions.cs", source)], &options).unwrap_or_else(|error| {
            let message = error.to_string();
            let shown: Vec<String> = message.lines().take(12).map(|line| explained(line, source)).collect();
            panic!("{}", shown.join("\n"))
        });
    let finished = run_dotnet(&dll, &[]).unwrap();
    assert_eq!((finished.code, finished.stderr.as_str()), (Some(0), ""));
    finished.stdout
}

/// An error of the compiler with the line it is about.
fn explained(line: &str, source: &str) -> String {
    let number = line.split(['(', ',']).nth(1).and_then(|n| n.parse::<usize>().ok());
    let text = number.and_then(|n| source.lines().nth(n - 1)).unwrap_or_default();
    format!("{line}\n    {text}")
}
