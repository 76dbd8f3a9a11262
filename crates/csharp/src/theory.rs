//! Tests of one method that differ in plain values only are one test with a row for each.
//!
//! Each case is written with the names of parameters in the place of its plain values; cases whose tests are then the same
//! text belong together. So whatever else differs (how an object is made, which exception, what is asserted) keeps tests
//! apart by itself.

use std::collections::{BTreeMap, BTreeSet};

use crate::class_file::Tests;
use crate::framework::TestFramework;
use crate::identifier::word;
use crate::literal;
use crate::test::{Parameter, Place, Test};
use case::type_name::TypeName;
use case::{Case, Primitive};

/// Fewer rows are easier to read as tests of their own.
const LEAST_ROWS: usize = 3;

/// A method of a test class.
pub struct Method {
    pub name: String,
    pub test: Test,
    /// What it is declared with, between the parentheses.
    pub parameters: String,
    /// The attributes that make it a test.
    pub attributes: Vec<String>,
    /// The names of its cases: one, or one for each row.
    pub cases: Vec<String>,
}

/// What tests have in common that differ in values only.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Shape<'a> {
    method: &'a str,
    ty: &'a str,
    generic_arguments: &'a [String],
    declared: Vec<String>,
    lines: Vec<String>,
}

/// Puts tests together where they differ in values only. `write` writes a case with parameters in some places.
pub fn fold<'a>(
    tests: Tests<'a>,
    framework: TestFramework,
    is_apart: &dyn Fn(&Case) -> bool,
    write: &dyn Fn(&'a Case, &BTreeSet<Place>) -> Option<Test>,
) -> Vec<Method> {
    let mut groups = Vec::new();
    let mut folded: BTreeSet<usize> = BTreeSet::new();
    // With their results as rows first: that puts most together.
    for with_result in [true, false] {
        let mut alike: BTreeMap<Shape<'_>, Vec<usize>> = BTreeMap::new();
        for (at, (case, _)) in tests.iter().enumerate().filter(|(at, _)| !folded.contains(at)) {
            if is_apart(case) {
                continue;
            }
            let places = places(case, with_result);
            let Some(test) = write(case, &places).filter(|test| !test.parameters.is_empty()) else {
                continue;
            };
            let shape = Shape {
                method: &case.method.id,
                ty: &case.method.ty,
                generic_arguments: &case.method.generic_arguments,
                declared: test.parameters.iter().map(|parameter| parameter.declaration.clone()).collect(),
                lines: test.lines,
            };
            alike.entry(shape).or_default().push(at);
        }
        for members in alike.into_values().filter(|members| members.len() >= LEAST_ROWS) {
            let cases: Vec<(usize, &Case)> =
                members.iter().filter_map(|at| tests.get(*at).map(|(case, _)| (*at, *case))).collect();
            if let Some(group) = Group::of(&cases, with_result, write) {
                folded.extend(group.rows.iter().map(|row| row.at));
                groups.push(group);
            }
        }
    }
    laid_out(tests, groups, framework)
}

/// The places of a case that may become parameters.
fn places(case: &Case, with_result: bool) -> BTreeSet<Place> {
    let arguments = (0..case.arguments.len()).map(Place::Argument);
    arguments.chain(with_result.then_some(Place::Result)).collect()
}

struct Row {
    /// The place of its case in the list of tests.
    at: usize,
    name: String,
    values: Vec<Parameter>,
}

/// Cases that are one test.
struct Group {
    rows: Vec<Row>,
    test: Test,
}

impl Group {
    /// Only values that differ become parameters, and no row is there twice.
    fn of<'a>(
        cases: &[(usize, &'a Case)],
        with_result: bool,
        write: &dyn Fn(&'a Case, &BTreeSet<Place>) -> Option<Test>,
    ) -> Option<Group> {
        let mut texts: BTreeMap<Place, BTreeSet<String>> = BTreeMap::new();
        for (_, case) in cases {
            for parameter in write(case, &places(case, with_result))?.parameters {
                texts.entry(parameter.place).or_default().insert(parameter.value);
            }
        }
        let varying: BTreeSet<Place> =
            texts.into_iter().filter(|(_, texts)| texts.len() > 1).map(|(place, _)| place).collect();
        if varying.iter().all(|place| *place == Place::Result) {
            return None;
        }
        let mut seen = BTreeSet::new();
        let mut rows: Vec<Row> = Vec::new();
        let mut test: Option<Test> = None;
        for (at, case) in cases {
            let written = write(case, &varying)?;
            if test.as_ref().is_some_and(|test| test.lines != written.lines) {
                continue;
            }
            let values = written.parameters.clone();
            if seen.insert(values.iter().map(|value| value.value.clone()).collect::<Vec<_>>()) {
                rows.push(Row { at: *at, name: case.name.clone(), values });
                test.get_or_insert(written);
            }
        }
        let group = Group { rows, test: test? };
        (group.rows.len() >= LEAST_ROWS).then_some(group)
    }

    fn has_result(&self) -> bool {
        self.test.parameters.iter().any(|parameter| parameter.place == Place::Result)
    }

    /// What the names of all rows have in common.
    fn name(&self) -> String {
        let names: Vec<Vec<&str>> = self.rows.iter().map(|row| row.name.split('_').collect()).collect();
        let Some(first) = names.first() else { return String::new() };
        let same = |at: usize, from_end: bool| {
            let part = |name: &Vec<&str>| {
                let at = if from_end { name.len().checked_sub(at + 1)? } else { at };
                name.get(at).map(|part| (*part).to_owned())
            };
            let wanted = part(first);
            wanted.is_some() && names.iter().all(|name| part(name) == wanted)
        };
        let shortest = names.iter().map(Vec::len).min().unwrap_or_default();
        let start = (0..shortest).take_while(|at| same(*at, false)).count();
        let end = (0..shortest - start).take_while(|at| same(*at, true)).count();
        let mut parts: Vec<&str> = first.iter().take(start).copied().collect();
        if self.has_result() {
            parts.push("ReturnsExpected");
        }
        parts.extend(first.iter().skip(first.len() - end));
        parts.join("_")
    }
}

/// All tests in their order; a group stands where its first case stood.
fn laid_out(tests: Tests<'_>, groups: Vec<Group>, framework: TestFramework) -> Vec<Method> {
    let inside: BTreeSet<usize> =
        groups.iter().flat_map(|group| group.rows.iter().map(|row| row.at)).collect();
    let alone = tests.iter().enumerate().filter(|(at, _)| !inside.contains(at));
    let mut taken: BTreeSet<String> = alone.map(|(_, (case, _))| case.name.clone()).collect();
    let class =
        tests.first().map(|(case, _)| case.method.ty.split('[').next().unwrap_or_default().to_owned());
    taken.extend(class.map(|class| crate::test_class_name(&class)));
    let mut starts: BTreeMap<usize, Group> = BTreeMap::new();
    for group in groups {
        let first = group.rows.iter().map(|row| row.at).min().unwrap_or_default();
        starts.insert(first, group);
    }
    let mut methods = Vec::new();
    for (at, (case, test)) in tests.into_iter().enumerate() {
        if let Some(group) = starts.remove(&at) {
            methods.push(parametrised(group, case, framework, &mut taken));
        } else if !inside.contains(&at) {
            methods.push(Method {
                name: case.name.clone(),
                test,
                parameters: String::new(),
                attributes: vec![framework.test_attribute().to_owned()],
                cases: vec![case.name.clone()],
            });
        }
    }
    methods
}

fn parametrised(group: Group, case: &Case, framework: TestFramework, taken: &mut BTreeSet<String>) -> Method {
    let plain = group.name();
    let mut name = plain.clone();
    if taken.contains(&name) {
        // Another overload has the same name.
        let types = case.method.parameters.iter().filter_map(|p| TypeName::parse(&p.ty));
        let signature: String = types.map(|ty| word(ty.simple())).collect();
        name = match plain.split_once('_') {
            Some((method, rest)) => format!("{method}_{signature}_{rest}"),
            None => format!("{plain}_{signature}"),
        };
    }
    let mut number = 2;
    while !taken.insert(name.clone()) {
        name = format!("{plain}_{number}");
        number += 1;
    }
    let mut attributes: Vec<String> = framework.rows_attribute().map(str::to_owned).into_iter().collect();
    for row in &group.rows {
        let last = row.values.len().saturating_sub(1);
        let values: Vec<String> = row
            .values
            .iter()
            .enumerate()
            // A null that stands alone, or last, could also mean the list of all values.
            .map(|(at, value)| match value.value == "null" && at == last {
                true => format!("({})null", value.ty),
                false => value.value.clone(),
            })
            .collect();
        attributes.push(framework.row(&values.join(", "), &row.name));
    }
    let declarations: Vec<&str> =
        group.test.parameters.iter().map(|parameter| parameter.declaration.as_str()).collect();
    Method {
        name,
        parameters: declarations.join(", "),
        attributes,
        cases: group.rows.into_iter().map(|row| row.name).collect(),
        test: group.test,
    }
}

/// A scalar as an attribute may have it; `None` if there is no such constant, or if tools would show another one.
pub fn constant(value: Primitive) -> Option<String> {
    let is_plain = match value {
        Primitive::IntPtr(_) | Primitive::UIntPtr(_) => false,
        Primitive::Char(unit) => is_shown(unit),
        // The negative zero is taken for the positive one, and NaNs for each other.
        Primitive::Single(bits) => bits != 1 << 31 && (!f32::from_bits(bits).is_nan() || bits == 0xffc0_0000),
        Primitive::Double(bits) => {
            bits != 1 << 63 && (!f64::from_bits(bits).is_nan() || bits == 0xfff8_0000_0000_0000)
        }
        _ => true,
    };
    is_plain.then(|| literal::primitive(value, literal::Wanted::Exact))
}

/// A string as an attribute may have it: metadata keeps it as UTF-8, and reports as XML.
pub fn text_constant(units: &[u16]) -> Option<String> {
    let is_text = char::decode_utf16(units.iter().copied()).all(|unit| unit.is_ok());
    let is_plain = is_text && units.iter().all(|unit| is_shown(*unit) || (0xd800..0xe000).contains(unit));
    is_plain
        .then(|| literal::text(units))
        .filter(|text| text.starts_with('"') && !text.contains("new string("))
}

/// Neither a control character nor half of a pair nor no character at all.
fn is_shown(unit: u16) -> bool {
    let is_control = unit < 0x20 && ![9, 10, 13].contains(&unit) || (0x7f..0xa0).contains(&unit);
    !is_control && !(0xd800..0xe000).contains(&unit) && unit < 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_metadata_and_reports_keep_is_a_constant() {
        assert_eq!(constant(Primitive::Int64(5)).as_deref(), Some("5L"));
        assert_eq!(constant(Primitive::Byte(7)).as_deref(), Some("(byte)7"));
        assert_eq!(constant(Primitive::UInt32(7)).as_deref(), Some("7u"));
        assert_eq!(
            constant(Primitive::Double(f64::NEG_INFINITY.to_bits())).as_deref(),
            Some("double.NegativeInfinity")
        );
        for refused in [
            Primitive::Double((-0.0f64).to_bits()),
            Primitive::Double(0x7ff0_0000_0000_0001),
            Primitive::Char(0xd800),
            Primitive::Char(0),
            Primitive::IntPtr(1),
        ] {
            assert_eq!(constant(refused), None, "{refused:?}");
        }
        let utf16 = |text: &str| text.encode_utf16().collect::<Vec<_>>();
        assert_eq!(text_constant(&utf16("a\"b")).as_deref(), Some(r#""a\"b""#));
        assert!(text_constant(&utf16("😀")).is_some());
        assert_eq!(text_constant(&[0xd83d]), None);
        assert_eq!(text_constant(&utf16("\0")), None);
    }
}
