//! Values for parameters that nothing in the case is about: whatever the constructor accepts will do.

use crate::construct::candidates::Search;
use crate::type_facts::TypeKind;
use crate::type_name::{Suffix, TypeName};
use crate::{
    Array, Collection, Construction, Factory, Instance, Mock, Object, ObjectKind, Primitive, Text, Value,
};

/// Objects are made for parameters of objects that are made for parameters only so deep.
const MAX_DEPTH: usize = 2;

impl Search<'_> {
    /// The likeliest first.
    pub(super) fn free_values(&mut self, ty: &str, depth: usize) -> Vec<Value> {
        if let Some(zero) = Primitive::parse(ty, "0").or_else(|| Primitive::parse(ty, "0x0")) {
            let one = Primitive::parse(ty, "1");
            return std::iter::once(zero).chain(one).map(Value::from).collect();
        }
        let Some(name) = TypeName::parse(ty) else { return vec![Value::Null] };
        match name.suffixes.last() {
            Some(Suffix::Array { rank }) => {
                let lengths = vec![0; *rank];
                let array =
                    Array { ty: ty.to_owned(), lengths, lower_bounds: Vec::new(), elements: Vec::new() };
                return vec![self.add(ObjectKind::Array(array)), Value::Null];
            }
            Some(Suffix::Pointer | Suffix::ByRef) => return Vec::new(),
            None => {}
        }
        let definition = name.definition();
        match definition.as_str() {
            "System.Boolean" => return [false, true].map(Value::boolean).to_vec(),
            "System.String" => {
                let empty = self.add(ObjectKind::String(Text(Vec::new())));
                let letter = self.add(ObjectKind::String(Text(vec![u16::from(b'a')])));
                return vec![empty, letter, Value::Null];
            }
            "System.Type" => return vec![self.type_of_object(), Value::Null],
            _ => {}
        }
        if let Some(collection) = collection_for(ty, &name) {
            let empty = Collection { ty: collection, items: Vec::new() };
            return vec![self.add(ObjectKind::Collection(empty)), Value::Null];
        }
        let Some(info) = self.surroundings.type_info(&definition) else { return vec![Value::Null] };
        match info.kind {
            TypeKind::Enum => {
                let first = info.enum_members.first().map_or(0, |(_, value)| *value);
                let mut values = vec![first];
                values.extend((first != 0).then_some(0));
                values.into_iter().map(|value| Value::Enum { ty: ty.to_owned(), value }).collect()
            }
            TypeKind::Struct => vec![Value::Struct { ty: ty.to_owned(), fields: Vec::new() }],
            TypeKind::Class if depth < MAX_DEPTH && !info.constructors.is_empty() => {
                let instance = Instance { ty: ty.to_owned(), construction: None, fields: Vec::new() };
                vec![self.add_instance(instance, depth + 1), Value::Null]
            }
            TypeKind::Class if depth < MAX_DEPTH && !info.base_constructors.is_empty() => {
                vec![Value::Null, self.add_mock(ty, depth + 1)]
            }
            TypeKind::Interface | TypeKind::Delegate if info.public => {
                vec![Value::Null, self.add(ObjectKind::Mock(Mock { ty: ty.to_owned(), ..Mock::default() }))]
            }
            _ => vec![Value::Null],
        }
    }

    /// A class that is made up over an abstract one.
    fn add_mock(&mut self, ty: &str, depth: usize) -> Value {
        let mock = Mock { ty: ty.to_owned(), ..Mock::default() };
        let id = self.new_id();
        let ways = self.mock_ways(id, &mock, depth);
        if ways.is_empty() {
            return Value::Null;
        }
        self.add_made(Object { id, kind: ObjectKind::Mock(mock) }, ways);
        Value::Object(id)
    }

    /// `typeof(object)`.
    fn type_of_object(&mut self) -> Value {
        let name = self.add(ObjectKind::String(Text("System.Object".encode_utf16().collect())));
        let factory =
            Factory { ty: "System.Type".to_owned(), method: "GetType".to_owned(), ..Factory::default() };
        let construction = Construction {
            factory: Some(factory),
            parameters: vec!["System.String".to_owned()],
            arguments: vec![name],
            ..Construction::default()
        };
        let ty = "System.Type".to_owned();
        self.add(ObjectKind::Object(Instance { ty, construction: Some(construction), fields: Vec::new() }))
    }

    fn add_instance(&mut self, instance: Instance, depth: usize) -> Value {
        let id = self.new_id();
        let ways = self.ways(id, &instance, depth);
        if ways.is_empty() {
            return Value::Null;
        }
        self.add_made(Object { id, kind: ObjectKind::Object(instance) }, ways);
        Value::Object(id)
    }
}

/// The collection to give where the type is needed.
fn collection_for(ty: &str, name: &TypeName) -> Option<String> {
    const OF_ONE: [&str; 5] =
        ["IEnumerable`1", "ICollection`1", "IList`1", "IReadOnlyCollection`1", "IReadOnlyList`1"];
    const OF_TWO: [&str; 2] = ["IDictionary`2", "IReadOnlyDictionary`2"];
    let definition = name.definition();
    if crate::collections::is_collection(&definition) {
        return Some(ty.to_owned());
    }
    let short = definition.strip_prefix("System.Collections.Generic.")?;
    let arguments = ty.find('[').and_then(|at| ty.get(at..))?;
    if OF_ONE.contains(&short) {
        Some(format!("System.Collections.Generic.List`1{arguments}"))
    } else if OF_TWO.contains(&short) {
        Some(format!("System.Collections.Generic.Dictionary`2{arguments}"))
    } else {
        None
    }
}
