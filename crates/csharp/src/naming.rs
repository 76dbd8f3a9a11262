//! Names that say the case: method, what is special about the input, outcome.
//!
//! A name has no more than it needs: `Classify_ReturnsEquilateral` when that outcome has one case, and the inputs that
//! tell the cases apart when it has several. The names depend on the cases alone, so they stay from run to run.

use std::collections::{BTreeMap, BTreeSet};

use crate::Wanted;
use crate::condition::condition_word;
use crate::identifier::word;
use crate::words::{
    arguments_word, definition, field_word, flag_words, method_word, number_word, object_word, plain_simple,
    primitive_word, shortened, signature_word, simple, text_word,
};
use case::type_facts::TypeFacts;
use case::type_name::TypeName;
use case::{Case, FieldValue, Mock, Mode, Object, ObjectKind, Outcome, Primitive, Value};

/// Names the cases of one class, and says of each whether its test needs reflection.
pub fn name_cases(cases: &mut [Case], surroundings: &dyn TypeFacts) {
    name_cases_of_paths(cases, &[], surroundings);
}

/// The same where it is known what the path of each case decided, in words and in the order of execution.
pub fn name_cases_of_paths(cases: &mut [Case], decided: &[Vec<String>], surroundings: &dyn TypeFacts) {
    let conditions: Vec<Vec<String>> = cases
        .iter()
        .enumerate()
        .map(|(at, case)| {
            let texts = decided.get(at).map(Vec::as_slice).unwrap_or_default();
            texts.iter().filter_map(|text| condition_word(text, case)).collect()
        })
        .collect();
    let namer = Namer { surroundings, overloaded: overloaded(cases), several: several_arguments(cases) };
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, case) in cases.iter().enumerate() {
        let parts = [method_word(&case.method.name), namer.arguments(case), namer.outcome(case)];
        let key = parts.join("_");
        groups.entry(key).or_default().push(index);
    }
    let mut taken = BTreeSet::new();
    let class = cases.first().map(|case| crate::test_class_name(definition(&case.method.ty)));
    taken.extend(class);
    for members in groups.values() {
        let group: Vec<&Case> = members.iter().filter_map(|index| cases.get(*index)).collect();
        let conditions: Vec<&[String]> = members
            .iter()
            .map(|index| conditions.get(*index).map(Vec::as_slice).unwrap_or_default())
            .collect();
        let names = namer.group(&group, &conditions);
        for (index, name) in members.iter().zip(names) {
            if let Some(case) = cases.get_mut(*index) {
                case.name = unique(name, &mut taken);
                case.construction = crate::reach(case, surroundings);
            }
        }
    }
}

struct Namer<'a> {
    surroundings: &'a dyn TypeFacts,
    /// Method names that more than one method has.
    overloaded: BTreeSet<String>,
    /// Generic definitions that the tests call with several lists of type arguments, by their ids.
    several: BTreeSet<String>,
}

impl Namer<'_> {
    /// Names for the cases of one method with one outcome.
    fn group(&self, group: &[&Case], conditions: &[&[String]]) -> Vec<String> {
        let described = self.described(group, conditions);
        let name = |(case, described): (&&Case, String)| {
            let parts = [method_word(&case.method.name), self.arguments(case), described, self.outcome(case)];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_")
        };
        group.iter().zip(described).map(name).collect()
    }

    /// The type arguments, where they tell tests apart: `OfStringAndInt32`.
    fn arguments(&self, case: &Case) -> String {
        if !self.several.contains(&case.method.id) {
            return String::new();
        }
        let words: Vec<String> = type_arguments(case).iter().map(arguments_word).collect();
        format!("Of{}", shortened(&words))
    }

    /// The middle part: what is notable when that is enough, else what tells the cases apart: what each path decided, or
    /// else the values.
    fn described(&self, group: &[&Case], conditions: &[&[String]]) -> Vec<String> {
        let notable: Vec<String> = group.iter().map(|case| self.notable(case)).collect();
        let distinct: BTreeSet<&String> = notable.iter().collect();
        if distinct.len() == group.len() {
            return notable;
        }
        if let Some(decided) = self.decided(group, conditions) {
            return decided;
        }
        let features: Vec<Vec<String>> = group.iter().map(|case| self.features(case)).collect();
        let chosen = distinguishing(&features);
        let describe = |features: &Vec<String>| -> String {
            chosen.iter().filter_map(|index| features.get(*index)).map(String::as_str).collect()
        };
        features.iter().map(describe).collect()
    }

    /// For each case a condition that no sibling has, the last one decided: it is what the path is about. A case without one
    /// is the plain one, if it is alone in that. Overloads are told apart only where the conditions do not.
    fn decided(&self, group: &[&Case], conditions: &[&[String]]) -> Option<Vec<String>> {
        let known = |at: usize| conditions.get(at).copied().unwrap_or_default();
        let telling = |at: usize, is_sibling: &dyn Fn(usize) -> bool| -> String {
            let siblings = || (0..group.len()).filter(|other| *other != at && is_sibling(*other));
            let is_own =
                |word: &&String| !word.is_empty() && !siblings().any(|other| known(other).contains(word));
            known(at).iter().rev().find(is_own).cloned().unwrap_or_default()
        };
        let distinct = |words: Vec<String>| {
            let different: BTreeSet<&String> = words.iter().collect();
            (different.len() == words.len()).then_some(words)
        };
        let method = |at: usize| group.get(at).map(|case| case.method.id.as_str());
        let among_all = (0..group.len()).map(|at| telling(at, &|_| true)).collect();
        let by_overload = || {
            let word = |at: usize| {
                let signature = group.get(at).map(|case| signature_word(case)).unwrap_or_default();
                signature + &telling(at, &|other| method(other) == method(at))
            };
            distinct((0..group.len()).map(word).collect())
        };
        let is_overloaded = (0..group.len()).any(|at| method(at) != method(0));
        distinct(among_all).or_else(|| is_overloaded.then(by_overload).flatten())
    }

    /// Everything that can tell a case from its siblings: the same places in the same order for each.
    fn features(&self, case: &Case) -> Vec<String> {
        let mut features = Vec::new();
        if self.overloaded.contains(&case.method.name) {
            features.push(signature_word(case));
        }
        let several = case.method.parameters.len() > 1;
        for (parameter, value) in case.method.parameters.iter().zip(&case.arguments) {
            if parameter.mode == Mode::Out {
                continue;
            }
            let label = if several { word(&parameter.name) } else { String::new() };
            self.describe(case, value, &label, &mut features);
        }
        if let Some(this) = &case.this {
            self.describe(case, this, "", &mut features);
        }
        features
    }

    /// Structs and objects are told apart by their fields.
    fn describe(&self, case: &Case, value: &Value, label: &str, features: &mut Vec<String>) {
        let fields = match value {
            Value::Struct { fields, .. } => Some(fields),
            Value::Object(id) => match case.object(*id).map(|object| &object.kind) {
                Some(ObjectKind::Object(instance)) => Some(&instance.fields),
                _ => None,
            },
            _ => None,
        };
        match fields {
            Some(fields) if !is_empty_nullable(fields) => {
                for FieldValue { name, value, .. } in fields.iter().filter(|field| field.name != "hasValue") {
                    let nested = if name == "value" {
                        label.to_owned()
                    } else {
                        format!("{label}{}", field_word(name))
                    };
                    match mocked(case, value) {
                        Some(mock) => self.describe_mock(case, mock, &nested, features),
                        // One level of nesting is enough for a name.
                        None => features.push(nested + &self.value(case, value)),
                    }
                }
            }
            _ => match mocked(case, value) {
                Some(mock) => self.describe_mock(case, mock, label, features),
                None => features.push(format!("{label}{}", self.value(case, value))),
            },
        }
    }

    /// Mocks are told apart by what they answer.
    fn describe_mock(&self, case: &Case, mock: &Mock, label: &str, features: &mut Vec<String>) {
        for property in &mock.properties {
            features.push(format!("{label}{}{}", word(&property.name), self.value(case, &property.value)));
        }
        for call in &mock.calls {
            let method = if call.method == "Invoke" { String::new() } else { method_word(&call.method) };
            let answers = call.results.iter().flat_map(|result| match &result.throws {
                Some(ty) => vec![format!("Throws{}", plain_simple(ty).trim_end_matches("Exception"))],
                None => result.values().map(|value| self.value(case, value)).collect(),
            });
            let answers: Vec<String> = answers.take(3).collect();
            features.push(format!("{label}{method}{}", answers.join("Then")));
        }
        if mock.properties.is_empty() && mock.calls.is_empty() {
            features.push(format!("{label}{}", plain_simple(&mock.ty)));
        }
    }

    /// What a reader should know about a lone case: the extreme values that make it throw.
    fn notable(&self, case: &Case) -> String {
        let Outcome::Throws(thrown) = &case.expect.outcome else { return String::new() };
        let inputs = case.method.parameters.iter().zip(&case.arguments).filter(|(p, _)| p.mode != Mode::Out);
        let values: Vec<&Value> = inputs.map(|(_, value)| value).collect();
        if thrown.ty == "System.DivideByZeroException" {
            let zero =
                values.iter().any(|value| matches!(value, Value::Primitive(p) if p.integer() == Some(0)));
            return if zero { "ByZero".to_owned() } else { String::new() };
        }
        let fields = |value: &&Value| match value {
            Value::Struct { fields, .. } => fields.iter().map(|field| field.value.clone()).collect(),
            other => vec![(*other).clone()],
        };
        let mut words: Vec<String> =
            values.iter().flat_map(fields).filter(is_extreme).map(|value| self.value(case, &value)).collect();
        words.dedup();
        words.truncate(2);
        words.join("And")
    }

    fn outcome(&self, case: &Case) -> String {
        match &case.expect.outcome {
            Outcome::Void if case.method.is_constructor() => format!("Creates{}", simple(&case.method.ty)),
            Outcome::Returned => "Returns".to_owned(),
            Outcome::Void => changes(case),
            Outcome::Throws(thrown) => {
                format!(
                    "Throws{}",
                    TypeName::parse(&thrown.ty).map(|name| word(name.simple())).unwrap_or_default()
                )
            }
            Outcome::Returns(Value::Primitive(primitive)) if is_unwieldy(*primitive) => {
                match primitive.integer() {
                    Some(value) if value < 0 => "ReturnsLargeNegativeValue".to_owned(),
                    _ => "ReturnsLargeValue".to_owned(),
                }
            }
            Outcome::Returns(value) => format!("Returns{}", self.value(case, value)),
        }
    }

    fn value(&self, case: &Case, value: &Value) -> String {
        match value {
            Value::Null => "Null".to_owned(),
            Value::Primitive(primitive) => primitive_word(*primitive),
            Value::Enum { ty, value } => self.enum_word(ty, *value),
            Value::Struct { ty, fields } => self.struct_word(case, ty, fields),
            Value::Object(id) => {
                let after = case.expect.after.objects.iter().find(|object| object.id == *id);
                case.object(*id).or(after).map(object_word).unwrap_or_else(|| "Object".to_owned())
            }
            Value::Span { span, .. } => match span.over.and_then(|id| case.object(id)) {
                Some(Object { kind: ObjectKind::String(text), .. }) => text_word(&text.0),
                _ if span.length == 0 => "EmptySpan".to_owned(),
                _ => format!("SpanOf{}", span.length),
            },
        }
    }

    fn enum_word(&self, ty: &str, value: i128) -> String {
        let info = self.surroundings.type_info(definition(ty)).unwrap_or_default();
        match info.enum_members.iter().find(|(_, number)| *number == value) {
            Some((name, _)) => word(name),
            None if info.flags && value > 0 => match flag_words(&info.enum_members, value) {
                Some(words) => words,
                None => simple(ty) + &number_word(value),
            },
            None => simple(ty) + &number_word(value),
        }
    }

    fn struct_word(&self, case: &Case, ty: &str, fields: &[FieldValue]) -> String {
        if is_empty_nullable(fields) {
            return "Null".to_owned();
        }
        let is_nullable = ty.starts_with("System.Nullable`1");
        match fields.iter().find(|field| field.name == "value").filter(|_| is_nullable) {
            Some(field) => self.value(case, &field.value),
            None if ty.starts_with("System.ValueTuple`") && fields.len() <= 3 => {
                let items: Vec<String> = fields.iter().map(|field| self.value(case, &field.value)).collect();
                items.join("And")
            }
            None => simple(ty),
        }
    }
}

fn mocked<'c>(case: &'c Case, value: &Value) -> Option<&'c Mock> {
    let Value::Object(id) = value else { return None };
    match &case.object(*id)?.kind {
        ObjectKind::Mock(mock) => Some(mock),
        _ => None,
    }
}

/// What a method without a result does: the names of what it changes.
fn changes(case: &Case) -> String {
    let after = &case.expect.after;
    let mut names = match (&case.this, &after.this) {
        (Some(Value::Struct { fields: before, .. }), Some(Value::Struct { fields: now, .. })) => {
            changed_fields(before, now)
        }
        (Some(Value::Object(id)), _) => {
            let now = after.objects.iter().find(|object| object.id == *id).map(|object| &object.kind);
            match (case.object(*id).map(|object| &object.kind), now) {
                (Some(ObjectKind::Object(before)), Some(ObjectKind::Object(now))) => {
                    changed_fields(&before.fields, &now.fields)
                }
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    };
    for (parameter, value) in case.method.parameters.iter().zip(&case.arguments) {
        let id = match value {
            Value::Object(id) => Some(*id),
            Value::Span { span, .. } => span.over,
            _ => None,
        };
        let now = id.and_then(|id| after.objects.iter().find(|object| object.id == id));
        let is_changed = |now: &Object| {
            let before = case.object(now.id);
            before.is_some_and(|before| before.kind != now.kind) && !crate::changes(before, now).is_empty()
        };
        if case.this.as_ref() != Some(value) && now.is_some_and(is_changed) {
            names.push(word(&parameter.name));
        }
    }
    names.extend(after.statics.iter().map(|field| field_word(&field.name)));
    for argument in &after.arguments {
        let parameter = case.method.parameters.get(argument.index);
        let changed = case.arguments.get(argument.index) != Some(&argument.value);
        names.extend(parameter.filter(|p| changed || p.mode == Mode::Out).map(|p| word(&p.name)));
    }
    match names.len() {
        0 => "Succeeds".to_owned(),
        1..=3 => format!("Changes{}", names.join("And")),
        _ => format!("Changes{}AndMore", names.iter().take(2).cloned().collect::<Vec<_>>().join("And")),
    }
}

fn changed_fields(before: &[FieldValue], after: &[FieldValue]) -> Vec<String> {
    after.iter().filter(|field| !before.contains(field)).map(|field| field_word(&field.name)).collect()
}

/// `ReadAndWrite`, when single members make up the value.
/// More digits than anyone reads.
fn is_unwieldy(primitive: Primitive) -> bool {
    let large = primitive.integer().is_some_and(|value| value.unsigned_abs() > 9_999_999);
    large && !primitive_word(primitive).ends_with("Value")
}

/// The first features, as few as possible, that tell all cases apart as far as any features do.
fn distinguishing(features: &[Vec<String>]) -> Vec<usize> {
    let width = features.iter().map(Vec::len).max().unwrap_or_default();
    let classes = |chosen: &[usize]| -> usize {
        let keys: BTreeSet<Vec<Option<&String>>> =
            features.iter().map(|case| chosen.iter().map(|index| case.get(*index)).collect()).collect();
        keys.len()
    };
    let mut chosen: Vec<usize> = Vec::new();
    let mut best = classes(&chosen);
    while best < features.len() && chosen.len() < 3 {
        let with = |index: usize| {
            let mut more = chosen.clone();
            more.push(index);
            classes(&more)
        };
        let next =
            (0..width).filter(|i| !chosen.contains(i)).max_by_key(|&i| (with(i), std::cmp::Reverse(i)));
        let Some(next) = next.filter(|next| with(*next) > best) else { break };
        best = with(next);
        chosen.push(next);
    }
    chosen.sort_unstable();
    chosen
}

fn overloaded(cases: &[Case]) -> BTreeSet<String> {
    let mut ids: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for case in cases {
        ids.entry(&case.method.name).or_default().insert(&case.method.id);
    }
    ids.into_iter().filter(|(_, ids)| ids.len() > 1).map(|(name, _)| name.to_owned()).collect()
}

/// The type arguments of the class and of the method.
fn type_arguments(case: &Case) -> Vec<TypeName> {
    let of_type = TypeName::parse(&case.method.ty).map(|name| name.arguments).unwrap_or_default();
    let own = case.method.generic_arguments.iter().filter_map(|argument| TypeName::parse(argument));
    of_type.into_iter().chain(own).collect()
}

/// `Int32`, `ListOfString`, `Int32Array`.
/// A list of words in which what repeats is said once: `11Int32AndString`, `Int32AndStringInTurn`.
/// The methods with tests for several lists of type arguments.
fn several_arguments(cases: &[Case]) -> BTreeSet<String> {
    let mut lists: BTreeMap<&str, BTreeSet<(&str, &[String])>> = BTreeMap::new();
    for case in cases {
        let list = (case.method.ty.as_str(), case.method.generic_arguments.as_slice());
        lists.entry(&case.method.id).or_default().insert(list);
    }
    lists.into_iter().filter(|(_, lists)| lists.len() > 1).map(|(id, _)| id.to_owned()).collect()
}

fn unique(name: String, taken: &mut BTreeSet<String>) -> String {
    let mut result = name.clone();
    let mut number = 2;
    while !taken.insert(result.clone()) {
        result = format!("{name}_{number}");
        number += 1;
    }
    result
}

/// Without the `I` of interfaces.
/// `<Name>k__BackingField` is the property `Name`.
fn is_empty_nullable(fields: &[FieldValue]) -> bool {
    fields.iter().any(|field| field.name == "hasValue" && field.value == Value::boolean(false))
}

fn is_extreme(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Primitive(primitive) => crate::primitive(*primitive, Wanted::Exact).contains("Value"),
        _ => false,
    }
}
