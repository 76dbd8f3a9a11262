//! Mocked delegates: lambdas.

use crate::literal::Wanted;
use crate::mocks::implement::{mode_word, parameter_name};
use crate::mocks::plan::{Part, awaited, values};
use crate::object::HOLE;
use crate::test::{TestWriter, Written};
use crate::value::creation;
use case::construct::is_default;
use case::contract::{ByRef, MethodShape, Shape};
use case::type_name::TypeName;
use case::{Mock, MockedCall, MockedResult, Mode, ObjectId, ObjectKind, Value, graph};

impl TestWriter<'_> {
    pub(crate) fn is_delegate(&self, mock: &Mock) -> bool {
        self.stubs.delegate(&mock.ty).is_some()
    }

    /// A delegate that has no name yet.
    pub(crate) fn is_new_delegate(&self, id: ObjectId, mock: &Mock) -> bool {
        self.is_delegate(mock) && !self.objects.contains_key(&id) && !self.pending.contains(&id)
    }

    /// `x => 5`. Where nothing says which delegate is meant, the type is written as well.
    pub(crate) fn lambda(
        &mut self,
        id: ObjectId,
        mock: &Mock,
        is_known: bool,
        hint: &str,
    ) -> Written<String> {
        let short = TypeName::parse(&mock.ty).map(|name| name.simple().to_owned()).unwrap_or_default();
        let name = self.public_name(&mock.ty).ok_or_else(|| format!("{short} is not public"))?;
        let stubs = self.stubs;
        let shape = stubs.delegate(&mock.ty).and_then(|contract| contract.members.first());
        let Some(Shape::Method(invoke)) = shape.map(|member| &member.shape) else {
            return Err(format!("it is not known how {short} is called"));
        };
        self.pending.push(id);
        let mut after = Vec::new();
        let text = self.lambda_text(id, invoke, mock.calls.first(), &mut after)?;
        self.pending.pop();
        if self.named.contains(&id) || !after.is_empty() {
            let local = self.declare(id, &name, &text, hint);
            for (list, value) in after {
                self.put(&format!("{list}.Add({HOLE});"), &value, "", Wanted::Converted, hint)?;
            }
            self.flush()?;
            return Ok(local);
        }
        self.flush()?;
        Ok(if is_known { text } else { format!("({name})({text})") })
    }

    fn lambda_text(
        &mut self,
        id: ObjectId,
        invoke: &MethodShape,
        call: Option<&MockedCall>,
        after: &mut Vec<(String, Value)>,
    ) -> Written<String> {
        let by_ref = invoke.parameters.iter().any(|p| p.mode != Mode::Value);
        let names = self.parameter_names(invoke, by_ref);
        let mut head = Vec::new();
        for (parameter, name) in invoke.parameters.iter().zip(&names) {
            head.push(match by_ref {
                true => {
                    let ty = self.public_name(&parameter.ty);
                    let ty = ty.ok_or_else(|| format!("{} is not public", parameter.ty))?;
                    format!("{}{ty} {name}", mode_word(parameter.mode))
                }
                false => name.clone(),
            });
        }
        let head = match head.as_slice() {
            [one] if !by_ref => one.clone(),
            all => format!("({})", all.join(", ")),
        };
        let mut statements = Vec::new();
        for (index, (parameter, name)) in invoke.parameters.iter().zip(&names).enumerate() {
            if !matches!(parameter.mode, Mode::Out | Mode::Ref) {
                continue;
            }
            let given: Vec<Option<Value>> = call
                .map(|call| values(call, Part::Parameter(index)).map(|value| value.cloned()).collect())
                .unwrap_or_default();
            statements.extend(self.assigned(id, parameter.mode, name, &parameter.ty, &given, after)?);
        }
        let results = call.map(|call| call.results.as_slice()).unwrap_or_default();
        if let Some(first) = results.first()
            && results.iter().any(|result| result.throws.is_some())
        {
            if results.iter().all(|result| result.exception() == first.exception()) {
                return Ok(format!("{head} => throw {}", self.exception(first)?));
            }
            statements.insert(0, self.next_exception(results)?);
        }
        let result = match invoke.returns.as_str() {
            "System.Void" => None,
            ty => Some(self.returned(id, invoke, ty, call, after)?),
        };
        Ok(match (statements.is_empty(), result) {
            (true, None) => format!("{head} => {{ }}"),
            (true, Some(result)) => format!("{head} => {result}"),
            (false, None) => format!("{head} => {{ {} }}", statements.join(" ")),
            (false, Some(result)) => format!("{head} => {{ {} return {result}; }}", statements.join(" ")),
        })
    }

    /// Some calls throw and some do not.
    fn next_exception(&mut self, results: &[MockedResult]) -> Written<String> {
        let mut texts = Vec::new();
        for result in results {
            texts.push(self.exception(result)?);
        }
        let list = self.scope.name("System.Collections.Generic.List`1[System.Exception]").unwrap_or_default();
        self.uses_next = true;
        let local = self.fresh("exceptions");
        self.arrange.push(format!("var {local} = new {list} {{ {} }};", texts.join(", ")));
        let exception = self.fresh("exception");
        Ok(format!("var {exception} = Next({local}); if ({exception} != null) throw {exception};"))
    }

    /// Nobody reads them, unless they are set.
    fn parameter_names(&mut self, invoke: &MethodShape, by_ref: bool) -> Vec<String> {
        let count = invoke.parameters.len();
        if !by_ref && (count == 1 || self.dialect.modern) {
            return vec!["_".to_owned(); count];
        }
        let parameters = invoke.parameters.iter().enumerate();
        parameters.map(|(index, parameter)| self.fresh(&parameter_name(parameter, index))).collect()
    }

    fn assigned(
        &mut self,
        id: ObjectId,
        mode: Mode,
        name: &str,
        ty: &str,
        given: &[Option<Value>],
        after: &mut Vec<(String, Value)>,
    ) -> Written<Vec<String>> {
        if mode == Mode::Out {
            return Ok(vec![format!("{name} = {};", self.given(id, ty, given, name, after)?)]);
        }
        let set: Vec<Option<Value>> = given.iter().take_while(|value| value.is_some()).cloned().collect();
        if given.iter().skip(set.len()).any(Option::is_some) {
            return Err("a delegate leaves a parameter as it is in between".to_owned());
        }
        let same = set.windows(2).all(|pair| pair.first() == pair.last());
        if set.is_empty() {
            return Ok(Vec::new());
        }
        if same && set.len() == given.len() {
            return Ok(vec![format!("{name} = {};", self.given(id, ty, &set, name, after)?)]);
        }
        let list = self.list_of(id, ty, &set, &format!("{name}s"), after)?;
        Ok(vec![format!("if ({list}.Count > 0) {name} = Next({list});")])
    }

    fn returned(
        &mut self,
        id: ObjectId,
        invoke: &MethodShape,
        ty: &str,
        call: Option<&MockedCall>,
        after: &mut Vec<(String, Value)>,
    ) -> Written<String> {
        let given: Vec<Option<Value>> = call
            .map(|call| values(call, Part::Returns).map(|value| value.cloned()).collect())
            .unwrap_or_default();
        if let Some(inner) = awaited(ty) {
            let text = match &inner {
                Some(inner) => Some(self.given(id, inner, &given, "result", after)?),
                None => None,
            };
            return self.in_task(ty, inner.as_deref(), text);
        }
        let text = self.given(id, ty, &given, "result", after)?;
        if invoke.by_ref == ByRef::No {
            return Ok(text);
        }
        if text.starts_with("Next(") {
            return Err("a delegate gives another reference each time".to_owned());
        }
        let element = self.public_name(ty).ok_or_else(|| format!("{ty} is not public"))?;
        let place = self.fresh("place");
        self.arrange.push(format!("var {place} = new {element}[] {{ {text} }};"));
        Ok(format!("ref {place}[0]"))
    }

    /// A completed task of the type. The type of the value is written: its text may be of another.
    pub(super) fn in_task(&self, ty: &str, inner: Option<&str>, text: Option<String>) -> Written<String> {
        let name = self.public_name(ty).ok_or_else(|| format!("{ty} is not public"))?;
        let task = self.scope.known("System.Threading.Tasks.Task");
        let is_value = ty.starts_with("System.Threading.Tasks.ValueTask");
        Ok(match (inner.and_then(|inner| self.public_name(inner)), text) {
            (Some(_), Some(text)) if is_value => format!("new {name}({text})"),
            (Some(inner), Some(text)) => match inner.as_str() {
                "int" | "bool" => format!("{task}.FromResult({text})"),
                _ => format!("{task}.FromResult<{inner}>({text})"),
            },
            _ if is_value => format!("default({name})"),
            _ => format!("{task}.CompletedTask"),
        })
    }

    /// One value, or the next one of a list.
    fn given(
        &mut self,
        id: ObjectId,
        ty: &str,
        given: &[Option<Value>],
        hint: &str,
        after: &mut Vec<(String, Value)>,
    ) -> Written<String> {
        let Some(first) = given.first() else { return self.default_of(ty) };
        let leads_back = given.iter().flatten().any(|value| self.leads_back(value, id));
        let same = given.iter().all(|value| value == first);
        if !same || leads_back {
            let list = self.list_of(id, ty, given, &format!("{hint}s"), after)?;
            return Ok(format!("Next({list})"));
        }
        match first {
            Some(value) if !is_default(value) => {
                self.name_objects(value);
                let hint = self.element_hint(value, "given");
                self.result(value, ty, &hint)
            }
            _ => self.default_of(ty),
        }
    }

    /// What a lambda gives is made once, not with every call.
    fn name_objects(&mut self, value: &Value) {
        let mut ids = Vec::new();
        graph::collect(value, &mut ids);
        let texts = |id: &ObjectId| {
            matches!(self.case.object(*id).map(|object| &object.kind), Some(ObjectKind::String(_)))
        };
        let named: Vec<ObjectId> = ids.into_iter().filter(|id| !texts(id)).collect();
        self.named.extend(named);
    }

    fn default_of(&self, ty: &str) -> Written<String> {
        Ok(match ty {
            "System.Boolean" => "false".to_owned(),
            "System.Int32" => "0".to_owned(),
            "System.String" | "System.Object" => "null".to_owned(),
            _ => {
                let name = self.public_name(ty).ok_or_else(|| format!("{ty} is not public"))?;
                format!("default({name})")
            }
        })
    }

    /// A local list of results.
    fn list_of(
        &mut self,
        id: ObjectId,
        ty: &str,
        given: &[Option<Value>],
        hint: &str,
        after: &mut Vec<(String, Value)>,
    ) -> Written<String> {
        let list = self.public_name(&format!("System.Collections.Generic.List`1[{ty}]"));
        let list = list.ok_or_else(|| format!("{ty} is not public"))?;
        self.uses_next = true;
        let leads_back = given.iter().flatten().any(|value| self.leads_back(value, id));
        let mut texts = Vec::new();
        for value in given.iter().filter(|_| !leads_back) {
            texts.push(match value {
                Some(value) => self.result(value, ty, hint)?,
                None => self.default_of(ty)?,
            });
        }
        let local = self.fresh(hint);
        let text = match texts.is_empty() {
            true => creation(&list, &[], &[]),
            false => format!("new {list} {{ {} }}", texts.join(", ")),
        };
        self.arrange.push(format!("var {local} = {text};"));
        for value in given.iter().filter(|_| leads_back) {
            after.push((local.clone(), value.clone().unwrap_or(Value::Null)));
        }
        Ok(local)
    }
}
