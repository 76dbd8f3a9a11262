//! Values as expressions; objects become local variables on the way.

use super::{
    known_structs,
    literal::{self, Wanted},
    test::{TestWriter, Written},
};
use crate::{
    case::{Array, Element, FieldValue, Instance, ObjectId, ObjectKind, Primitive, Value},
    construct::{self, Plan, is_default},
    surroundings::{Member, TypeInfo, TypeKind, Writable},
    type_name::TypeName,
};

/// Arrays of more elements are written as assignments of those that are not default.
const MAX_LISTED_ELEMENTS: u32 = 64;

impl TestWriter<'_> {
    /// An expression for the value where a `ty` is needed; `hint` names the local that it may need.
    pub(super) fn value(&mut self, value: &Value, ty: &str, wanted: Wanted, hint: &str) -> Written<String> {
        match value {
            Value::Null => Ok(self.null(ty, wanted)),
            Value::Primitive(primitive) => Ok(self.scalar(*primitive, wanted)),
            Value::Enum { ty, value } => self.enum_value(ty, *value),
            Value::Struct { ty, fields } => self.struct_value(ty, fields, wanted),
            Value::Object(id) => self.object(*id, wanted, hint),
        }
    }

    fn null(&self, ty: &str, wanted: Wanted) -> String {
        match self.public_name(ty) {
            Some(name) if wanted == Wanted::Exact => format!("({name})null"),
            _ => "null".to_owned(),
        }
    }

    fn scalar(&self, primitive: Primitive, wanted: Wanted) -> String {
        let text = literal::primitive(primitive, wanted);
        match text.strip_prefix("BitConverter") {
            Some(rest) => self.scope.known("System.BitConverter") + rest,
            None => text,
        }
    }

    fn enum_value(&mut self, ty: &str, value: i128) -> Written<String> {
        let Some(name) = self.public_name(ty) else {
            let ty = self.type_expression(ty)?;
            let suffix = if value > i64::MAX.into() { "UL" } else { "L" };
            return Ok(format!("{}.ToObject({ty}, {value}{suffix})", self.scope.known("System.Enum")));
        };
        let info = TypeName::parse(ty).and_then(|name| self.type_info(&name)).unwrap_or_default();
        if let Some(members) = enum_members(&info, value) {
            let members: Vec<String> = members.iter().map(|member| format!("{name}.{member}")).collect();
            return Ok(members.join(" | "));
        }
        Ok(if value < 0 { format!("({name})({value})") } else { format!("({name}){value}") })
    }

    fn struct_value(&mut self, ty: &str, fields: &[FieldValue], wanted: Wanted) -> Written<String> {
        let parsed = TypeName::parse(ty).ok_or_else(|| format!("`{ty}` is no type name"))?;
        if let Some(inner) = parsed.nullable_of() {
            return self.nullable(ty, inner, fields, wanted);
        }
        if parsed.is_tuple() && fields.len() == parsed.arguments.len() {
            let items: Vec<String> =
                fields.iter().map(|f| self.value(&f.value, "", wanted, &f.name)).collect::<Written<_>>()?;
            return Ok(format!("({})", items.join(", ")));
        }
        let name = self.public_name(ty);
        if let (Some(name), Some(known)) = (&name, known_structs::expression(&parsed, fields)) {
            return Ok(known.replace('$', name));
        }
        if let Some(name) = &name {
            if fields.iter().all(|field| is_default(&field.value)) {
                return Ok(format!("default({name})"));
            }
            if let Some(plan) = construct::plan(self.surroundings, &parsed, fields) {
                return self.planned(name, &plan);
            }
        }
        self.made_by_reflection(ty, fields)
    }

    fn nullable(
        &mut self,
        ty: &str,
        inner: &TypeName,
        fields: &[FieldValue],
        wanted: Wanted,
    ) -> Written<String> {
        let has_value = fields.iter().any(|f| f.name == "hasValue" && f.value == Value::boolean(true));
        let name = self.public_name(ty).ok_or_else(|| format!("{} is not public", inner.simple()))?;
        match fields.iter().find(|field| field.name == "value") {
            Some(field) if has_value => {
                let text = self.value(&field.value, "", wanted, "value")?;
                Ok(if wanted == Wanted::Exact { format!("({name}){}", operand(&text)) } else { text })
            }
            _ if wanted == Wanted::Exact => Ok(format!("({name})null")),
            _ => Ok("null".to_owned()),
        }
    }

    /// `new T(a, b) { C = c }`
    pub(super) fn planned(&mut self, name: &str, plan: &Plan) -> Written<String> {
        let parameters = plan.constructor.as_ref().map(|c| c.parameters.clone()).unwrap_or_default();
        let mut arguments = Vec::new();
        for (parameter, value) in parameters.iter().zip(&plan.arguments) {
            arguments.push(self.value(value, &parameter.ty, Wanted::Converted, &parameter.name)?);
        }
        let mut assignments = Vec::new();
        for (member, _, value) in &plan.assignments {
            let text = self.value(value, "", Wanted::Converted, member)?;
            let member =
                super::identifier::written(member).ok_or_else(|| format!("`{member}` cannot be written"))?;
            assignments.push(format!("{member} = {text}"));
        }
        let arguments = arguments.join(", ");
        Ok(match (arguments.is_empty(), assignments.is_empty()) {
            (_, true) => format!("new {name}({arguments})"),
            (true, false) => format!("new {name} {{ {} }}", assignments.join(", ")),
            (false, false) => format!("new {name}({arguments}) {{ {} }}", assignments.join(", ")),
        })
    }

    /// The last resort: fields are written one by one.
    fn made_by_reflection(&mut self, ty: &str, fields: &[FieldValue]) -> Written<String> {
        let short = TypeName::parse(ty).map(|name| name.simple().to_owned()).unwrap_or_default();
        self.note_reflection(format!("{short} has no public way to this state"));
        let mut parts = Vec::new();
        for field in fields.iter().filter(|field| !is_default(&field.value)) {
            if fields.iter().filter(|other| other.name == field.name).count() > 1 {
                return Err(format!("{short} has two fields called {}", field.name));
            }
            let text = self.value(&field.value, "", Wanted::Exact, &field.name)?;
            parts.push(format!("(\"{}\", {text})", field.name));
        }
        let fields = parts.join(", ");
        if let Some(name) = self.public_name(ty) {
            return Ok(format!("Reflected.Make<{name}>({fields})"));
        }
        let ty = self.type_expression(ty)?;
        let separator = if fields.is_empty() { "" } else { ", " };
        Ok(format!("Reflected.Make({ty}{separator}{fields})"))
    }

    fn object(&mut self, id: ObjectId, wanted: Wanted, hint: &str) -> Written<String> {
        if let Some(local) = self.objects.get(&id) {
            return Ok(local.clone());
        }
        let object = self.case.object(id).ok_or_else(|| format!("the case has no object {}", id.0))?;
        match &object.kind {
            ObjectKind::String(text) => Ok(literal::string_literal(&text.0)),
            ObjectKind::Boxed { value } => {
                let text = self.value(value, "", Wanted::Exact, hint)?;
                Ok(if wanted == Wanted::Exact { format!("(object){}", operand(&text)) } else { text })
            }
            ObjectKind::Array(array) => self.array(id, array, hint),
            ObjectKind::Object(instance) => self.instance(id, instance, hint),
        }
    }

    fn array(&mut self, id: ObjectId, array: &Array, hint: &str) -> Written<String> {
        let ty = self.public_name(&array.ty).ok_or_else(|| format!("{} cannot be written", array.ty))?;
        let (element, ranks) = ty.split_at(ty.find('[').ok_or("an array type without brackets")?);
        if array.lower_bounds.iter().any(|bound| *bound != 0) {
            return Err("an array does not start at zero".to_owned());
        }
        let local = self.fresh(hint);
        self.objects.insert(id, local.clone());
        let listed =
            array.lengths.len() == 1 && array.lengths.iter().all(|length| *length <= MAX_LISTED_ELEMENTS);
        if listed && is_dense(array) {
            let mut items = Vec::new();
            for element in &array.elements {
                items.push(self.value(&element.value, "", Wanted::Converted, hint)?);
            }
            let items = items.join(", ");
            self.arrange.push(format!("var {local} = new {ty} {{ {items} }};"));
            return Ok(local);
        }
        let lengths: Vec<String> = array.lengths.iter().map(u32::to_string).collect();
        let inner = ranks.split_once(']').map_or("", |(_, inner)| inner);
        self.arrange.push(format!("var {local} = new {element}[{}]{inner};", lengths.join(", ")));
        for Element { at, value } in array.elements.iter().filter(|element| !is_default(&element.value)) {
            let at: Vec<String> = at.iter().map(i32::to_string).collect();
            let text = self.value(value, "", Wanted::Converted, hint)?;
            self.arrange.push(format!("{local}[{}] = {text};", at.join(", ")));
        }
        Ok(local)
    }

    fn instance(&mut self, id: ObjectId, instance: &Instance, hint: &str) -> Written<String> {
        let parsed =
            TypeName::parse(&instance.ty).ok_or_else(|| format!("`{}` is no type name", instance.ty))?;
        let info = self.type_info(&parsed);
        let plan = construct::plan(self.surroundings, &parsed, &instance.fields);
        if let (Some(plan), Some(name)) = (&plan, self.public_name(&instance.ty)) {
            let values = plan.arguments.iter().chain(plan.assignments.iter().map(|(_, _, value)| value));
            if !values.into_iter().any(|value| self.leads_to(value, id, &mut Vec::new())) {
                let text = self.planned(&name, plan)?;
                let local = self.fresh(hint);
                self.objects.insert(id, local.clone());
                self.arrange.push(format!("var {local} = {text};"));
                return Ok(local);
            }
        }
        if let (Some(info), Some(name)) = (&info, self.public_name(&instance.ty))
            && let Some((plan, later)) = self.without_references(&parsed, info, &instance.fields)
        {
            let text = self.planned(&name, &plan)?;
            let local = self.fresh(hint);
            self.objects.insert(id, local.clone());
            self.arrange.push(format!("var {local} = {text};"));
            for (member, value) in later {
                let value = self.value(&value, "", Wanted::Converted, &member)?;
                self.arrange.push(format!("{local}.{member} = {value};"));
            }
            return Ok(local);
        }
        self.instance_by_reflection(id, instance, hint)
    }

    /// References are written after the object has its name, so that cycles need nothing special.
    fn instance_by_reflection(&mut self, id: ObjectId, instance: &Instance, hint: &str) -> Written<String> {
        let (references, plain): (Vec<FieldValue>, Vec<FieldValue>) =
            instance.fields.iter().cloned().partition(|field| matches!(field.value, Value::Object(_)));
        let text = self.made_by_reflection(&instance.ty, &plain)?;
        let local = self.fresh(hint);
        self.objects.insert(id, local.clone());
        self.arrange.push(format!("var {local} = {text};"));
        for field in references {
            let value = self.value(&field.value, "", Wanted::Exact, &field.name)?;
            self.arrange.push(format!("Reflected.Set({local}, \"{}\", {value});", field.name));
        }
        Ok(local)
    }

    /// A plan that leaves the references for later, when all of them can be assigned: for graphs that have cycles.
    fn without_references(
        &self,
        ty: &TypeName,
        info: &TypeInfo,
        fields: &[FieldValue],
    ) -> Option<(Plan, Vec<(String, Value)>)> {
        let (references, plain): (Vec<FieldValue>, Vec<FieldValue>) =
            fields.iter().cloned().partition(|field| matches!(field.value, Value::Object(_)));
        let mut later = Vec::new();
        for field in references {
            let can = |m: &&Member| m.writable == Writable::Always && construct::is_field(&field, &m.field);
            let member = super::identifier::written(&info.members.iter().find(can)?.name)?;
            later.push((member, field.value));
        }
        Some((construct::plan(self.surroundings, ty, &plain)?, later))
    }

    fn leads_to(&self, value: &Value, target: ObjectId, seen: &mut Vec<ObjectId>) -> bool {
        match value {
            Value::Object(id) if *id == target => true,
            Value::Object(id) if seen.contains(id) => false,
            Value::Object(id) => {
                seen.push(*id);
                match self.case.object(*id).map(|object| &object.kind) {
                    Some(ObjectKind::Object(i)) => {
                        i.fields.iter().any(|f| self.leads_to(&f.value, target, seen))
                    }
                    Some(ObjectKind::Array(a)) => {
                        a.elements.iter().any(|e| self.leads_to(&e.value, target, seen))
                    }
                    Some(ObjectKind::Boxed { value }) => self.leads_to(value, target, seen),
                    _ => false,
                }
            }
            Value::Struct { fields, .. } => fields.iter().any(|f| self.leads_to(&f.value, target, seen)),
            _ => false,
        }
    }
}

/// Parenthesised unless it binds tighter than any operator.
pub fn operand(text: &str) -> String {
    let atom = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '@'));
    let quoted = text.starts_with(['"', '\'']);
    let made = text.starts_with("Reflected.Make") && text.ends_with(')');
    if atom
        || quoted
        || made
        || (text.starts_with("new ") && text.ends_with(')'))
        || text.starts_with("default(")
    {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

/// One member, or the members of a `[Flags]` enum that make up the value.
fn enum_members(info: &TypeInfo, value: i128) -> Option<Vec<String>> {
    if info.kind != TypeKind::Enum {
        return None;
    }
    let written = |name: &String| super::identifier::written(name);
    if let Some((name, _)) = info.enum_members.iter().find(|(_, number)| *number == value) {
        return Some(vec![written(name)?]);
    }
    if !info.flags || value <= 0 {
        return None;
    }
    let mut left = value;
    let mut members: Vec<(i128, String)> = Vec::new();
    // The widest members first: `ReadWrite | Hidden` rather than `Read | Write | Hidden`.
    let mut candidates: Vec<&(String, i128)> = info.enum_members.iter().filter(|(_, n)| *n > 0).collect();
    candidates.sort_by_key(|(_, number)| (std::cmp::Reverse(number.count_ones()), *number));
    for (name, number) in candidates {
        if value & number == *number && left & number != 0 {
            left &= !number;
            members.push((*number, written(name)?));
        }
    }
    members.sort();
    (left == 0).then(|| members.into_iter().map(|(_, name)| name).collect())
}

fn is_dense(array: &Array) -> bool {
    let length = array.lengths.first().copied().unwrap_or_default() as usize;
    array.elements.len() == length
        && array.elements.iter().enumerate().all(|(index, element)| element.at == [index as i32])
}
