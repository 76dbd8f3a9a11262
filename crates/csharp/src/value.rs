//! Values as expressions; objects become local variables on the way.

use crate::literal::Wanted;
use crate::test::{TestWriter, Written};
use crate::{known_structs, literal};
use case::construct::{Plan, is_default};
use case::type_facts::{TypeInfo, TypeKind};
use case::type_name::TypeName;
use case::{FieldValue, ObjectKind, Primitive, Span, Value, construct};

/// Structs of the base library and the fields that their constructor takes, in its order.
const BY_CONSTRUCTOR: &[(&str, &[&str])] = &[
    ("System.Collections.Generic.KeyValuePair`2", &["key", "value"]),
    ("System.Collections.DictionaryEntry", &["_key", "_value"]),
    ("System.Runtime.Serialization.StreamingContext", &["_state", "_additionalContext"]),
    ("System.Numerics.Complex", &["m_real", "m_imaginary"]),
    ("System.Range", &["<Start>k__BackingField", "<End>k__BackingField"]),
    ("System.Threading.Tasks.ValueTask`1", &["_result"]),
    ("System.Drawing.Point", &["x", "y"]),
    ("System.Drawing.PointF", &["x", "y"]),
    ("System.Drawing.Size", &["width", "height"]),
    ("System.Drawing.SizeF", &["width", "height"]),
    ("System.Drawing.Rectangle", &["x", "y", "width", "height"]),
    ("System.Drawing.RectangleF", &["x", "y", "width", "height"]),
];

impl TestWriter<'_> {
    /// An expression for the value where a `ty` is needed; `hint` names the local that it may need.
    pub(super) fn value(&mut self, value: &Value, ty: &str, wanted: Wanted, hint: &str) -> Written<String> {
        match value {
            Value::Null => Ok(self.null(ty, wanted)),
            Value::Primitive(primitive) => Ok(self.scalar(*primitive, wanted)),
            Value::Enum { ty, value } => self.enum_value(ty, *value),
            Value::Struct { ty, fields } => self.struct_value(ty, fields, wanted),
            Value::Object(id) => match self.case.object(*id).map(|object| &object.kind) {
                // Where its very type is wanted, a lambda needs no more.
                Some(ObjectKind::Mock(mock))
                    if mock.ty == ty && wanted == Wanted::Converted && self.is_new_delegate(*id, mock) =>
                {
                    self.lambda(*id, mock, true, hint)
                }
                _ => {
                    let text = self.object(*id, wanted, hint)?;
                    Ok(self.seen_as(*id, ty, text))
                }
            },
            Value::Span { ty, span } => self.span(ty, *span, wanted, hint),
        }
    }

    /// Given through what it is over: arrays and strings convert to spans where one is needed.
    fn span(&mut self, ty: &str, span: Span, wanted: Wanted, hint: &str) -> Written<String> {
        let name = self.public_name(ty).ok_or_else(|| format!("{ty} cannot be written"))?;
        let Some(over) = span.over else {
            return Ok(if wanted == Wanted::Exact {
                format!("default({name})")
            } else {
                "default".to_owned()
            });
        };
        let (length, is_text) = match self.case.object(over).map(|object| &object.kind) {
            Some(ObjectKind::Array(array)) => (array.lengths.first().copied().unwrap_or_default(), false),
            Some(ObjectKind::String(text)) => (text.0.len() as u32, true),
            _ => return Err("a span is over something else than an array or a string".to_owned()),
        };
        let text = self.object(over, Wanted::Exact, hint)?;
        let whole = span.start == 0 && span.length == length;
        let is_memory = ty.starts_with("System.Memory") || ty.starts_with("System.ReadOnlyMemory");
        let part = if whole { String::new() } else { format!(", {}, {}", span.start, span.length) };
        if whole && wanted == Wanted::Converted && !(is_text && is_memory) {
            return Ok(text);
        }
        if is_text {
            let method = if is_memory { "AsMemory" } else { "AsSpan" };
            return Ok(format!("{}.{method}({text}{part})", self.scope.known("System.MemoryExtensions")));
        }
        Ok(format!("new {name}({text}{part})"))
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
        let name = self.public_name(ty);
        if name.is_some() && parsed.is_tuple() && fields.len() == parsed.arguments.len() {
            let mut items = Vec::new();
            for (field, item) in fields.iter().zip(&parsed.arguments) {
                items.push(self.fitting(&field.value, &item.to_string(), wanted, &field.name)?);
            }
            return Ok(format!("({})", items.join(", ")));
        }
        if name.is_some()
            && let Some(known) = self.known_struct(&parsed, fields)
        {
            return Ok(known);
        }
        if let (Some(name), Some(text)) = (&name, self.array_segment(&parsed, fields)?) {
            return Ok(format!("new {name}({text})"));
        }
        if let Some(name) = &name
            && let Some(text) = self.struct_by_constructor(&parsed, name, fields)?
        {
            return Ok(text);
        }
        if let Some(name) = &name {
            if fields.iter().all(|field| is_default(&field.value)) {
                return Ok(format!("default({name})"));
            }
            if let Some(plan) = construct::plan(self.surroundings, &parsed, fields) {
                return self.planned(ty, name, &plan);
            }
        }
        self.made_by_reflection(ty, fields)
    }

    /// A struct of the base library whose constructor takes its fields, or whose value an object gives.
    fn struct_by_constructor(
        &mut self,
        parsed: &TypeName,
        name: &str,
        fields: &[FieldValue],
    ) -> Written<Option<String>> {
        let definition = parsed.definition();
        if fields.iter().all(|field| is_default(&field.value)) {
            return Ok(None);
        }
        let part = |name: &str| fields.iter().find(|field| field.name == name).map(|field| &field.value);
        if definition == "System.Threading.CancellationToken"
            && let Some(source) = part("_source")
        {
            let text = self.value(source, "", Wanted::Exact, "source")?;
            return Ok(Some(format!("{}.Token", operand(&text))));
        }
        if definition == "System.Collections.Immutable.ImmutableArray`1"
            && let Some(array) = part("array")
        {
            let element = parsed.arguments.first().map(ToString::to_string).unwrap_or_default();
            let text = self.value(array, &format!("{element}[]"), Wanted::Exact, "items")?;
            let owner = self.scope.known("System.Collections.Immutable.ImmutableArray");
            return Ok(Some(format!("{owner}.Create({text})")));
        }
        let Some((_, names)) = BY_CONSTRUCTOR.iter().find(|(ty, _)| *ty == definition) else {
            return Ok(None);
        };
        let mut arguments = Vec::new();
        for (index, field) in names.iter().enumerate() {
            let Some(value) = part(field) else { return Ok(None) };
            // Those that are generic take their type arguments in this order.
            let ty = parsed.arguments.get(index).map(ToString::to_string).unwrap_or_default();
            arguments.push(self.value(value, &ty, Wanted::Converted, field.trim_start_matches('_'))?);
        }
        Ok(Some(creation(name, &arguments, &[])))
    }

    pub(super) fn known_struct(&self, parsed: &TypeName, fields: &[FieldValue]) -> Option<String> {
        known_structs::expression(parsed, fields, self.case, &|name| self.scope.known(name))
    }

    /// The arguments of a segment over an array.
    fn array_segment(&mut self, parsed: &TypeName, fields: &[FieldValue]) -> Written<Option<String>> {
        let part = |name: &str| fields.iter().find(|field| field.name == name).map(|field| &field.value);
        let (Some(array @ Value::Object(_)), Some(offset), Some(count)) =
            (part("_array"), part("_offset"), part("_count"))
        else {
            return Ok(None);
        };
        if parsed.definition() != "System.ArraySegment`1" {
            return Ok(None);
        }
        let element = parsed.arguments.first().map(ToString::to_string).unwrap_or_default();
        let parts = [(array, format!("{element}[]")), (offset, String::new()), (count, String::new())];
        let texts = parts.map(|(value, ty)| self.value(value, &ty, Wanted::Converted, "segment"));
        let texts: Vec<String> = texts.into_iter().collect::<Written<_>>()?;
        Ok(Some(texts.join(", ")))
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
                let text = self.value(&field.value, &inner.to_string(), wanted, "value")?;
                Ok(if wanted == Wanted::Exact { format!("({name}){}", operand(&text)) } else { text })
            }
            _ if wanted == Wanted::Exact => Ok(format!("({name})null")),
            _ => Ok("null".to_owned()),
        }
    }

    /// `new T(a, b) { C = c }`
    pub(super) fn planned(&mut self, ty: &str, name: &str, plan: &Plan) -> Written<String> {
        let constructor = plan.constructor.clone().unwrap_or_default();
        self.scope.warned(&constructor.diagnostics);
        let wanted = self.constructor_needs(ty, constructor.parameters.len());
        let mut arguments = Vec::new();
        for (parameter, value) in constructor.parameters.iter().zip(&plan.arguments) {
            let wanted_type = construct::filled_in(&parameter.ty, ty);
            arguments.push(self.fitting(value, &wanted_type, wanted, &parameter.name)?);
        }
        let mut assignments = Vec::new();
        for (member, value) in &plan.assignments {
            let text = self.value(value, &self.member_type(ty, member), Wanted::Converted, member)?;
            assignments.push(format!("{} = {text}", member_name(member)?));
        }
        Ok(creation(name, &arguments, &assignments))
    }

    /// The type of a member that is about to be used; empty when it is not known.
    pub(super) fn member_type(&self, ty: &str, member: &str) -> String {
        let info = self.info_of(ty);
        let Some(member) = info.members.iter().find(|own| own.name == member) else { return String::new() };
        self.scope.warned(&member.diagnostics);
        construct::filled_in(&member.ty, ty)
    }

    /// The last resort: fields are written one by one.
    pub(super) fn made_by_reflection(&mut self, ty: &str, fields: &[FieldValue]) -> Written<String> {
        self.note_unmakeable(ty, fields);
        let mut parts = Vec::new();
        for field in fields.iter().filter(|field| !is_default(&field.value)) {
            let text = self.value(&field.value, "", Wanted::Exact, &field.name)?;
            parts.push(format!("({}, {text})", field_text(ty, field)));
        }
        let fields = parts.join(", ");
        if let Some(name) = self.public_name(ty) {
            return Ok(format!("Reflected.Make<{name}>({fields})"));
        }
        let ty = self.type_expression(ty)?;
        let separator = if fields.is_empty() { "" } else { ", " };
        Ok(format!("Reflected.Make({ty}{separator}{fields})"))
    }
}

/// `new T(a, b) { C = c }`
pub fn creation(name: &str, arguments: &[String], assignments: &[String]) -> String {
    let (arguments, none) = (arguments.join(", "), assignments.is_empty());
    let assignments = assignments.join(", ");
    match (arguments.is_empty(), none) {
        (_, true) => format!("new {name}({arguments})"),
        (true, false) => format!("new {name} {{ {assignments} }}"),
        (false, false) => format!("new {name}({arguments}) {{ {assignments} }}"),
    }
}

pub fn member_name(member: &str) -> Written<String> {
    crate::identifier::written(member).ok_or_else(|| format!("`{member}` cannot be written"))
}

/// How `Reflected` is told about a field: by name, and by its type as well when a base class declares it.
pub fn field_text(ty: &str, field: &FieldValue) -> String {
    let simple = |ty: &str| TypeName::parse(ty).and_then(|name| name.path.last().cloned());
    match simple(&field.declaring) {
        Some(declaring) if field.declaring != ty => {
            let arity = if declaring.arity > 0 { format!("`{}", declaring.arity) } else { String::new() };
            format!("\"{}{arity}::{}\"", declaring.name, field.name)
        }
        _ => format!("\"{}\"", field.name),
    }
}

/// Parenthesised unless it binds tighter than any operator.
pub fn operand(text: &str) -> String {
    let atom = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '@' | '[' | ']'));
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
    let written = |name: &String| crate::identifier::written(name);
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
