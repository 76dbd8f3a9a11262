//! What depends on the clock or on chance is not asserted, and neither is what is too large to be written.

use std::collections::BTreeSet;

use case::{After, Object, ObjectId, ObjectKind, Outcome, Value};

/// Stands for a value that another run would not see, until [`drop_unsure`].
pub(super) fn unsure() -> Value {
    Value::Struct { ty: String::new(), fields: Vec::new() }
}

/// An object of which nothing is known.
pub(super) fn unsure_object() -> ObjectKind {
    ObjectKind::Boxed { value: unsure() }
}

/// Takes everything out of an expectation that another run would not see. Of objects their other fields stay.
pub(super) fn drop_unsure(outcome: &mut Outcome, after: &mut After) {
    let mut unknown = BTreeSet::new();
    loop {
        let news = after.objects.iter().filter(|object| !unknown.contains(&object.id));
        let news: Vec<ObjectId> =
            news.filter(|object| is_unknown(object, &unknown)).map(|object| object.id).collect();
        if news.is_empty() {
            break;
        }
        unknown.extend(news);
    }
    after.objects.retain(|object| !unknown.contains(&object.id));
    for object in &mut after.objects {
        match &mut object.kind {
            ObjectKind::Object(instance) => {
                instance.fields.retain(|field| !is_unsure(&field.value, &unknown));
            }
            ObjectKind::Mock(mock) => {
                mock.fields.retain(|field| !is_unsure(&field.value, &unknown));
                mock.properties.retain(|property| !is_unsure(&property.value, &unknown));
            }
            _ => {}
        }
    }
    after.arguments.retain(|argument| !is_unsure(&argument.value, &unknown));
    after.statics.retain(|field| !is_unsure(&field.value, &unknown));
    after.this.take_if(|this| is_unsure(this, &unknown));
    if matches!(outcome, Outcome::Returns(value) if is_unsure(value, &unknown)) {
        *outcome = Outcome::Returned;
    }
}

fn is_unknown(object: &Object, unknown: &BTreeSet<ObjectId>) -> bool {
    match &object.kind {
        ObjectKind::Boxed { value } => is_unsure(value, unknown),
        ObjectKind::Array(array) => array.elements.iter().any(|element| is_unsure(&element.value, unknown)),
        ObjectKind::Collection(collection) => collection.items.iter().any(|item| {
            is_unsure(&item.value, unknown) || item.key.as_ref().is_some_and(|key| is_unsure(key, unknown))
        }),
        _ => false,
    }
}

fn is_unsure(value: &Value, unknown: &BTreeSet<ObjectId>) -> bool {
    match value {
        Value::Struct { ty, fields } => {
            ty.is_empty() || fields.iter().any(|field| is_unsure(&field.value, unknown))
        }
        Value::Object(id) => unknown.contains(id),
        Value::Span { span, .. } => span.over.is_some_and(|id| unknown.contains(&id)),
        _ => false,
    }
}
