//! Everything that the runtime's own reader (`System.Reflection.Metadata`) says about real assemblies and their
//! PDBs, compared line by line with what this one says.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use cil::*;
use testkit::{Debug, Options, Source, Target, Toolchain, compile, run_dotnet};

fn data(name: &str) -> Source {
    Source::file(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name))
}

fn check(assembly: &Path, pdb: Option<&Path>) {
    let options = Options { target: Target::Exe, ..Options::default() };
    let oracle = compile("Oracle", &[data("Oracle.cs")], &options).unwrap();
    let mut args = vec![assembly.to_str().unwrap()];
    args.extend(pdb.map(|pdb| pdb.to_str().unwrap()));
    let output = run_dotnet(&oracle, &args).unwrap();
    assert_eq!(output.code, Some(0), "{}", output.stderr);

    let module = Module::open(assembly).unwrap();
    let mut ours = String::new();
    describe(&module, &mut ours).unwrap();
    if let Some(pdb) = pdb {
        describe_pdb(&Pdb::open(pdb).unwrap(), &mut ours).unwrap();
    }
    for (number, (theirs, ours)) in output.stdout.lines().zip(ours.lines()).enumerate() {
        assert_eq!(ours, theirs, "line {number}");
    }
    assert_eq!(ours.lines().count(), output.stdout.lines().count());
    assert!(ours.lines().count() > 100);
}

type Written = std::fmt::Result;

fn describe(module: &Module, out: &mut String) -> Written {
    for &table in TableId::ALL.iter().filter(|&&table| table as u8 <= 0x2c) {
        writeln!(out, "table {:02x} {}", table as u8, module.rows(table))?;
    }
    for id in module.type_defs() {
        describe_type(module, id, out)?;
    }
    for id in module.method_defs() {
        describe_method(module, id, out)?;
    }
    for id in module.all_custom_attributes() {
        describe_attribute(module, id, out)?;
    }
    Ok(())
}

fn raw(token: Option<impl Into<Token>>) -> u32 {
    token.map_or(0, |token| token.into().raw())
}

fn describe_type(module: &Module, id: TypeDefId, out: &mut String) -> Written {
    let row = module.type_def(id).unwrap();
    let layout = module.class_layout_of(id).unwrap();
    let interfaces: Vec<String> = module
        .interfaces_of(id)
        .map(|id| format!("{:08x}", module.interface_impl(id).unwrap().interface.raw()))
        .collect();
    write!(out, "type {}.{} {:x} {:08x} ", row.namespace, row.name, row.flags, raw(row.extends))?;
    write!(out, "in {:08x} ", raw(module.enclosing_type(id).unwrap()))?;
    write!(out, "fields {} methods {} ", row.fields.len(), row.methods.len())?;
    let (properties, events) = (module.properties_of(id).unwrap(), module.events_of(id).unwrap());
    write!(out, "properties {} events {} ", properties.len(), events.len())?;
    write!(out, "nested {} ", module.nested_types(id).count())?;
    write!(out, "params {} ", module.generic_params(id.token()).len())?;
    write!(out, "overrides {} ", module.method_impls_of(id).len())?;
    let (size, packing) = layout.map_or((0, 0), |layout| (layout.class_size, layout.packing_size));
    writeln!(out, "layout {size} {packing} implements [{}]", interfaces.join(","))
}

fn describe_method(module: &Module, id: MethodDefId, out: &mut String) -> Written {
    let row = module.method_def(id).unwrap();
    let owner = raw(module.declaring_type_of_method(id).unwrap());
    let generic = module.generic_params(id.token()).len();
    write!(out, "method {:08x} {} {:x} of {owner:08x} ", id.token().raw(), row.name, row.flags)?;
    writeln!(out, "params {} generic {generic}", row.params.len())?;
    let Some(body) = module.method_body(id).unwrap() else { return Ok(()) };
    let hash = body.code.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    let init = if body.init_locals { "init" } else { "raw" };
    writeln!(out, "  body {} {init} {:08x} {hash:016x}", body.max_stack, raw(body.local_var_sig))?;
    for clause in body.clauses {
        let (kind, token, filter) = match clause.kind {
            ClauseKind::Catch(token) => ("Catch", token.raw(), 0),
            ClauseKind::Filter(start) => ("Filter", 0, start),
            ClauseKind::Finally => ("Finally", 0, 0),
            ClauseKind::Fault => ("Fault", 0, 0),
        };
        let range = |range: CodeRange| format!("{}+{}", range.start, range.end - range.start);
        let (tried, handler) = (range(clause.try_range), range(clause.handler));
        writeln!(out, "  {kind} {tried} {handler} {token:08x} {filter}")?;
    }
    Ok(())
}

fn describe_attribute(module: &Module, id: CustomAttributeId, out: &mut String) -> Written {
    let row = module.custom_attribute(id).unwrap();
    let mut underlying = |ty: EnumRef<'_>| {
        let name = match ty {
            EnumRef::Token(token) => module.type_name(token).unwrap().unwrap().1,
            EnumRef::Name(name) => name.split(',').next().unwrap(),
        };
        Some(if name.ends_with("EventKeywords") { ScalarType::I8 } else { ScalarType::I4 })
    };
    let value = module.attribute_value(id, &mut underlying).unwrap();
    let mut parts: Vec<String> = value.fixed.iter().map(text).collect();
    parts.extend(value.named.iter().map(|named| {
        let kind = if named.is_property { "Property" } else { "Field" };
        format!("{kind} {}={}", named.name, text(&named.value))
    }));
    let (parent, constructor) = (row.parent.raw(), row.constructor.raw());
    writeln!(out, "attribute {parent:08x} {constructor:08x} {}", parts.join("; "))
}

fn text(argument: &Argument<'_>) -> String {
    match argument {
        Argument::Scalar(value) | Argument::Enum(_, value) => scalar(*value),
        Argument::String(None) | Argument::Type(None) | Argument::Array(None) => "null".to_owned(),
        Argument::String(Some(text)) | Argument::Type(Some(text)) => {
            format!("\"{}\"", text.replace('\n', "\\n").replace('\r', "\\r"))
        }
        Argument::Boxed(value) => text(value),
        Argument::Array(Some(elements)) => {
            format!("[{}]", elements.iter().map(text).collect::<Vec<_>>().join(","))
        }
    }
}

fn scalar(value: Scalar) -> String {
    match value {
        Scalar::Boolean(value) => value.to_string(),
        Scalar::Char(value) => format!("'{value}"),
        Scalar::R4(bits) => format!("f{bits:08x}"),
        Scalar::R8(bits) => format!("d{bits:016x}"),
        number => number.integer().unwrap().to_string(),
    }
}

fn describe_pdb(pdb: &Pdb, out: &mut String) -> Written {
    for id in pdb.documents() {
        writeln!(out, "document {}", pdb.document_name(id).unwrap())?;
    }
    for row in pdb.all_method_debug_information() {
        let method = MethodDefId::new(row.row());
        let kickoff = raw(pdb.kickoff_of(method).unwrap());
        let locals = raw(pdb.local_signature(method).unwrap());
        writeln!(out, "debug {:08x} kickoff {kickoff:08x} locals {locals:08x}", method.token().raw())?;
        for point in pdb.sequence_points(method).unwrap() {
            write!(out, "  {} ", point.il_offset)?;
            match point.span {
                None => writeln!(out, "hidden")?,
                Some(span) => {
                    write!(out, "{} {}:{}", point.document.row(), span.start_line, span.start_column)?;
                    writeln!(out, "-{}:{}", span.end_line, span.end_column)?;
                }
            }
        }
        for id in pdb.scopes_of(method) {
            let scope = pdb.local_scope(id).unwrap();
            writeln!(out, "  scope {}+{}", scope.start_offset, scope.length)?;
            for id in scope.variables {
                let local = pdb.local_variable(id).unwrap();
                writeln!(out, "    {} {} {}", local.index, local.name, local.attributes)?;
            }
            for id in scope.constants {
                writeln!(out, "    const {}", pdb.local_constant(id).unwrap().name)?;
            }
        }
    }
    Ok(())
}

fn everything(optimize: bool) -> PathBuf {
    let options = Options { debug: Debug::Portable, allow_unsafe: true, optimize, ..Options::default() };
    compile("Everything", &[data("Everything.cs")], &options).unwrap()
}

#[test]
fn one_of_everything() {
    for optimize in [true, false] {
        let assembly = everything(optimize);
        check(&assembly, Some(&assembly.with_extension("pdb")));
    }
}

#[test]
fn the_core_library() {
    check(&Toolchain::locate().unwrap().corelib(), None);
}

#[test]
fn an_assembly_with_event_sources() {
    check(&Toolchain::locate().unwrap().framework_dir().join("System.Net.Http.dll"), None);
}

#[test]
fn a_third_party_with_symbols() {
    let toolchain = Toolchain::locate().unwrap();
    let assembly = toolchain.third_party("NSwag.Commands");
    if let Some(assembly) = testkit::found_or_skip("NSwag.Commands", assembly) {
        check(&assembly, Some(&assembly.with_extension("pdb")));
    }
}
