//! A C# file with one of everything, compiled, and what is read from it.
#![allow(clippy::unwrap_used)]

mod fixture;

use std::fmt::Write as _;

use cil::*;
use expect_test::{Expect, expect};
use fixture::{find, method, module, named};

fn underlying_of_others(_: EnumRef<'_>) -> Option<ScalarType> {
    Some(ScalarType::I4)
}

#[test]
fn attribute_arguments() {
    let module = module();
    let mut text = String::new();
    for id in module.custom_attributes(find(&module, "Marked").token()) {
        let ty = module.attribute_type(id).unwrap();
        let value = module.attribute_value(id, &mut underlying_of_others).unwrap();
        writeln!(text, "{} {:?}", ty.name, value.fixed).unwrap();
        for named in value.named {
            let kind = if named.is_property { "property" } else { "field" };
            writeln!(text, "  {kind} {} = {:?}", named.name, named.value).unwrap();
        }
    }
    expect![[r#"
        MarkAttribute []
        MarkAttribute [Scalar(Boolean(true)), Scalar(Char(120)), Scalar(I1(-1)), Scalar(U1(255)), Scalar(I2(-2)), Scalar(U2(65535)), Scalar(I4(-3)), Scalar(U4(4000000000)), Scalar(I8(-5)), Scalar(U8(18446744073709551615)), Scalar(R4(1069547520)), Scalar(R8(18444492273895866368))]
        MarkAttribute [String(Some("text")), Type(Some("System.Collections.Generic.List`1[[System.Int32, System.Private.CoreLib, Version=10.0.0.0, Culture=neutral, PublicKeyToken=7cec85d7bea7798e]], System.Private.CoreLib, Version=10.0.0.0, Culture=neutral, PublicKeyToken=7cec85d7bea7798e")), Boxed(Scalar(I4(42)))]
        MarkAttribute [String(None), Type(None), Boxed(String(None))]
        MarkAttribute [String(Some("")), Type(Some("Everything.Outer`1+Inner")), Boxed(Enum(Name("Everything.Small"), U1(2)))]
        MarkAttribute [Enum(Token(Small), U1(1)), Enum(Token(Big), I8(1099511627776)), Enum(Token(DayOfWeek), I4(5))]
        MarkAttribute [Array(Some([Scalar(I4(1)), Scalar(I4(2))])), Array(Some([String(Some("a")), String(None)])), Array(Some([Boxed(Scalar(I4(1))), Boxed(String(Some("b"))), Boxed(Type(Some("System.Int32, System.Private.CoreLib, Version=10.0.0.0, Culture=neutral, PublicKeyToken=7cec85d7bea7798e"))), Boxed(Enum(Name("Everything.Big"), I8(1099511627776))), Boxed(Array(Some([Scalar(Char(99))])))])), Array(Some([Type(Some("System.String, System.Private.CoreLib, Version=10.0.0.0, Culture=neutral, PublicKeyToken=7cec85d7bea7798e"))])), Array(Some([Enum(Token(Small), U1(2))]))]
        MarkAttribute [Array(None), Array(Some([])), Array(None), Array(None), Array(None)]
        MarkAttribute []
          field Field = Scalar(I4(7))
          property Property = Enum(Name("Everything.Small"), U1(2))
          property Boxed = Boxed(Enum(Name("System.DayOfWeek, System.Private.CoreLib, Version=10.0.0.0, Culture=neutral, PublicKeyToken=7cec85d7bea7798e"), I4(1)))
          property Texts = Array(Some([String(Some("t"))]))
          property Type = Type(Some("Everything.Marked"))
        GenericMarkAttribute`1 [Scalar(I4(5)), Array(Some([Scalar(I4(6))]))]
    "#]].assert_eq(&named(&module, &text));
}

#[test]
fn enums_of_other_assemblies_need_an_answer() {
    let module = module();
    let marked = find(&module, "Marked").token();
    let errors =
        module.custom_attributes(marked).filter_map(|id| module.attribute_value(id, &mut |_| None).err());
    let mut messages: Vec<String> =
        errors.map(|error| error.to_string().split(" (file").next().unwrap().to_owned()).collect();
    messages.sort();
    expect![[r#"
        the underlying type of the enum `System.DayOfWeek, System.Private.CoreLib, Version=10.0.0.0, Culture=neutral, PublicKeyToken=7cec85d7bea7798e` is not known
        the underlying type of the enum `System.DayOfWeek` is not known"#]].assert_eq(&messages.join("\n"));
}

#[test]
fn signatures() {
    let module = module();
    let ty = module.find_type("Everything", "Signatures`1").unwrap().unwrap();
    let row = module.type_def(ty).unwrap();
    let mut text = String::new();
    for id in row.fields {
        writeln!(text, "{}: {}", module.field(id).unwrap().name, module.field_sig(id).unwrap()).unwrap();
    }
    for id in row.methods {
        writeln!(text, "{}: {}", module.method_def(id).unwrap().name, module.method_sig(id).unwrap())
            .unwrap();
    }
    for id in module.properties_of(ty).unwrap() {
        writeln!(
            text,
            "{}: {:?}",
            module.property(id).unwrap().name,
            module.property_sig(id).unwrap().params
        )
        .unwrap();
    }
    for id in module.events_of(ty).unwrap() {
        let accessors = module.semantics_of(id.token()).count();
        writeln!(text, "{}: {accessors} accessors", module.event(id).unwrap().name).unwrap();
    }
    expect![[r#"
        Text: string
        Number: float64
        Constant: valuetype Small
        Null: string
        Data: int32[]
        Volatile: int32 modreq(IsVolatile)
        Pointers: int32*[]
        Cube: int32[0...,0...,0...]
        Function: method string *(int32&, int64& modreq(InAttribute))
        Native: method unmanaged cdecl void *(int32)
        Nested: class Dictionary`2<!0, class List`1<valuetype Nullable`1<valuetype Union>[]>>
        Happened: class Action`1<!0>
        Readonly: instance !0& modreq(InAttribute) *<1>(!!0&, !0&, !!0[]&, object[])
        get_Item: instance valuetype ValueTuple`2<int32, string> *(int32, string)
        set_Item: instance void *(int32, string, valuetype ValueTuple`2<int32, string>)
        add_Happened: instance void *(class Action`1<!0>)
        remove_Happened: instance void *(class Action`1<!0>)
        Raise: instance void *(!0)
        CallPointer: int32 *(method int32 *(int32))
        Pin: void *(uint8[])
        .ctor: instance void *()
        .cctor: void *()
        Item: [I4, String]
        Happened: 2 accessors
    "#]]
    .assert_eq(&named(&module, &text));
}

#[test]
fn call_sites() {
    let module = module();
    let mut text = String::new();
    for id in module.stand_alone_sigs() {
        match module.stand_alone_signature(id).unwrap() {
            StandAloneSignature::Method(sig) => writeln!(text, "calli {sig}").unwrap(),
            StandAloneSignature::Locals(locals)
                if locals.iter().any(|ty| matches!(ty, TypeSig::Pinned(_))) =>
            {
                writeln!(text, "locals {locals:?}").unwrap();
            }
            _ => {}
        }
    }
    for id in module.member_refs() {
        if let MemberSig::Method(sig) = module.member_ref_sig(id).unwrap()
            && sig.sentinel.is_some()
        {
            writeln!(text, "{}: {sig}", module.member_ref(id).unwrap().name).unwrap();
        }
    }
    expect![[r#"
        calli int32 *(int32)
        locals [Ptr(U1), Pinned(SzArray(U1))]
        VarArgs: vararg int32 *(..., int32, string, float64)
    "#]]
    .assert_eq(&named(&module, &text));
}

#[test]
fn layouts_constants_and_data() {
    let module = module();
    let union = find(&module, "Union");
    let layout = module.class_layout_of(union).unwrap().unwrap();
    assert_eq!((layout.class_size, layout.packing_size), (16, 2));
    assert_eq!(module.type_def(union).unwrap().layout(), flags::TypeLayout::Explicit);
    let offsets: Vec<_> = module
        .type_def(union)
        .unwrap()
        .fields
        .map(|id| module.field_offset_of(id).unwrap().unwrap())
        .collect();
    assert_eq!(offsets, [0, 0, 8]);

    let fields =
        module.type_def(module.find_type("Everything", "Signatures`1").unwrap().unwrap()).unwrap().fields;
    let constant = |name: &str| {
        let id = fields.into_iter().find(|&id| module.field(id).unwrap().name == name).unwrap();
        module.constant_value_of(id.token()).unwrap().unwrap()
    };
    assert_eq!(constant("Text"), ConstantValue::String("konstante\0€".encode_utf16().collect()));
    assert_eq!(constant("Number"), ConstantValue::Scalar(Scalar::R8(2.5f64.to_bits())));
    assert_eq!(constant("Constant"), ConstantValue::Scalar(Scalar::U1(2)));
    assert_eq!(constant("Null"), ConstantValue::Null);

    let data = module.fields().find(|&id| module.field(id).unwrap().has_rva()).unwrap();
    let bytes: Vec<u8> = (1..=8).flat_map(i32::to_le_bytes).collect();
    assert_eq!(module.field_data(data, 32).unwrap().unwrap(), bytes);
    assert!(module.field_data(data, usize::MAX).is_err());

    let import = method(&module, "Interop", "Import");
    let map = module.impl_map_of(import.token()).unwrap().unwrap();
    assert_eq!((map.import_name, module.module_ref(map.import_scope).unwrap().name), ("function", "native"));
    assert!(module.method_body(import).unwrap().is_none());
    let param = module.method_def(import).unwrap().params.next().unwrap();
    let marshal = module.marshal_descriptor(module.marshal_of(param.token()).unwrap()).unwrap();
    assert_eq!(marshal, MarshalDescriptor::Simple(0x15));
}

#[test]
fn marshalling() {
    let module = Module::open(&testkit::Toolchain::locate().unwrap().corelib31()).unwrap();
    let mut kinds: Vec<String> = module
        .field_marshals()
        .map(|id| format!("{:?}", module.marshal_descriptor(id).unwrap()))
        .filter(|kind| !kind.starts_with("Simple"))
        .collect();
    kinds.sort();
    kinds.dedup();
    expect![[r#"
        Array { element: None, size_param: None, size: None, flags: None }
        Array { element: None, size_param: Some(0), size: None, flags: None }
        Array { element: None, size_param: Some(1), size: None, flags: None }
        Array { element: None, size_param: Some(2), size: None, flags: None }
        Array { element: Some(21), size_param: Some(0), size: None, flags: None }
        Array { element: Some(21), size_param: Some(1), size: None, flags: None }
        Interface { kind: 25, iid_param: None }
        Interface { kind: 28, iid_param: None }"#]]
    .assert_eq(&kinds.join("\n"));
}

#[test]
fn resources() {
    let module = Module::open(&testkit::Toolchain::locate().unwrap().corelib31()).unwrap();
    let mut text = String::new();
    for id in module.manifest_resources() {
        let data = module.resource_data(id).unwrap().unwrap();
        writeln!(text, "{} {} {:x?}", module.manifest_resource(id).unwrap().name, data.len(), &data[..4])
            .unwrap();
    }
    expect![[r#"
        System.Private.CoreLib.Resources.Strings.resources 162136 [ce, ca, ef, be]
        System.Private.CoreLib.xml 47768 [3c, 6c, 69, 6e]
    "#]]
    .assert_eq(&text);
}

#[test]
fn generic_parameters() {
    let module = module();
    let ty = module.find_type("Everything", "IVariant`2").unwrap().unwrap();
    let mut text = String::new();
    for id in module.generic_params(ty.token()) {
        let row = module.generic_param(id).unwrap();
        let constraints: Vec<_> = module
            .constraints_of(id)
            .map(|id| match module.generic_param_constraint(id).unwrap().constraint.row_ref() {
                Some(RowRef::TypeSpec(spec)) => module.type_spec_sig(spec).unwrap().to_string(),
                other => format!("{other:?}"),
            })
            .collect();
        writeln!(
            text,
            "{} {} {:?} flags {} {constraints:?}",
            row.number,
            row.name,
            row.variance(),
            row.flags
        )
        .unwrap();
    }
    expect![[r#"
        0 TIn Contravariant flags 22 []
        1 TOut Covariant flags 1 ["class IComparable`1<!1>"]
    "#]]
    .assert_eq(&named(&module, &text));
}

#[test]
fn nested_types_and_owners() {
    let module = module();
    let outer = module.find_type("Everything", "Outer`1").unwrap().unwrap();
    let inner = module.find_nested_type(outer, "Inner").unwrap().unwrap();
    assert_eq!(module.enclosing_type(inner).unwrap(), Some(outer));
    assert_eq!(module.enum_underlying(inner).unwrap(), Some(ScalarType::I2));
    assert_eq!(module.find_type("Everything", "Inner").unwrap(), None);
    for ty in module.type_defs() {
        let row = module.type_def(ty).unwrap();
        for id in row.methods {
            assert_eq!(module.declaring_type_of_method(id).unwrap(), Some(ty));
            for param in module.method_def(id).unwrap().params {
                assert_eq!(module.method_of_param(param).unwrap(), Some(id));
            }
        }
        for id in row.fields {
            assert_eq!(module.declaring_type_of_field(id).unwrap(), Some(ty));
        }
        for id in module.properties_of(ty).unwrap() {
            assert_eq!(module.declaring_type_of_property(id).unwrap(), Some(ty));
        }
        for id in module.events_of(ty).unwrap() {
            assert_eq!(module.declaring_type_of_event(id).unwrap(), Some(ty));
        }
    }
}

fn check_code(name: &str, expected: Expect) {
    let module = module();
    let body = module.method_body(method(&module, "Code", name)).unwrap().unwrap();
    let mut text = String::new();
    for instruction in body.instructions() {
        writeln!(text, "{}", named(&module, &instruction.unwrap().to_string())).unwrap();
    }
    for clause in &body.clauses {
        let (tried, handler) = (clause.try_range, clause.handler);
        writeln!(
            text,
            "{} {:x}..{:x} by {:x}..{:x}",
            match clause.kind {
                ClauseKind::Catch(token) => format!("catch {}", module.type_name(token).unwrap().unwrap().1),
                ClauseKind::Filter(start) => format!("filter {start:x}"),
                ClauseKind::Finally => "finally".to_owned(),
                ClauseKind::Fault => "fault".to_owned(),
            },
            tried.start,
            tried.end,
            handler.start,
            handler.end
        )
        .unwrap();
    }
    expected.assert_eq(&text);
}

#[test]
fn exception_clauses() {
    check_code(
        "Clauses",
        expect![[r#"
        IL_0000: ldc.i4.s 10
        IL_0002: ldarg.0
        IL_0003: div
        IL_0004: stloc.0
        IL_0005: leave.s IL_0038
        IL_0007: pop
        IL_0008: ldc.i4.1
        IL_0009: stloc.0
        IL_000a: leave.s IL_0038
        IL_000c: isinst Exception
        IL_0011: dup
        IL_0012: brtrue.s IL_0018
        IL_0014: pop
        IL_0015: ldc.i4.0
        IL_0016: br.s IL_002a
        IL_0018: callvirt get_Message
        IL_001d: ldstr "x"
        IL_0022: call op_Equality
        IL_0027: ldc.i4.0
        IL_0028: cgt.un
        IL_002a: endfilter
        IL_002c: pop
        IL_002d: ldc.i4.2
        IL_002e: stloc.0
        IL_002f: leave.s IL_0038
        IL_0031: ldarg.0
        IL_0032: call WriteLine
        IL_0037: endfinally
        IL_0038: ldloc.0
        IL_0039: ret
        catch DivideByZeroException 0..7 by 7..c
        filter c 0..7 by 2c..31
        finally 0..31 by 31..38
    "#]],
    );
}

#[test]
fn switch_and_strings() {
    check_code(
        "Switch",
        expect![[r#"
        IL_0000: ldarg.0
        IL_0001: switch (IL_0018, IL_001e, IL_0024, IL_002a)
        IL_0016: br.s IL_0030
        IL_0018: ldstr "zero"
        IL_001d: ret
        IL_001e: ldstr "one"
        IL_0023: ret
        IL_0024: ldstr "two � unpaired"
        IL_0029: ret
        IL_002a: ldstr "three"
        IL_002f: ret
        IL_0030: ldnull
        IL_0031: ret
    "#]],
    );
}
