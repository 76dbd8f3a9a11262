//! The graph of a case's objects: what leads to what while the input is made, who is used more than once, what is cyclic.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Case, Construction, FieldValue, Object, ObjectId, ObjectKind, Value};

#[derive(Clone, Debug, Default)]
pub struct Graph {
    edges: BTreeMap<ObjectId, Vec<ObjectId>>,
    roots: Vec<ObjectId>,
}

impl Graph {
    /// What the test writes: where an object has a construction, only what goes in there.
    pub fn of(case: &Case) -> Graph {
        Graph::with(case, true, |construction, fields| match construction {
            Some(way) => way.needed().chain(way.assigned.iter().map(|item| &item.value)).collect(),
            None => fields.iter().map(|field| &field.value).collect(),
        })
    }

    /// Only what must be there before an object is.
    pub fn of_constructors(case: &Case) -> Graph {
        Graph::with(case, false, |construction, _| match construction {
            Some(way) => way.needed().collect(),
            None => Vec::new(),
        })
    }

    fn with<'a>(case: &'a Case, answers: bool, parts: impl Parts<'a>) -> Graph {
        let mut graph = Graph::default();
        for value in case.roots() {
            collect(value, &mut graph.roots);
        }
        for object in &case.objects {
            let mut targets = Vec::new();
            for value in contents(object, answers, &parts) {
                collect(value, &mut targets);
            }
            graph.edges.insert(object.id, targets);
        }
        graph
    }

    /// How many places refer to the object.
    pub fn uses(&self, id: ObjectId) -> usize {
        self.roots.iter().chain(self.edges.values().flatten()).filter(|target| **target == id).count()
    }

    pub fn in_cycle(&self, id: ObjectId) -> bool {
        self.leads(id, id)
    }

    /// In one step or more.
    pub fn leads(&self, from: ObjectId, to: ObjectId) -> bool {
        let targets = self.edges.get(&from).into_iter().flatten();
        self.closure(targets.copied()).contains(&to)
    }

    pub fn reachable(&self) -> BTreeSet<ObjectId> {
        self.closure(self.roots.iter().copied())
    }

    fn closure(&self, from: impl Iterator<Item = ObjectId>) -> BTreeSet<ObjectId> {
        let mut open: Vec<ObjectId> = from.collect();
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                open.extend(self.edges.get(&id).into_iter().flatten().copied());
            }
        }
        seen
    }
}

/// The objects that a value names.
pub fn collect(value: &Value, into: &mut Vec<ObjectId>) {
    match value {
        Value::Object(id) => into.push(*id),
        Value::Struct { fields, .. } => fields.iter().for_each(|field| collect(&field.value, into)),
        Value::Span { span, .. } => into.extend(span.over),
        Value::Null | Value::Primitive(_) | Value::Enum { .. } => {}
    }
}

/// What counts of the way in which an object is made and of its fields.
trait Parts<'a>: Fn(Option<&'a Construction>, &'a [FieldValue]) -> Vec<&'a Value> {}

impl<'a, F: Fn(Option<&'a Construction>, &'a [FieldValue]) -> Vec<&'a Value>> Parts<'a> for F {}

/// `answers`: what mocks give counts as well.
fn contents<'a>(object: &'a Object, answers: bool, parts: &impl Parts<'a>) -> Vec<&'a Value> {
    match &object.kind {
        ObjectKind::Object(instance) => parts(instance.construction.as_ref(), &instance.fields),
        ObjectKind::Mock(mock) => {
            let mut all = parts(mock.construction.as_ref(), &mock.fields);
            all.extend(mock.answers().filter(|_| answers));
            all
        }
        ObjectKind::Array(array) => array.elements.iter().map(|element| &element.value).collect(),
        ObjectKind::Collection(collection) => {
            collection.items.iter().flat_map(|item| item.key.iter().chain([&item.value])).collect()
        }
        ObjectKind::Boxed { value } => vec![value],
        ObjectKind::String(_) => Vec::new(),
    }
}
