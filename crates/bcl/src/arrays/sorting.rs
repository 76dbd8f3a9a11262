//! Sorting of integers: for programs. Whatever the algorithm, equal integers are the same, so there is one result.
//!
//! Other elements, and memory that is not known, are left to the class library's own code.

use types::Primitive;

use crate::table::{Entry, enter};
use vm::bytes::Bytes;
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::{OnReturn, State};

pub(crate) const TABLE: &[Entry] =
    &[enter("System.Collections.Generic.GenericArraySortHelper`1", "IntroSort", sort)];

/// A span of elements that are compared as they are, and how deep the algorithm may go.
fn sort(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    match sorted(m, s, call) {
        Some((place, bytes)) => {
            m.store_bytes(s, place, &Bytes::from_vec(bytes))?;
            m.returned(s, after, None)
        }
        None => m.enter_body(s, call, after),
    }
}

fn sorted(m: &mut Machine, s: &State, call: &Call) -> Option<(u64, Vec<u8>)> {
    let element = *m.universe.type_args(m.universe.method(call.method).owner).first()?;
    let primitive = m.universe.primitive(element)?;
    // Older class libraries pass an array and its bounds.
    if !matches!(call.args.first(), Some(vm::Value::Struct(span)) if span.len() == SPAN) {
        return None;
    }
    let place = call.word(m, s, 0, 0).ok()?;
    let len = call.word(m, s, 0, 8).ok()? & u64::from(u32::MAX);
    let bytes = s.heap.known_bytes(place, len * u64::from(primitive.size()))?;
    Some((place, in_order(bytes, primitive)?))
}

/// Bytes of a span: a reference and a length.
const SPAN: usize = 16;

fn in_order(bytes: &[u8], primitive: Primitive) -> Option<Vec<u8>> {
    macro_rules! sort_as {
        ($number:ty) => {{
            let (units, _) = bytes.as_chunks::<{ size_of::<$number>() }>();
            let mut numbers: Vec<$number> =
                units.iter().map(|unit| <$number>::from_le_bytes(*unit)).collect();
            numbers.sort_unstable();
            numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
        }};
    }
    Some(match primitive {
        Primitive::I1 => sort_as!(i8),
        Primitive::U1 => sort_as!(u8),
        Primitive::I2 => sort_as!(i16),
        Primitive::U2 | Primitive::Char => sort_as!(u16),
        Primitive::I4 => sort_as!(i32),
        Primitive::U4 => sort_as!(u32),
        Primitive::I8 | Primitive::I => sort_as!(i64),
        Primitive::U8 | Primitive::U => sort_as!(u64),
        // Of equal floats the signs may differ.
        Primitive::R4 | Primitive::R8 | Primitive::Boolean | Primitive::Void => return None,
    })
}
