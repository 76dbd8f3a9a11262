//! The search for ways to make an object: its public constructors with arguments that are likely to end up in the wanted
//! fields, and assignments for the rest.

use std::collections::BTreeMap;

use crate::construct::{assignable, filled_in, is_default, is_field};
use crate::graph::Graph;
use crate::type_facts::{Constructor, TypeFacts, TypeInfo, TypeKind};
use crate::type_name::TypeName;
use crate::{Assigned, Case, Construction, FieldValue, Instance, Mock, Object, ObjectId, ObjectKind, Value};

/// Trying costs time: the likely ways come first, and the rest is left.
const MAX_PER_CONSTRUCTOR: usize = 8;
const MAX_WAYS: usize = 24;

pub(super) struct Way {
    pub construction: Construction,
    /// It needs no trying.
    pub sure: bool,
    score: Score,
}

/// Less is better: doubts first, then length.
type Score = (usize, bool, usize, usize, usize);

pub(super) struct Search<'a> {
    pub surroundings: &'a dyn TypeFacts,
    case: &'a Case,
    graph: Graph,
    next_id: u32,
    objects: Vec<Object>,
    object_ways: BTreeMap<ObjectId, Vec<Construction>>,
}

impl<'a> Search<'a> {
    pub fn new(case: &'a Case, surroundings: &'a dyn TypeFacts) -> Search<'a> {
        let all = case.objects.iter().chain(&case.expect.after.objects).map(|object| object.id.0);
        let next_id = all.max().unwrap_or(0) + 1;
        let graph = Graph::of(case);
        Search { surroundings, case, graph, next_id, objects: Vec::new(), object_ways: BTreeMap::new() }
    }

    /// The objects that the search made up, and their ways.
    pub fn made(self) -> (Vec<Object>, BTreeMap<ObjectId, Vec<Construction>>) {
        (self.objects, self.object_ways)
    }

    pub fn ways(&mut self, id: ObjectId, instance: &Instance, depth: usize) -> Vec<Way> {
        let Some(name) = TypeName::parse(&instance.ty) else { return Vec::new() };
        let Some(info) = self.surroundings.type_info(&name.definition()) else { return Vec::new() };
        if !self.is_public(&name) || info.kind != TypeKind::Class {
            return Vec::new();
        }
        let mut ways = Vec::new();
        for constructor in &info.constructors {
            ways.extend(self.with_constructor(id, instance, &name, &info, constructor, depth));
        }
        ways.sort_by_key(|way| way.score);
        ways.truncate(MAX_WAYS);
        ways
    }

    /// For a class that is made up over an abstract one.
    pub fn mock_ways(&mut self, id: ObjectId, mock: &Mock, depth: usize) -> Vec<Way> {
        let Some(name) = TypeName::parse(&mock.ty) else { return Vec::new() };
        let Some(info) = self.surroundings.type_info(&name.definition()) else { return Vec::new() };
        if !self.is_public(&name) {
            return Vec::new();
        }
        let instance = Instance { ty: mock.ty.clone(), construction: None, fields: mock.fields.clone() };
        let mut ways = Vec::new();
        for constructor in &info.base_constructors {
            ways.extend(self.with_constructor(id, &instance, &name, &info, constructor, depth));
        }
        ways.sort_by_key(|way| way.score);
        ways.truncate(MAX_WAYS);
        ways
    }

    /// A test can name it.
    fn is_public(&self, name: &TypeName) -> bool {
        let known = match self.surroundings.type_info(&name.definition()) {
            Some(info) => info.public,
            None => name.namespace == "System" || name.namespace.starts_with("System."),
        };
        known && name.arguments.iter().all(|argument| self.is_public(argument))
    }

    fn with_constructor(
        &mut self,
        id: ObjectId,
        instance: &Instance,
        name: &TypeName,
        info: &TypeInfo,
        constructor: &Constructor,
        depth: usize,
    ) -> Vec<Way> {
        let types: Vec<String> =
            constructor.parameters.iter().map(|p| filled_in(&p.ty, &instance.ty)).collect();
        let mut choices: Vec<Vec<Choice>> = Vec::new();
        for (parameter, ty) in constructor.parameters.iter().zip(&types) {
            let stored = parameter.field.as_ref();
            let listed = stored.and_then(|key| instance.fields.iter().position(|f| is_field(f, key)));
            let choice = match (listed, stored) {
                (Some(index), _) => vec![Choice::field(instance, index)],
                (None, Some(_)) => self.free(ty, depth),
                (None, None) => self.guessed(instance, &parameter.name, ty, depth),
            };
            choices.push(choice);
        }
        let mut ways = Vec::new();
        for arguments in combinations(&choices) {
            ways.extend(self.completed(id, instance, name, info, constructor, &types, &arguments));
        }
        ways
    }

    fn free(&mut self, ty: &str, depth: usize) -> Vec<Choice> {
        self.free_values(ty, depth).into_iter().map(|value| Choice { value, field: None }).collect()
    }

    /// The field that is called like the parameter, or those of its type; else anything.
    fn guessed(&mut self, instance: &Instance, parameter: &str, ty: &str, depth: usize) -> Vec<Choice> {
        let fields = instance.fields.iter().enumerate();
        let fits = |field: &FieldValue| self.fits(&field.value, ty);
        let same_name: Vec<usize> = fields
            .clone()
            .filter(|(_, field)| plain_name(&field.name) == plain_name(parameter) && fits(field))
            .map(|(index, _)| index)
            .collect();
        let same_type = fields.filter(|(_, field)| {
            field.value.ty() == Some(ty)
                || matches!(field.value, Value::Object(id) if self.type_of(id) == Some(ty))
        });
        let mut indices = same_name.clone();
        indices.extend(same_type.map(|(index, _)| index).filter(|index| !same_name.contains(index)).take(2));
        let mut choices: Vec<Choice> =
            indices.into_iter().map(|index| Choice::field(instance, index)).collect();
        if same_name.is_empty() {
            choices.extend(self.free(ty, depth));
        }
        choices
    }

    fn fits(&self, value: &Value, ty: &str) -> bool {
        match value {
            Value::Null | Value::Object(_) => {
                !ty.starts_with("System.") || ty.contains('`') || !is_scalar(ty)
            }
            other => other.ty() == Some(ty),
        }
    }

    fn type_of(&self, id: ObjectId) -> Option<&'a str> {
        match &self.case.object(id)?.kind {
            ObjectKind::Object(instance) => Some(&instance.ty),
            ObjectKind::Array(array) => Some(&array.ty),
            ObjectKind::Collection(collection) => Some(&collection.ty),
            ObjectKind::Mock(mock) => Some(&mock.ty),
            ObjectKind::String(_) => Some("System.String"),
            ObjectKind::Boxed { .. } => None,
        }
    }

    /// Assignments for what the arguments leave open.
    #[allow(clippy::too_many_arguments)] // one step of the search
    fn completed(
        &mut self,
        id: ObjectId,
        instance: &Instance,
        name: &TypeName,
        info: &TypeInfo,
        constructor: &Constructor,
        types: &[String],
        choices: &[Choice],
    ) -> Vec<Way> {
        let arguments: Vec<Value> = choices.iter().map(|choice| choice.value.clone()).collect();
        let mut unexplained = 0;
        let mut needed = Vec::new();
        let mut possible = Vec::new();
        for (index, field) in instance.fields.iter().enumerate() {
            if choices.iter().any(|choice| choice.field == Some(index)) {
                continue;
            }
            let member = assignable(info, field);
            let constant = constructor.constants.iter().find(|(key, _)| is_field(field, key));
            let as_wanted = match constant {
                Some((_, value)) => *value == field.value,
                None => is_default(&field.value),
            };
            let required = member.is_some_and(|member| member.required && !constructor.sets_required);
            match member {
                Some(member) if !as_wanted || required => {
                    needed.push(Assigned { member: member.name.clone(), value: field.value.clone() });
                }
                Some(member) => {
                    possible.push(Assigned { member: member.name.clone(), value: field.value.clone() });
                }
                None if as_wanted => {}
                None => unexplained += 1,
            }
        }
        for member in info.members.iter().filter(|m| m.required && !constructor.sets_required) {
            if !instance.fields.iter().any(|field| is_field(field, &member.field)) {
                let ty = filled_in(&member.ty, &instance.ty);
                let value = self.free_values(&ty, usize::MAX).into_iter().next();
                needed.push(Assigned { member: member.name.clone(), value: value.unwrap_or(Value::Null) });
            }
        }
        let sure = !constructor.opaque
            && unexplained == 0
            && self.surroundings.accepts(&name.definition(), constructor, &arguments);
        let cyclic = arguments.iter().filter(|value| self.leads_back(value, id)).count();
        let made_up = choices.iter().filter(|choice| choice.field.is_none()).count();
        let way = |assigned: Vec<Assigned>, doubt: usize| Way {
            score: (
                unexplained + cyclic,
                !sure,
                doubt,
                arguments.len() + assigned.len() + made_up,
                assigned.len(),
            ),
            construction: Construction {
                factory: None,
                parameters: types.to_vec(),
                arguments: arguments.clone(),
                assigned,
                calls: Vec::new(),
            },
            sure: sure && doubt == 0,
        };
        let mut ways = vec![way(needed.clone(), 0)];
        if !sure && !possible.is_empty() {
            needed.extend(possible);
            ways.push(way(needed, 1));
        }
        ways
    }

    fn leads_back(&self, value: &Value, id: ObjectId) -> bool {
        matches!(value, Value::Object(to) if *to == id || self.graph.leads(*to, id))
    }

    pub fn new_id(&mut self) -> ObjectId {
        self.next_id += 1;
        ObjectId(self.next_id - 1)
    }

    pub fn add(&mut self, kind: ObjectKind) -> Value {
        let id = self.new_id();
        self.objects.push(Object { id, kind });
        Value::Object(id)
    }

    pub fn add_made(&mut self, object: Object, ways: Vec<Way>) {
        self.object_ways.insert(object.id, ways.into_iter().map(|way| way.construction).collect());
        self.objects.push(object);
    }
}

/// An argument, and the field that it is the value of.
#[derive(Clone, PartialEq)]
struct Choice {
    value: Value,
    field: Option<usize>,
}

impl Choice {
    fn field(instance: &Instance, index: usize) -> Choice {
        let value = instance.fields.get(index).map_or(Value::Null, |field| field.value.clone());
        Choice { value, field: Some(index) }
    }
}

/// The first combinations, those of first choices first, and the one in which nothing is null that need not be: whoever
/// refuses one null mostly refuses the others as well.
fn combinations(choices: &[Vec<Choice>]) -> Vec<Vec<Choice>> {
    let mut all = first_combinations(choices);
    let not_null = |choice: &&Choice| choice.value != Value::Null;
    let full: Option<Vec<Choice>> =
        choices.iter().map(|choice| choice.iter().rfind(not_null).or(choice.first()).cloned()).collect();
    all.extend(full.filter(|full| !all.contains(full)));
    all
}

fn first_combinations(choices: &[Vec<Choice>]) -> Vec<Vec<Choice>> {
    let mut all: Vec<Vec<Choice>> = vec![Vec::new()];
    for choice in choices {
        let longer = choice.iter().flat_map(|value| {
            all.iter().map(move |begun| begun.iter().cloned().chain([value.clone()]).collect::<Vec<_>>())
        });
        all = longer.take(MAX_PER_CONSTRUCTOR).collect();
    }
    all
}

/// `_balance`, `m_balance`, `<Balance>k__BackingField` and `balance` are one name.
fn plain_name(name: &str) -> String {
    let name = name.strip_prefix('<').and_then(|rest| rest.split_once('>')).map_or(name, |(name, _)| name);
    name.strip_prefix("m_").unwrap_or(name).trim_matches('_').to_lowercase()
}

fn is_scalar(ty: &str) -> bool {
    use crate::Primitive;
    ["0", "0x0", "true"].iter().any(|text| Primitive::parse(ty, text).is_some())
}
