//! Objects of the framework by the constructor or static member that gives them.

use types::{MethodId, Type, TypeId};
use verdict::Gap;
use vm::inputs::making::{Argument, Making};
use vm::inputs::recipes::Plan;

use crate::from_path::{Writer, not_scalar};
use case::{Array, Construction, Factory, Instance, Object, ObjectId, ObjectKind, Text, Value};

impl Writer<'_> {
    /// An object as it was made on the path.
    pub(super) fn made(&mut self, ty: TypeId, way: &Making) -> Result<ObjectKind, Gap> {
        match way {
            Making::TypeOf(named) => Ok(self.type_of(ty, *named)),
            Making::Call { method, arguments } => {
                let mut values = Vec::new();
                for argument in arguments {
                    values.push(match argument {
                        Argument::Input(input) => self.input(input)?,
                        Argument::Number { ty, value } => self.number(*ty, *value)?,
                        Argument::Text(text) => self.new_object(text_object(text)),
                        Argument::TypeOf { ty, named } => {
                            let kind = self.type_of(*ty, *named);
                            self.new_object(kind)
                        }
                    });
                }
                self.given_by(ty, *method, values)
            }
        }
    }

    /// An object of a class that is made by code, whatever it holds; `None` if the class is not made so.
    pub(super) fn any_made(&mut self, ty: TypeId) -> Result<Option<ObjectKind>, Gap> {
        let Some(way) = self.machine.first_making(ty)? else { return Ok(None) };
        let (method, given) = match way {
            vm::inputs::making::Sample::TypeOf(named) => {
                let named = self.unused_type(ty)?.unwrap_or(named);
                return Ok(Some(self.type_of(ty, named)));
            }
            vm::inputs::making::Sample::Call { method, given } => (method, given),
        };
        let mut values = Vec::new();
        for (ty, argument) in given {
            values.push(match argument {
                Some(Argument::Number { ty, value }) => self.number(ty, value)?,
                Some(Argument::Text(text)) => self.new_object(text_object(text)),
                Some(Argument::TypeOf { ty, named }) => {
                    let kind = self.type_of(ty, named);
                    self.new_object(kind)
                }
                _ => self.plain_value(ty)?,
            });
        }
        self.given_by(ty, method, values).map(Some)
    }

    /// A value that hardly anybody refuses.
    fn plain_value(&mut self, ty: TypeId) -> Result<Value, Gap> {
        if let Some(value) = self.scalar(ty, 0)? {
            return Ok(value);
        }
        if self.universe.is_value_type(ty) {
            return Ok(Value::Struct { ty: self.universe.type_name(ty), fields: Vec::new() });
        }
        if self.universe.well_known()?.string == ty {
            return Ok(self.new_object(text_object("a")));
        }
        let name = self.universe.type_name(ty);
        if matches!(self.universe.ty(ty), Type::SzArray(_)) {
            let (lengths, lower_bounds, elements) = (vec![0], Vec::new(), Vec::new());
            return Ok(self.new_object(ObjectKind::Array(Array {
                ty: name,
                lengths,
                lower_bounds,
                elements,
            })));
        }
        let kind = self.any_object(ty)?;
        Ok(self.new_object(kind))
    }

    /// A type that the case has not named yet: two objects of a case that stand for one type would be the same.
    fn unused_type(&self, ty: TypeId) -> Result<Option<TypeId>, Gap> {
        let is_used = |named: TypeId| {
            let name = text_object(&self.universe.type_name(named));
            self.objects.iter().any(|object| object.kind == name)
        };
        let plans = self.machine.plans(ty)?;
        let types = plans.iter().filter_map(|plan| match plan {
            Plan::TypeOf(named) => Some(*named),
            Plan::Call { .. } => None,
        });
        Ok(types.into_iter().find(|named| !is_used(*named)))
    }

    fn number(&self, ty: TypeId, value: i32) -> Result<Value, Gap> {
        let bits = i64::from(value).cast_unsigned();
        self.scalar(ty, bits)?.ok_or_else(|| not_scalar(self.universe, ty))
    }

    fn type_of(&mut self, ty: TypeId, named: TypeId) -> ObjectKind {
        let text = self.new_object(text_object(&self.universe.type_name(named)));
        let factory =
            Factory { ty: "System.Type".to_owned(), method: "GetType".to_owned(), ..Factory::default() };
        let construction = Construction {
            factory: Some(factory),
            parameters: vec!["System.String".to_owned()],
            arguments: vec![text],
            ..Construction::default()
        };
        let ty = self.universe.type_name(ty);
        ObjectKind::Object(Instance { ty, construction: Some(construction), fields: Vec::new() })
    }

    fn given_by(&mut self, ty: TypeId, method: MethodId, arguments: Vec<Value>) -> Result<ObjectKind, Gap> {
        let universe = self.universe;
        let info = universe.method(method);
        let parameters =
            universe.signature(method)?.params.iter().map(|ty| universe.type_name(*ty)).collect();
        let owner = universe.type_name(info.owner);
        let factory = (!info.is_constructor()).then(|| Factory {
            ty: owner.clone(),
            method: info.name.to_string(),
            generic_arguments: info.args.iter().map(|ty| universe.type_name(*ty)).collect(),
            ..Factory::default()
        });
        let ty = if factory.is_some() { universe.type_name(ty) } else { owner };
        let construction = Some(Construction { factory, parameters, arguments, ..Construction::default() });
        Ok(ObjectKind::Object(Instance { ty, construction, fields: Vec::new() }))
    }

    pub(super) fn new_object(&mut self, kind: ObjectKind) -> Value {
        let id = ObjectId(self.next_id);
        self.next_id += 1;
        self.objects.push(Object { id, kind });
        Value::Object(id)
    }
}

fn text_object(text: &str) -> ObjectKind {
    ObjectKind::String(Text(text.encode_utf16().collect()))
}
