//! Rules that are visible in a class and that an input breaks. Objects of the class never are in such a state: what
//! happens then is no plain bug.

use std::collections::BTreeMap;

use crate::construct::is_field;
use crate::type_facts::TypeFacts;
use crate::type_name::TypeName;
use crate::{Case, Instance, ObjectId, ObjectKind, Value};

/// Notes the rules that objects break which are made without a constructor.
pub fn note_broken_rules(case: &mut Case, surroundings: &dyn TypeFacts) {
    let rules = rules(case, surroundings);
    let broken = case.made_by_reflection().into_iter().filter_map(|id| rules.get(&id)).flatten();
    case.breaks = broken.cloned().collect();
    case.breaks.sort();
    case.breaks.dedup();
}

pub(super) fn rules(case: &Case, surroundings: &dyn TypeFacts) -> BTreeMap<ObjectId, Vec<String>> {
    let mut found = BTreeMap::new();
    for object in &case.objects {
        if let ObjectKind::Object(instance) = &object.kind {
            let broken = broken(instance, surroundings);
            if !broken.is_empty() {
                found.insert(object.id, broken);
            }
        }
    }
    found
}

fn broken(instance: &Instance, surroundings: &dyn TypeFacts) -> Vec<String> {
    let Some(name) = TypeName::parse(&instance.ty) else { return Vec::new() };
    let Some(info) = surroundings.type_info(&name.definition()) else { return Vec::new() };
    if crate::collections::is_collection(&name.definition()) {
        return vec![format!("no member of {} leaves it in this state", name.simple())];
    }
    let nulls = instance.fields.iter().filter(|field| field.value == Value::Null);
    let broken = nulls.filter(|field| info.never_null.iter().any(|key| is_field(field, key)));
    broken
        .map(|field| {
            format!(
                "the readonly field {} of {} is null, and no constructor leaves it so",
                field.name,
                name.simple()
            )
        })
        .collect()
}
