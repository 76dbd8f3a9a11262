//! Every form of signature from bytes, also those that C# cannot write.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::coded::CodedIndex;
use crate::error::ErrorKind;
use crate::handmade::{blob, with_types};

/// TypeDef 1 as a TypeDefOrRef coded index.
const TYPE: u8 = 1 << 2;

fn check_type(bytes: &[u8], expected: Expect) {
    let metadata = with_types();
    match metadata.read_type_sig(blob(bytes)) {
        Ok(ty) => expected.assert_eq(&ty.to_string()),
        Err(error) => expected.assert_eq(&format!("error: {error}")),
    }
}

fn check_method(bytes: &[u8], expected: Expect) {
    let metadata = with_types();
    match metadata.read_method_sig(blob(bytes)) {
        Ok(method) => expected.assert_eq(&method.to_string()),
        Err(error) => expected.assert_eq(&format!("error: {error}")),
    }
}

#[test]
fn types() {
    check_type(&[0x08], expect!["int32"]);
    check_type(&[0x18], expect!["native int"]);
    check_type(&[0x16], expect!["typedref"]);
    check_type(&[0x0f, 0x01], expect!["void*"]);
    check_type(&[0x1d, 0x0f, 0x0f, 0x0d], expect!["float64**[]"]);
    check_type(&[0x11, TYPE], expect!["valuetype 0x02000001"]);
    check_type(&[0x15, 0x12, TYPE, 2, 0x13, 0, 0x1e, 1], expect!["class 0x02000001<!0, !!1>"]);
    check_type(&[0x45, 0x10, 0x05], expect!["uint8& pinned"]);
    check_type(&[0x1f, TYPE, 0x20, TYPE, 0x08], expect!["int32 modopt(0x02000001) modreq(0x02000001)"]);
    check_type(&[0x1b, 0x01, 1, 0x01, 0x08], expect!["method unmanaged cdecl void *(int32)"]);
}

#[test]
fn arrays_with_bounds() {
    check_type(&[0x14, 0x08, 2, 0, 0], expect!["int32[,]"]);
    check_type(&[0x14, 0x08, 1, 1, 3, 0], expect!["int32[0...2]"]);
    check_type(&[0x14, 0x08, 2, 2, 3, 4, 2, 0x7b, 2], expect!["int32[-3...-1,1...4]"]);
    check_type(&[0x14, 0x08, 3, 0, 1, 2], expect!["int32[1...,,]"]);
    check_type(
        &[0x14, 0x08, 0, 0, 0],
        expect!["error: bad signature: an array without dimensions (file offset 0x103)"],
    );
}

#[test]
fn methods() {
    check_method(&[0x00, 0, 0x01], expect!["void *()"]);
    check_method(&[0x20, 1, 0x0e, 0x1c], expect!["instance string *(object)"]);
    check_method(
        &[0x60, 2, 0x01, 0x12, TYPE, 0x08],
        expect!["instance explicit void *(class 0x02000001, int32)"],
    );
    check_method(&[0x30, 1, 1, 0x1e, 0, 0x1e, 0], expect!["instance !!0 *<1>(!!0)"]);
    check_method(
        &[0x05, 3, 0x08, 0x0e, 0x41, 0x08, 0x0d],
        expect!["vararg int32 *(string, ..., int32, float64)"],
    );
    check_method(&[0x05, 1, 0x08, 0x41, 0x08], expect!["vararg int32 *(..., int32)"]);
    check_method(&[0x09, 0, 0x01], expect!["unmanaged void *()"]);
}

#[test]
fn properties_fields_and_instantiations() {
    let metadata = with_types();
    let property = metadata.read_property_sig(blob(&[0x28, 1, 0x08, 0x0e])).unwrap();
    assert!(property.has_this && property.params.len() == 1);
    assert!(metadata.read_property_sig(blob(&[0x20, 1, 0x08, 0x0e])).is_err());
    assert_eq!(metadata.read_field_sig(blob(&[0x06, 0x02])).unwrap().to_string(), "bool");
    assert!(metadata.read_field_sig(blob(&[0x07, 0x02])).is_err());
}

#[test]
fn errors_have_places() {
    check_type(
        &[],
        expect!["error: bad metadata: a signature reaches beyond the end of its stream (file offset 0x100)"],
    );
    check_type(
        &[0x1d],
        expect!["error: bad metadata: a signature reaches beyond the end of its stream (file offset 0x101)"],
    );
    check_type(&[0x17], expect!["error: bad signature: unknown element type 0x17 (file offset 0x101)"]);
    check_type(
        &[0x11, 0x7c],
        expect!["error: bad metadata: 0x0200001f does not exist (the table has 10 rows) (file offset 0x102)"],
    );
    check_type(
        &[0x11, 0x07],
        expect!["error: bad metadata: 0x7 is not a valid coded index here (file offset 0x102)"],
    );
    check_method(
        &[0x00, 0xdf, 0xff, 0xff, 0xff, 0x01],
        expect!["error: bad signature: it claims more elements than it has bytes (file offset 0x105)"],
    );
    check_method(
        &[0x07, 0],
        expect!["error: bad signature: not the signature of a method (file offset 0x101)"],
    );
}

#[test]
fn nesting_is_limited() {
    let metadata = with_types();
    let nested = |depth: usize| {
        let bytes: Vec<u8> = std::iter::repeat_n(0x1d, depth).chain([0x08]).collect();
        metadata.read_type_sig(blob(&bytes)).map_err(|error| error.kind().clone())
    };
    assert!(nested(100).is_ok());
    assert!(matches!(nested(101), Err(ErrorKind::Limit { .. })));
    assert!(matches!(nested(1_000_000), Err(ErrorKind::Limit { .. })));
}

/// The other direction, for the property below.
fn encode(ty: &TypeSig, out: &mut Vec<u8>) {
    match ty {
        TypeSig::Ptr(inner) => encode_with(0x0f, inner, out),
        TypeSig::ByRef(inner) => encode_with(0x10, inner, out),
        TypeSig::SzArray(inner) => encode_with(0x1d, inner, out),
        TypeSig::Pinned(inner) => encode_with(0x45, inner, out),
        TypeSig::ValueType(token) => out.extend([0x11, encode_token(*token)]),
        TypeSig::Class(token) => out.extend([0x12, encode_token(*token)]),
        TypeSig::Var(number) => compress(*number, 0x13, out),
        TypeSig::MVar(number) => compress(*number, 0x1e, out),
        TypeSig::Array(array) => {
            encode_with(0x14, &array.element, out);
            out.push(array.rank as u8);
            out.push(array.sizes.len() as u8);
            out.extend(array.sizes.iter().map(|&size| size as u8));
            out.push(array.lower_bounds.len() as u8);
            out.extend(
                array.lower_bounds.iter().map(|&bound| (bound << 1 & 0x7f) as u8 | u8::from(bound < 0)),
            );
        }
        TypeSig::GenericInst(inst) => {
            out.extend([0x15, if inst.is_value_type { 0x11 } else { 0x12 }, encode_token(inst.definition)]);
            out.push(inst.arguments.len() as u8);
            inst.arguments.iter().for_each(|argument| encode(argument, out));
        }
        TypeSig::Modified(modified) => {
            out.extend([if modified.is_required { 0x1f } else { 0x20 }, encode_token(modified.modifier)]);
            encode(&modified.inner, out);
        }
        TypeSig::FnPtr(method) => {
            out.push(0x1b);
            out.push(if method.has_this { 0x20 } else { 0x00 });
            out.push(method.params.len() as u8);
            encode(&method.ret, out);
            method.params.iter().for_each(|param| encode(param, out));
        }
        simple => out.push((0..=0xff).find(|&byte| read::simple(byte).as_ref() == Some(simple)).unwrap()),
    }
}

fn encode_with(element: u8, inner: &TypeSig, out: &mut Vec<u8>) {
    out.push(element);
    encode(inner, out);
}

fn encode_token(token: Token) -> u8 {
    CodedIndex::TypeDefOrRef.encode(token.table().unwrap(), token.row()).unwrap() as u8
}

fn compress(number: u32, element: u8, out: &mut Vec<u8>) {
    out.push(element);
    match number {
        0..0x80 => out.push(number as u8),
        0x80..0x4000 => out.extend((number as u16 | 0x8000).to_be_bytes()),
        _ => out.extend((number | 0xc000_0000).to_be_bytes()),
    }
}

fn any_type() -> impl Strategy<Value = TypeSig> {
    let token = || (1..=10u32).prop_map(|row| Token::new(crate::TableId::TypeDef, row));
    let leaf = prop_oneof![
        (0..=0xffu8).prop_filter_map("an element type", read::simple),
        token().prop_map(TypeSig::Class),
        token().prop_map(TypeSig::ValueType),
        (0..0x2000_0000u32).prop_map(TypeSig::Var),
        (0..300u32).prop_map(TypeSig::MVar),
    ];
    leaf.prop_recursive(6, 24, 4, move |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        let several = || prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            boxed().prop_map(TypeSig::Ptr),
            boxed().prop_map(TypeSig::ByRef),
            boxed().prop_map(TypeSig::SzArray),
            boxed().prop_map(TypeSig::Pinned),
            (inner.clone(), prop::collection::vec(0..100u32, 0..3), prop::collection::vec(-60..60i32, 0..3))
                .prop_map(|(element, sizes, lower_bounds)| {
                    TypeSig::Array(Box::new(ArraySig { element, rank: 3, sizes, lower_bounds }))
                }),
            (any::<bool>(), token(), several()).prop_map(|(is_value_type, definition, arguments)| {
                TypeSig::GenericInst(Box::new(GenericInstSig { is_value_type, definition, arguments }))
            }),
            (any::<bool>(), token(), inner.clone()).prop_map(|(is_required, modifier, inner)| {
                TypeSig::Modified(Box::new(ModifiedSig { is_required, modifier, inner }))
            }),
            (any::<bool>(), several()).prop_map(|(has_this, mut params)| {
                TypeSig::FnPtr(Box::new(MethodSig {
                    convention: CallingConvention::Default,
                    has_this,
                    explicit_this: false,
                    generic_arity: 0,
                    ret: params.remove(0),
                    params,
                    sentinel: None,
                }))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_encoded_is_read_back(ty in any_type()) {
        let mut bytes = Vec::new();
        encode(&ty, &mut bytes);
        prop_assert_eq!(with_types().read_type_sig(blob(&bytes)), Ok(ty));
        // No part of a signature is a signature.
        bytes.pop();
        prop_assert!(with_types().read_type_sig(blob(&bytes)).is_err());
    }
}
