//! The mocks of a path: exactly what the path asked of them, with the values of its model.

use term::Symbol;
use types::{FieldId, MethodId, Primitive, TypeId};
use verdict::Gap;
use vm::State;
use vm::inputs::Input;
use vm::inputs::mocks::{AskedCall, Returned};

use crate::from_path::Writer;
use crate::from_path::data::Data;
use case::{Assigns, FieldValue, Mock, MockedCall, MockedProperty, MockedResult, ObjectKind, Value};

impl Writer<'_> {
    /// A mock as it is made: what it gives during the call.
    pub(super) fn input_mock(
        &mut self,
        owner: Symbol,
        exact: TypeId,
        fields: &[(FieldId, Input)],
    ) -> Result<ObjectKind, Gap> {
        let mut mock = self.plain_mock(exact)?;
        mock.fields = self.needed_fields(fields)?;
        let asked = &self.state.path.origins.asked;
        for property in asked.properties.iter().filter(|property| property.owner == owner) {
            let Some(getter) = property.read else { continue };
            mock.properties.push(MockedProperty {
                declared_in: self.universe.type_name(property.declared_in),
                name: property.name.to_string(),
                value: self.first_value(owner, getter)?,
            });
        }
        let mut methods: Vec<MethodId> = Vec::new();
        for call in asked.calls.iter().filter(|call| call.owner == owner) {
            if !methods.contains(&call.method) {
                methods.push(call.method);
            }
        }
        for method in methods {
            let results = asked.calls_of(owner, method).map(|call| self.result(call));
            let results = results.collect::<Result<Vec<_>, _>>()?;
            mock.calls.extend(self.mocked_call(method, results)?);
        }
        Ok(ObjectKind::Mock(mock))
    }

    /// A mock of which the path asked nothing.
    pub(super) fn plain_mock(&self, exact: TypeId) -> Result<Mock, Gap> {
        let mut types = vec![exact];
        if let Some((base, interfaces)) = self.universe.mock(exact) {
            let is_object = self.universe.well_known()?.object == base;
            types = interfaces.to_vec();
            if !is_object || types.is_empty() {
                types.insert(0, base);
            }
        }
        let mut names = types.into_iter().map(|ty| self.universe.type_name(ty));
        let ty = names.next().unwrap_or_default();
        Ok(Mock { ty, interfaces: names.collect(), ..Mock::default() })
    }

    fn mocked_call(&self, method: MethodId, results: Vec<MockedResult>) -> Result<Option<MockedCall>, Gap> {
        let info = self.universe.method(method);
        let signature = self.universe.signature(method)?;
        let is_void = self.universe.primitive(signature.ret) == Some(Primitive::Void);
        let is_plain = |result: &MockedResult| result.assigns.is_empty() && result.throws.is_none();
        if is_void && results.iter().all(is_plain) {
            return Ok(None);
        }
        let names = |types: &[TypeId]| types.iter().map(|ty| self.universe.type_name(*ty)).collect();
        Ok(Some(MockedCall {
            declared_in: self.universe.type_name(info.owner),
            method: info.name.to_string(),
            parameters: names(&signature.params),
            generic_arguments: names(&info.args),
            results,
        }))
    }

    fn result(&mut self, call: &AskedCall) -> Result<MockedResult, Gap> {
        let inputs = &self.machine.inputs;
        if let Some(exception) = call.throws {
            let throws = Some(self.universe.type_name(exception.ty));
            let message = match inputs.message(call.owner, call.method, call.answer) {
                Some(message) if exception.has_message => Some(self.input(message)?),
                None if exception.has_message => return Err(lost()),
                _ => None,
            };
            return Ok(MockedResult { throws, message, ..MockedResult::default() });
        }
        let answer = inputs.answer(call.owner, call.method, call.answer);
        let Some(answer) = answer else { return Err(lost()) };
        let returns = match &answer.returns {
            Returned::Value(input) | Returned::Task(_, Some(input)) => Some(self.input(input)?),
            Returned::Nothing | Returned::Default(_) | Returned::Task(_, None) => None,
        };
        let mut assigns = Vec::new();
        for (parameter, input) in &answer.assigns {
            assigns.push(Assigns { parameter: *parameter, value: self.input(input)? });
        }
        Ok(MockedResult { returns, assigns, ..MockedResult::default() })
    }

    fn first_value(&mut self, owner: Symbol, getter: MethodId) -> Result<Value, Gap> {
        let Some(answer) = self.machine.inputs.answer(owner, getter, 0) else { return Err(lost()) };
        match &answer.returns {
            Returned::Value(input) | Returned::Task(_, Some(input)) => self.input(input),
            Returned::Default(ty) => self.default_value(*ty),
            Returned::Nothing | Returned::Task(_, None) => Ok(Value::Null),
        }
    }

    /// A mock after the call: the fields of its base class, and the properties that were set.
    pub(super) fn mock_after(
        &mut self,
        state: &State,
        owner: Symbol,
        exact: TypeId,
        data: &Data,
    ) -> Result<ObjectKind, Gap> {
        let mut mock = self.plain_mock(exact)?;
        if self.universe.is_mock(exact) {
            mock.fields = self.fields_after(state, Some(owner), exact, data)?;
        }
        for property in state.path.origins.asked.properties.iter().filter(|property| property.owner == owner)
        {
            let Some((ty, value)) = &property.set else { continue };
            let getter =
                self.universe.methods_named(property.declared_in, &format!("get_{}", property.name))?;
            if !getter.iter().any(|getter| self.universe.method(*getter).is_public()) {
                continue;
            }
            // What cannot be written down is not looked at.
            let Ok(value) = self.stack_value(state, *ty, value) else { continue };
            mock.properties.push(MockedProperty {
                declared_in: self.universe.type_name(property.declared_in),
                name: property.name.to_string(),
                value,
            });
        }
        Ok(ObjectKind::Mock(mock))
    }
}

/// Whether a mock is not as it was made. Fields that are not listed had their default value.
pub(super) fn changed(before: &Mock, after: &Mock) -> bool {
    let field_changed = |field: &FieldValue| {
        let same = |f: &&FieldValue| f.name == field.name && f.declaring == field.declaring;
        match before.fields.iter().find(same) {
            Some(f) => f.value != field.value,
            None => !case::construct::is_default(&field.value),
        }
    };
    !after.properties.is_empty() || after.fields.iter().any(field_changed)
}

fn lost() -> Gap {
    Gap::internal_error("a mocked call without an answer")
}
