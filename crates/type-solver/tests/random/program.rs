//! Random hierarchies as C#: interfaces with variance, classes and structs with constraints, delegates. About half of
//! them compile, which is enough.

use std::fmt::Write;

use random::Random;

struct Declared {
    name: String,
    kind: Kind,
    arity: usize,
    is_sealed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Interface,
    Class,
    Delegate,
}

/// A program with type parameters of at most `max_arity` on each definition.
pub fn program(seed: u64, max_arity: usize) -> String {
    let mut random = Random::new(seed);
    let mut text = String::from("public delegate R Make<out R>();\npublic delegate void Take<in T>(T t);\n");
    let mut declared = vec![
        Declared { name: "Make".into(), kind: Kind::Delegate, arity: 1, is_sealed: true },
        Declared { name: "Take".into(), kind: Kind::Delegate, arity: 1, is_sealed: true },
    ];
    for i in 0..2 + random.below(3) {
        interface(&mut random, &mut text, &mut declared, i, max_arity);
    }
    for i in 0..3 + random.below(4) {
        class(&mut random, &mut text, &mut declared, i, max_arity);
    }
    if random.percent(60) {
        let interfaces = bases(&mut random, &declared, &[], None);
        let list =
            if interfaces.is_empty() { String::new() } else { format!(" : {}", interfaces.join(", ")) };
        let _ = writeln!(text, "public struct S0{list} {{ public int X; }}");
    }
    text
}

fn interface(
    random: &mut Random,
    text: &mut String,
    declared: &mut Vec<Declared>,
    number: usize,
    max: usize,
) {
    let arity = random.weighted(&[2, 5, 2]).min(max);
    let names: Vec<String> = (0..arity).map(|n| format!("T{n}")).collect();
    let variances: Vec<&str> = (0..arity).map(|_| random.pick(&["", "out ", "in ", "out "])).collect();
    let parameters: Vec<String> = names.iter().zip(&variances).map(|(n, v)| format!("{v}{n}")).collect();
    // A variant parameter may stand in some places only: an invariant one stands everywhere.
    let usable: Vec<String> =
        names.iter().zip(&variances).filter(|(_, v)| v.is_empty()).map(|(n, _)| n.clone()).collect();
    let mut list = if random.percent(50) { bases(random, declared, &usable, None) } else { Vec::new() };
    if let (true, Some(first)) = (random.percent(40), variances.first())
        && let Some(base) = declared.iter().rfind(|d| d.kind == Kind::Interface && d.arity == 1)
    {
        // May clash in variance: then the program does not compile.
        let _ = first;
        list = vec![format!("{}<T0>", base.name)];
    }
    let name = format!("I{number}");
    let _ = writeln!(text, "public interface {name}{}{} {{ }}", angle(&parameters), colon(&list));
    declared.push(Declared { name, kind: Kind::Interface, arity, is_sealed: false });
}

fn class(random: &mut Random, text: &mut String, declared: &mut Vec<Declared>, number: usize, max: usize) {
    let arity = random.weighted(&[5, 5, 2]).min(max);
    let names: Vec<String> = (0..arity).map(|n| format!("T{n}")).collect();
    let name = format!("C{number}");
    let itself = format!("{name}{}", angle(&names));
    let mut list = Vec::new();
    if random.percent(45) {
        let classes: Vec<&Declared> =
            declared.iter().filter(|d| d.kind == Kind::Class && !d.is_sealed).collect();
        if !classes.is_empty() {
            let base = classes[random.below(classes.len())];
            list.push(instance(random, base, declared, &names, Some(&itself), 1));
        }
    }
    list.extend(bases(random, declared, &names, Some(&itself)));
    let mut constraints = String::new();
    for n in 0..arity {
        let mut one = Vec::new();
        match random.below(10) {
            0 => one.push("class".to_owned()),
            1 => one.push("struct".to_owned()),
            _ => {}
        }
        let classes: Vec<&Declared> =
            declared.iter().filter(|d| d.kind == Kind::Class && !d.is_sealed).collect();
        if one.is_empty() && !classes.is_empty() && random.percent(20) {
            let wanted = classes[random.below(classes.len())];
            one.push(instance(random, wanted, declared, &names, Some(&itself), 1));
        } else if random.percent(35) {
            let interfaces: Vec<&Declared> = declared.iter().filter(|d| d.kind == Kind::Interface).collect();
            let wanted = interfaces[random.below(interfaces.len())];
            one.push(match random.percent(40) {
                true => {
                    let others: Vec<String> =
                        (0..wanted.arity).map(|i| format!("T{}", (n + 1 + i) % arity)).collect();
                    format!("{}{}", wanted.name, angle(&others))
                }
                false => instance(random, wanted, declared, &names, None, 1),
            });
        } else if arity > 1 && random.percent(20) {
            one.push(format!("T{}", (n + 1) % arity));
        }
        if random.percent(15) && one.first().is_none_or(|first| first != "struct") {
            one.push("new()".to_owned());
        }
        if !one.is_empty() {
            let _ = write!(constraints, " where T{n} : {}", one.join(", "));
        }
    }
    let modifier = random.pick(&["", "", "", "abstract ", "sealed "]);
    let constructor = match random.below(6) {
        0 => format!(" public {name}(int x) {{ }} protected {name}() {{ }}"),
        _ => String::new(),
    };
    let mut body = if modifier == "sealed " { String::new() } else { constructor };
    if arity < max && random.percent(25) {
        // Nested types have the parameters of those around them.
        let parameters: Vec<String> = names.iter().cloned().chain(["N".to_owned()]).collect();
        let list = bases(random, declared, &parameters, None);
        let _ = write!(body, " public class Inner<N>{} {{ }}", colon(&list));
    }
    let _ = writeln!(text, "public {modifier}class {itself}{}{constraints} {{{body} }}", colon(&list));
    declared.push(Declared { name, kind: Kind::Class, arity, is_sealed: modifier == "sealed " });
}

/// Up to two interfaces to implement or inherit.
fn bases(
    random: &mut Random,
    declared: &[Declared],
    parameters: &[String],
    itself: Option<&str>,
) -> Vec<String> {
    let interfaces: Vec<&Declared> = declared.iter().filter(|d| d.kind == Kind::Interface).collect();
    let mut list: Vec<String> = Vec::new();
    if interfaces.is_empty() {
        return list;
    }
    for _ in 0..random.below(3) {
        let one = interfaces[random.below(interfaces.len())];
        let one = instance(random, one, declared, parameters, itself, 1);
        if !list.contains(&one) {
            list.push(one);
        }
    }
    list
}

fn instance(
    random: &mut Random,
    of: &Declared,
    declared: &[Declared],
    parameters: &[String],
    itself: Option<&str>,
    depth: u32,
) -> String {
    let args: Vec<String> =
        (0..of.arity).map(|_| argument(random, declared, parameters, itself, depth)).collect();
    format!("{}{}", of.name, angle(&args))
}

fn argument(
    random: &mut Random,
    declared: &[Declared],
    parameters: &[String],
    itself: Option<&str>,
    depth: u32,
) -> String {
    match random.below(10) {
        0..=3 if !parameters.is_empty() => parameters[random.below(parameters.len())].clone(),
        4 if itself.is_some() => itself.unwrap_or_default().to_owned(),
        5 if depth > 0 => format!("{}[]", argument(random, declared, parameters, itself, depth - 1)),
        6..=8 if depth > 0 => {
            let of = &declared[random.below(declared.len())];
            instance(random, of, declared, parameters, itself, depth - 1)
        }
        9 => "int".to_owned(),
        _ => "string".to_owned(),
    }
}

fn angle(list: &[String]) -> String {
    if list.is_empty() { String::new() } else { format!("<{}>", list.join(", ")) }
}

fn colon(list: &[String]) -> String {
    if list.is_empty() { String::new() } else { format!(" : {}", list.join(", ")) }
}
