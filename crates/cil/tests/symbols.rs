//! What the portable PDB of a C# file says: source lines, local names, state machines, imports.
#![allow(clippy::unwrap_used)]

mod fixture;

use std::fmt::Write as _;

use cil::pdb::SequencePoint;
use cil::*;
use expect_test::expect;
use fixture::{assembly, method};
use testkit::Debug;

#[test]
fn source_lines_and_local_names() {
    // Without optimisation, so that every variable has a slot.
    for debug in [Debug::Portable, Debug::Embedded] {
        let path = assembly(debug, false);
        let module = Module::open(&path).unwrap();
        let pdb = Pdb::find_for(&module, &path).unwrap().unwrap();
        assert_eq!(Pdb::embedded(&module).unwrap().is_some(), debug == Debug::Embedded);
        let locals = method(&module, "Code", "Locals");
        expect![[r#"
            Everything.cs
              IL_0000 (109, 9)..(109, 10)
              IL_0001 (114, 13)..(114, 25)
              IL_0003 (115, 18)..(115, 27)
              IL_0005 hidden
              IL_0007 (116, 13)..(116, 14)
              IL_0008 (117, 17)..(117, 36)
              IL_000c (118, 17)..(118, 31)
              IL_0010 (119, 13)..(119, 14)
              IL_0011 (115, 36)..(115, 39)
              IL_0015 (115, 29)..(115, 34)
              IL_001a hidden
              IL_001d (120, 13)..(120, 14)
              IL_001e (121, 17)..(121, 83)
              IL_0034 (122, 17)..(122, 35)
              IL_003b (124, 9)..(124, 10)
            scope 0..3e [(0, "sum")]
              const  Limit = Some(Scalar(I4(10))) []
              const Small Which = Some(Scalar(U1(2))) []
              const  Label = Some(String([108, 97, 98, 101, 108])) []
              const Decimal Money = None [2, 125, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
            scope 3..1d [(1, "i")]
            scope 7..11 [(2, "square")]
            scope 1d..3b [(4, "other")]
        "#]]
        .assert_eq(&describe(&pdb, &module, locals));
        assert_eq!(pdb.local_name(locals, 0, 0).unwrap(), Some("sum"));
        assert_eq!(pdb.local_name(locals, 2, 0x0a).unwrap(), Some("square"));
        assert_eq!(pdb.source_of(locals, 5).unwrap().unwrap().span.unwrap().start_line, 115);
    }
}

#[test]
fn state_machines() {
    let path = assembly(Debug::Portable, true);
    let module = Module::open(&path).unwrap();
    let pdb = Pdb::find_for(&module, &path).unwrap().unwrap();
    for name in ["Async", "Iterator"] {
        let kickoff = method(&module, "Code", name);
        let move_next = pdb.move_next_of(kickoff).unwrap().unwrap();
        assert_eq!(module.method_def(move_next).unwrap().name, "MoveNext");
        assert_eq!(pdb.kickoff_of(move_next).unwrap(), Some(kickoff));
        assert_eq!(pdb.move_next_of(move_next).unwrap(), None);
        let stepping = pdb.async_stepping(move_next).unwrap();
        assert_eq!(stepping.map_or(0, |stepping| stepping.yields.len()), usize::from(name == "Async"));
        assert!(!pdb.hoisted_local_scopes(move_next).unwrap().is_empty());
    }
}

#[test]
fn imports() {
    let path = assembly(Debug::Portable, true);
    let module = Module::open(&path).unwrap();
    let pdb = Pdb::find_for(&module, &path).unwrap().unwrap();
    let imports: Vec<_> = pdb.import_scopes().flat_map(|id| pdb.imports(id).unwrap()).collect();
    let namespaces =
        imports.iter().filter(|import| matches!(import.target, pdb::ImportTarget::Namespace { .. }));
    assert_eq!(namespaces.count(), 4);
    let alias = imports.iter().find(|import| import.alias == Some("Alias")).unwrap();
    assert!(matches!(alias.target, pdb::ImportTarget::Type(_)));
}

#[test]
fn symbols_of_another_build_are_refused() {
    let path = assembly(Debug::Portable, true);
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("Everything.dll");
    std::fs::copy(&path, &copy).unwrap();
    let module = Module::open(&copy).unwrap();
    assert!(Pdb::find_for(&module, &copy).unwrap().is_none());
    std::fs::copy(assembly(Debug::Portable, false).with_extension("pdb"), copy.with_extension("pdb"))
        .unwrap();
    let Err(error) = Pdb::find_for(&module, &copy) else { panic!("it was taken") };
    assert_eq!(*error.kind(), ErrorKind::PdbMismatch);
    std::fs::copy(path.with_extension("pdb"), copy.with_extension("pdb")).unwrap();
    assert!(Pdb::find_for(&module, &copy).unwrap().is_some());
}

fn describe(pdb: &Pdb, module: &Module, method: MethodDefId) -> String {
    let mut text = String::new();
    let mut document = None;
    for SequencePoint { il_offset, document: of, span } in pdb.sequence_points(method).unwrap() {
        if document != Some(of) {
            document = Some(of);
            writeln!(text, "{}", pdb.document_name(of).unwrap().rsplit('/').next().unwrap()).unwrap();
        }
        match span {
            None => writeln!(text, "  IL_{il_offset:04x} hidden").unwrap(),
            Some(span) => {
                let (start, end) = ((span.start_line, span.start_column), (span.end_line, span.end_column));
                writeln!(text, "  IL_{il_offset:04x} {start:?}..{end:?}").unwrap();
            }
        }
    }
    for scope in pdb.method_scopes(method).unwrap() {
        let variables: Vec<_> = scope.variables.iter().map(|local| (local.index, local.name)).collect();
        writeln!(text, "scope {:x}..{:x} {variables:?}", scope.range.start, scope.range.end).unwrap();
        for (name, constant) in scope.constants {
            let ty = match constant.ty {
                pdb::LocalConstantType::Enum(token) | pdb::LocalConstantType::ValueType(token) => {
                    module.type_name(token).unwrap().unwrap().1
                }
                _ => "",
            };
            writeln!(text, "  const {ty} {name} = {:?} {:?}", constant.value, constant.general).unwrap();
        }
    }
    text
}
