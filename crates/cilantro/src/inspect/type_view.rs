//! One type: what it is, its layout, virtual slots, interfaces with what implements them, methods.

use std::io::{self, Write};

use serde::Serialize;
use types::{FieldId, MethodId, TypeId, Universe};

use super::{source, table};

#[derive(Serialize)]
pub struct TypeView {
    name: String,
    token: String,
    kind: &'static str,
    modifiers: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<String>,
    generic_parameters: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<LayoutView>,
    fields: Vec<FieldView>,
    slots: Vec<SlotView>,
    interfaces: Vec<InterfaceView>,
    methods: Vec<MethodLine>,
    /// What could not be found out, and why.
    errors: Vec<String>,
}

#[derive(Serialize)]
struct LayoutView {
    kind: String,
    size: u32,
    align: u32,
    contains_references: bool,
}

#[derive(Serialize)]
struct FieldView {
    /// `None`: static, or not known.
    offset: Option<u32>,
    size: Option<u32>,
    #[serde(rename = "type")]
    ty: String,
    name: String,
    is_static: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    inherited_from: Option<String>,
}

#[derive(Serialize)]
struct SlotView {
    declared: String,
    implementation: String,
}

#[derive(Serialize)]
struct InterfaceView {
    name: String,
    methods: Vec<SlotView>,
}

#[derive(Serialize)]
struct MethodLine {
    token: String,
    id: String,
    attributes: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    il_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

impl TypeView {
    pub fn of(u: &Universe, t: TypeId) -> TypeView {
        let mut errors = Vec::new();
        let base = keep(u.base(t), &mut errors).flatten();
        let layout = match u.is_interface(t) || u.is_open(t) || is_static(u, t) {
            true => None,
            false => keep(u.layout(t), &mut errors),
        };
        let layout_view = layout.map(|layout| LayoutView {
            kind: format!("{:?}", layout.kind).to_lowercase(),
            size: layout.size,
            align: layout.align,
            contains_references: layout.contains_refs,
        });
        let info = u.def_info(t);
        let view = TypeView {
            name: u.type_name(t),
            token: info.map(|info| info.id.token().to_string()).unwrap_or_default(),
            kind: kind(u, t),
            modifiers: modifiers(u, t),
            base: base.map(|base| u.type_name(base)),
            generic_parameters: info
                .into_iter()
                .flat_map(|i| &i.generic_parameters)
                .map(|p| p.name.to_string())
                .collect(),
            layout: layout_view,
            fields: fields(u, t, layout.map_or(&[][..], |layout| &layout.fields), &mut errors),
            slots: slots(u, t, &mut errors),
            interfaces: interfaces(u, t, &mut errors),
            methods: keep(u.methods(t), &mut errors)
                .unwrap_or_default()
                .iter()
                .map(|m| method_line(u, *m))
                .collect(),
            errors: Vec::new(),
        };
        errors.dedup();
        TypeView { errors, ..view }
    }

    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        self.print_head(out)?;
        self.print_fields(out)?;
        self.print_slots(out)?;
        self.print_methods(out)?;
        for error in &self.errors {
            writeln!(out, "  error: {error}")?;
        }
        Ok(())
    }

    fn print_head(&self, out: &mut dyn Write) -> io::Result<()> {
        let modifiers: String = self.modifiers.iter().map(|modifier| format!("{modifier} ")).collect();
        let base = self.base.as_ref().map(|base| format!(" : {base}")).unwrap_or_default();
        let generics = match self.generic_parameters.as_slice() {
            [] => String::new(),
            names => format!(" <{}>", names.join(", ")),
        };
        writeln!(out, "{modifiers}{} {}{generics}{base}  {}", self.kind, self.name, self.token)?;
        if let Some(layout) = &self.layout {
            let references = if layout.contains_references { ", holds references" } else { "" };
            writeln!(
                out,
                "  {} bytes, aligned to {}, {} layout{references}",
                layout.size, layout.align, layout.kind
            )?;
        }
        Ok(())
    }

    fn print_fields(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.fields.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n  Fields")?;
        let number = |n: Option<u32>| n.map(|n| n.to_string()).unwrap_or_default();
        let rows = self.fields.iter().map(|field| {
            let offset = if field.is_static { "static".to_owned() } else { number(field.offset) };
            let from = field.inherited_from.as_ref().map(|from| format!("from {from}")).unwrap_or_default();
            let size = number(field.size);
            vec![offset, size, field.name.clone(), field.ty.clone(), from]
        });
        let head = ["offset", "size", "name", "type"].map(str::to_owned).to_vec();
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
        table::print(out, "    ", &rows, 50)
    }

    fn print_slots(&self, out: &mut dyn Write) -> io::Result<()> {
        if !self.slots.is_empty() {
            writeln!(out, "\n  Virtual slots")?;
            let rows = self.slots.iter().enumerate().map(|(i, slot)| {
                let same = slot.declared == slot.implementation;
                let implementation = if same { String::new() } else { format!("-> {}", slot.implementation) };
                vec![i.to_string(), slot.declared.clone(), implementation]
            });
            table::print(out, "    ", &rows.collect::<Vec<_>>(), 70)?;
        }
        if !self.interfaces.is_empty() {
            writeln!(out, "\n  Interfaces")?;
        }
        for interface in &self.interfaces {
            writeln!(out, "    {}", interface.name)?;
            let rows = interface.methods.iter();
            let rows = rows.map(|slot| vec![slot.declared.clone(), format!("-> {}", slot.implementation)]);
            table::print(out, "      ", &rows.collect::<Vec<_>>(), 70)?;
        }
        Ok(())
    }

    fn print_methods(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.methods.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n  Methods")?;
        let rows = self.methods.iter().map(|method| {
            let size = method.il_bytes.map(|bytes| format!("{bytes} bytes")).unwrap_or_default();
            let source = method.source.clone().unwrap_or_default();
            vec![method.token.clone(), method.attributes.clone(), method.id.clone(), size, source]
        });
        table::print(out, "    ", &rows.collect::<Vec<_>>(), 60)
    }
}

/// In the words of C#.
pub fn kind(u: &Universe, t: TypeId) -> &'static str {
    match () {
        () if u.is_interface(t) => "interface",
        () if u.is_enum(t) => "enum",
        () if u.is_delegate(t) => "delegate",
        () if u.is_byref_like(t) => "ref struct",
        () if u.is_value_type(t) => "struct",
        () if is_static(u, t) => "static class",
        () => "class",
    }
}

/// Abstract and sealed: C#'s static classes.
pub fn is_static(u: &Universe, t: TypeId) -> bool {
    u.is_abstract(t) && u.is_sealed(t) && !u.is_interface(t)
}

fn modifiers(u: &Universe, t: TypeId) -> Vec<&'static str> {
    let Some(info) = u.def_info(t) else { return Vec::new() };
    let mut modifiers = vec![match info.visibility() {
        1 | 2 => "public",
        3 => "private",
        4 => "protected",
        6 => "private protected",
        7 => "protected internal",
        _ => "internal",
    }];
    let is_class = kind(u, t) == "class";
    if is_class && u.is_abstract(t) {
        modifiers.push("abstract");
    }
    if is_class && u.is_sealed(t) {
        modifiers.push("sealed");
    }
    modifiers
}

fn fields(u: &Universe, t: TypeId, placed: &[(FieldId, u32)], errors: &mut Vec<String>) -> Vec<FieldView> {
    let mut placed: Vec<(FieldId, Option<u32>)> =
        placed.iter().map(|(f, offset)| (*f, Some(*offset))).collect();
    placed.sort_by_key(|(_, offset)| *offset);
    for &f in keep(u.fields(t), errors).unwrap_or_default() {
        if placed.iter().all(|(known, _)| *known != f) {
            placed.push((f, None));
        }
    }
    let views = placed.into_iter().map(|(f, offset)| {
        let field = u.field(f);
        let ty = keep(u.field_type(f), errors);
        FieldView {
            offset,
            size: ty.and_then(|ty| u.size_of(ty).ok()),
            ty: ty.map_or_else(|| "?".to_owned(), |ty| u.type_name_in_type(ty, field.owner)),
            name: field.name.to_string(),
            is_static: field.is_static(),
            inherited_from: (field.owner != t).then(|| u.type_name(field.owner)),
        }
    });
    views.collect()
}

fn slots(u: &Universe, t: TypeId, errors: &mut Vec<String>) -> Vec<SlotView> {
    let table = keep(u.vtable(t), errors);
    let slots = table.into_iter().flat_map(|table| table.slots.iter());
    slots.map(|slot| view(u, slot.declared, slot.implementation)).collect()
}

fn view(u: &Universe, declared: MethodId, implementation: MethodId) -> SlotView {
    SlotView { declared: u.method_id(declared), implementation: u.method_id(implementation) }
}

fn interfaces(u: &Universe, t: TypeId, errors: &mut Vec<String>) -> Vec<InterfaceView> {
    let all = keep(u.interfaces(t), errors).unwrap_or_default();
    let is_implemented = !u.is_interface(t);
    let views = all.iter().map(|&interface| {
        let methods =
            if is_implemented { keep(u.methods(interface), errors).unwrap_or_default() } else { &[] };
        let methods = methods.iter().filter(|m| u.method(**m).is_virtual()).map(|&m| {
            let found = match u.method(m).is_static() {
                true => u.resolve_static_virtual(t, m),
                false => u.resolve_virtual(t, m),
            };
            let implementation = found.map_or_else(|error| error.to_string(), |found| u.method_id(found));
            SlotView { declared: u.method_id(m), implementation }
        });
        InterfaceView { name: u.type_name(interface), methods: methods.collect() }
    });
    views.collect()
}

fn method_line(u: &Universe, m: MethodId) -> MethodLine {
    let method = u.method(m);
    let body = u.body(m).ok().flatten();
    MethodLine {
        token: method.token().map(|token| token.to_string()).unwrap_or_default(),
        id: u.method_id(m).split_once("::").map(|(_, own)| own.to_owned()).unwrap_or_default(),
        attributes: attributes(method),
        il_bytes: body.as_ref().map(|body| body.code.len()),
        source: source::first_line(u, m),
    }
}

pub fn attributes(method: &types::Method) -> String {
    let access =
        ["private", "private", "private protected", "internal", "protected", "protected internal", "public"];
    let mut words = vec![*access.get(usize::from(method.flags & 7)).unwrap_or(&"")];
    let marks = [
        (method.is_static(), "static"),
        (method.is_abstract(), "abstract"),
        (method.is_virtual() && !method.is_abstract(), "virtual"),
        (method.is_final(), "final"),
        (method.is_pinvoke(), "extern"),
        (method.is_internal_call(), "internal-call"),
        (method.is_runtime(), "runtime"),
    ];
    words.extend(marks.iter().filter(|(holds, _)| *holds).map(|(_, word)| *word));
    words.join(" ")
}

fn keep<T>(result: types::Result<T>, errors: &mut Vec<String>) -> Option<T> {
    result.map_err(|error| errors.push(error.to_string())).ok()
}
