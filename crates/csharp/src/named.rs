//! Which objects of a test need a local variable: shared ones, those in cycles, and those that assertions speak of.

use std::collections::BTreeSet;

use case::construct::is_default;
use case::graph::{Graph, collect};
use case::{Case, Object, ObjectId, ObjectKind, Outcome, Value};

pub fn locals(case: &Case) -> BTreeSet<ObjectId> {
    let graph = Graph::of(case);
    let mut named: BTreeSet<ObjectId> = BTreeSet::new();
    let inputs = case.objects.iter().filter(|object| !matches!(object.kind, ObjectKind::String(_)));
    for Object { id, .. } in inputs.clone() {
        if graph.uses(*id) > 1 || graph.in_cycle(*id) {
            named.insert(*id);
        }
    }
    let mut mentioned = Vec::new();
    if let Outcome::Returns(value) = &case.expect.outcome {
        collect(value, &mut mentioned);
    }
    let after = &case.expect.after;
    let values = after.arguments.iter().map(|a| &a.value).chain(after.statics.iter().map(|s| &s.value));
    values.for_each(|value| collect(value, &mut mentioned));
    for object in &after.objects {
        let before = case.object(object.id);
        let changes = changes(before, object);
        if before.is_some() && !changes.is_empty() {
            mentioned.push(object.id);
        }
        changes.into_iter().for_each(|value| collect(value, &mut mentioned));
    }
    for id in mentioned {
        named.insert(id);
        named.extend(owner(case, id));
    }
    named.retain(|id| inputs.clone().any(|object| object.id == *id));
    named
}

/// The object whose constructor made this one.
pub fn owner(case: &Case, id: ObjectId) -> Option<ObjectId> {
    let owners = case.objects.iter().filter(|object| match &object.kind {
        ObjectKind::Object(instance) => {
            instance.construction.is_some() && instance.fields.iter().any(|f| f.value == Value::Object(id))
        }
        _ => false,
    });
    owners.map(|object| object.id).next()
}

/// The values in an object that were not there before.
pub fn changes<'a>(before: Option<&Object>, after: &'a Object) -> Vec<&'a Value> {
    let before = before.map(|object| &object.kind);
    match (&after.kind, before) {
        (ObjectKind::Object(after), before) => {
            let old = match before {
                Some(ObjectKind::Object(before)) => before.fields.as_slice(),
                _ => &[],
            };
            let was = |name: &str, declaring: &str| {
                old.iter().find(|f| f.name == name && f.declaring == declaring).map(|f| &f.value)
            };
            let changed = after.fields.iter().filter(|field| {
                let was = was(&field.name, &field.declaring);
                was.map_or(!is_default(&field.value), |was| *was != field.value)
            });
            changed.map(|field| &field.value).collect()
        }
        (ObjectKind::Array(after), before) => {
            let old = match before {
                Some(ObjectKind::Array(before)) => before.elements.as_slice(),
                _ => &[],
            };
            let changed = after.elements.iter().filter(|element| {
                let was = old.iter().find(|old| old.at == element.at).map(|old| &old.value);
                was.map_or(!is_default(&element.value), |was| *was != element.value)
            });
            changed.map(|element| &element.value).collect()
        }
        (ObjectKind::Collection(after), before) => match before {
            Some(ObjectKind::Collection(before)) if before == after => Vec::new(),
            _ => after.items.iter().flat_map(|item| item.key.iter().chain([&item.value])).collect(),
        },
        (ObjectKind::Boxed { value }, _) => vec![value],
        (ObjectKind::Mock(after), before) => {
            let (fields, properties) = match before {
                Some(ObjectKind::Mock(before)) => (before.fields.as_slice(), before.properties.as_slice()),
                _ => Default::default(),
            };
            let changed =
                after.fields.iter().filter(|field| !fields.contains(field)).map(|field| &field.value);
            let set = after.properties.iter().filter(|property| !properties.contains(property));
            changed.chain(set.map(|property| &property.value)).collect()
        }
        (ObjectKind::String(_), _) => Vec::new(),
    }
}
