//! Collections of the framework that a case describes by their private fields, rewritten by what is in them.
//!
//! The engine sees a `List<int>` as an array and a size. A person writes its items, and no other version of the runtime
//! cares about the array. A collection in a state that its members never leave is not folded.

use std::collections::BTreeMap;

use crate::graph::collect;
use crate::type_facts::{TypeFacts, TypeKind};
use crate::type_name::TypeName;
use crate::{
    Array, Case, Collection, FieldValue, Instance, Item, Object, ObjectId, ObjectKind, Primitive, Value,
};

/// Folds the collections before and after the call.
pub fn fold_collections(case: &mut Case, surroundings: &dyn TypeFacts) {
    let roots: Vec<Value> = case.roots().cloned().collect();
    fold_table(&mut case.objects, &roots, surroundings);
    let mut roots = Vec::new();
    if let crate::Outcome::Returns(value) = &case.expect.outcome {
        roots.push(value.clone());
    }
    roots.extend(case.expect.after.arguments.iter().map(|argument| argument.value.clone()));
    fold_table(&mut case.expect.after.objects, &roots, surroundings);
}

fn fold_table(objects: &mut Vec<Object>, roots: &[Value], surroundings: &dyn TypeFacts) {
    let mut folded: BTreeMap<ObjectId, (Collection, Vec<ObjectId>)> = BTreeMap::new();
    let table = Table { objects, roots, surroundings };
    for object in table.objects {
        if let ObjectKind::Object(instance) = &object.kind
            && let Some(found) = table.folded(instance)
        {
            folded.insert(object.id, found);
        }
    }
    let inner: Vec<ObjectId> = folded.values().flat_map(|(_, inner)| inner.iter().copied()).collect();
    for object in objects.iter_mut() {
        if let Some((collection, _)) = folded.remove(&object.id) {
            object.kind = ObjectKind::Collection(collection);
        }
    }
    objects.retain(|object| !inner.contains(&object.id));
}

struct Table<'a> {
    objects: &'a [Object],
    roots: &'a [Value],
    surroundings: &'a dyn TypeFacts,
}

impl<'a> Table<'a> {
    /// The collection, and the objects that are parts of it.
    fn folded(&self, instance: &Instance) -> Option<(Collection, Vec<ObjectId>)> {
        if instance.construction.is_some() || instance.fields.is_empty() {
            return None;
        }
        let name = TypeName::parse(&instance.ty)?;
        let short = name.definition();
        let short = short.strip_prefix("System.Collections.Generic.")?;
        let fields = &instance.fields;
        let plain = |name: &str| field(fields, name).is_none_or(|value| *value == Value::Null);
        if !plain("_comparer") || !plain("comparer") {
            return None;
        }
        let element = name.arguments.last()?.to_string();
        let (items, inner) = match short {
            "List`1" => self.row(fields, "_items", 0, number(fields, "_size")?, &element)?,
            "Stack`1" => {
                let (mut items, inner) = self.row(fields, "_array", 0, number(fields, "_size")?, &element)?;
                items.reverse();
                (items, inner)
            }
            "Queue`1" => {
                let head = number(fields, "_head").unwrap_or_default();
                self.row(fields, "_array", head, number(fields, "_size")?, &element)?
            }
            "Dictionary`2" => self.entries(fields, "key", "value", "next")?,
            "HashSet`1" => self.entries(fields, "", "Value", "Next")?,
            _ => return None,
        };
        Some((Collection { ty: instance.ty.clone(), items }, inner))
    }

    /// So many elements from a place on, going round.
    fn row(
        &self,
        fields: &[FieldValue],
        name: &str,
        start: i32,
        count: i32,
        element: &str,
    ) -> Option<(Vec<Item>, Vec<ObjectId>)> {
        let Some(Value::Object(id)) = field(fields, name) else {
            // Nothing is known about the elements, so they are free; without an array there can be none.
            let free = field(fields, name).is_none();
            let value = self.default_of(element);
            let items = usize::try_from(count).ok().filter(|count| *count == 0 || free)?;
            return (items <= 64).then(|| (vec![Item { key: None, value }; items], Vec::new()));
        };
        let array = self.own_array(*id)?;
        let length = i32::try_from(*array.lengths.first()?).ok()?;
        if count < 0 || count > length || start < 0 || (count > 0 && start >= length) {
            return None;
        }
        let items =
            (0..count).map(|n| Item { key: None, value: self.element(array, (start + n) % length, element) });
        Some((items.collect(), vec![*id]))
    }

    fn entries(
        &self,
        fields: &[FieldValue],
        key: &str,
        value: &str,
        next: &str,
    ) -> Option<(Vec<Item>, Vec<ObjectId>)> {
        let count = number(fields, "_count").unwrap_or_default();
        let mut inner = Vec::new();
        for name in ["_buckets", "_entries"] {
            if let Some(Value::Object(id)) = field(fields, name) {
                self.own_array(*id)?;
                inner.push(*id);
            }
        }
        let Some(Value::Object(id)) = field(fields, "_entries") else {
            return (count == 0).then_some((Vec::new(), inner));
        };
        let array = self.own_array(*id)?;
        let mut items = Vec::new();
        for index in 0..count {
            let entry = array.elements.iter().find(|element| element.at == [index]);
            let Value::Struct { fields, .. } = &entry?.value else { return None };
            // Less than -1 marks an entry that was removed.
            if number(fields, next).unwrap_or(-1) < -1 {
                continue;
            }
            let key = if key.is_empty() { None } else { Some(field(fields, key)?.clone()) };
            items.push(Item { key, value: field(fields, value)?.clone() });
        }
        Some((items, inner))
    }

    /// An array that nothing else refers to.
    fn own_array(&self, id: ObjectId) -> Option<&'a Array> {
        let mut named = Vec::new();
        self.roots.iter().for_each(|root| collect(root, &mut named));
        for object in self.objects {
            match &object.kind {
                ObjectKind::Object(i) => i.fields.iter().for_each(|f| collect(&f.value, &mut named)),
                ObjectKind::Array(a) => a.elements.iter().for_each(|e| collect(&e.value, &mut named)),
                ObjectKind::Boxed { value } => collect(value, &mut named),
                ObjectKind::Collection(c) => c.items.iter().for_each(|i| collect(&i.value, &mut named)),
                ObjectKind::Mock(m) => {
                    m.fields.iter().for_each(|f| collect(&f.value, &mut named));
                    m.answers().for_each(|value| collect(value, &mut named));
                }
                ObjectKind::String(_) => {}
            }
        }
        let object = self.objects.iter().find(|object| object.id == id)?;
        match &object.kind {
            ObjectKind::Array(array) if named.iter().filter(|other| **other == id).count() == 1 => {
                Some(array)
            }
            _ => None,
        }
    }

    fn element(&self, array: &Array, index: i32, ty: &str) -> Value {
        let listed = array.elements.iter().find(|element| element.at == [index]);
        listed.map_or_else(|| self.default_of(ty), |element| element.value.clone())
    }

    fn default_of(&self, ty: &str) -> Value {
        let zero = Primitive::parse(ty, "0").or_else(|| Primitive::parse(ty, "0x0"));
        if let Some(zero) = zero.or_else(|| Primitive::parse(ty, "false")) {
            return zero.into();
        }
        let definition = TypeName::parse(ty).filter(TypeName::is_plain).map(|name| name.definition());
        let kind = definition.and_then(|name| self.surroundings.type_info(&name)).map(|info| info.kind);
        match kind {
            Some(TypeKind::Enum) => Value::Enum { ty: ty.to_owned(), value: 0 },
            Some(TypeKind::Struct) => Value::Struct { ty: ty.to_owned(), fields: Vec::new() },
            _ => Value::Null,
        }
    }
}

fn field<'f>(fields: &'f [FieldValue], name: &str) -> Option<&'f Value> {
    fields.iter().find(|field| field.name == name).map(|field| &field.value)
}

fn number(fields: &[FieldValue], name: &str) -> Option<i32> {
    match field(fields, name)? {
        Value::Primitive(primitive) => primitive.integer().and_then(|value| i32::try_from(value).ok()),
        _ => None,
    }
}
