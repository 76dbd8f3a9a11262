//! Allocation and interning of strings; everything else about them is the class library's own code.

use crate::table::{Entry, all, native, one, throws};
use term::Term;
use vm::bytes::Bytes;
use vm::machine::{Machine, Step, fork, unsupported};
use vm::models::Call;
use vm::ops::LONGEST_STRING;
use vm::state::State;
use vm::stop::{Action, Choice, RuntimeException};
use vm::value::{Repr, Value};

const STRING: &str = "System.String";
const ON_STACK: &str = "System.Runtime.CompilerServices.StringHandleOnStack";

pub(crate) const TABLE: &[Entry] = &[
    native("System.MdUtf8String", "<EqualsCaseInsensitive>g____PInvoke|", same_name),
    all(STRING, "FastAllocateString", allocate),
    one(STRING, "Intern", ON_STACK, intern),
    one(STRING, "IsInterned", ON_STACK, is_interned),
];

/// The last argument is the length; newer runtimes give the method table first.
fn allocate(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    if let Some(len) = call.args.last().and_then(|len| m.open_length(len)) {
        return allocate_open(m, s, len);
    }
    let len = call.number(m, s, call.args.len().saturating_sub(1))?;
    if len > LONGEST_STRING {
        return throws(m, RuntimeException::OutOfMemory);
    }
    m.check_memory(s, len * 2 + 6)?;
    let mut bytes = Bytes::zeroed(len as usize * 2 + 6);
    let written = bytes.write(0, 4, vm::bytes::Bits::Concrete(len), &mut m.terms);
    if written.is_err() {
        return Err(unsupported(s, "a string without a length"));
    }
    m.string_object(s, bytes).map(|text| Some(Value::address(text)))
}

/// Of a length that stays open.
fn allocate_open(m: &mut Machine, s: &mut State, len: Term) -> Step<Option<Value>> {
    let text = m.open_string(s, len)?;
    let longest = m.terms.bv(32, LONGEST_STRING.into());
    let too_long = m.terms.ugt(len, longest);
    let fits = m.terms.ule(len, longest);
    Err(fork(vec![
        Choice { guard: too_long, action: Action::Throw(RuntimeException::OutOfMemory) },
        Choice { guard: fits, action: Action::Continue(Some(Value::address(text))) },
    ]))
}

fn intern(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let slot = call.word(m, s, 0, 0)?;
    let text = text_at(m, s, slot)?;
    let interned = m.intern(s, &text)?;
    m.store(s, slot, Repr::Ref, Value::address(interned))?;
    Ok(None)
}

fn is_interned(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let slot = call.word(m, s, 0, 0)?;
    let text = text_at(m, s, slot)?;
    let known = known(s, &text);
    m.store(s, slot, Repr::Ref, Value::address(known))?;
    Ok(None)
}

fn text_at(m: &mut Machine, s: &State, slot: u64) -> Step<Vec<u16>> {
    match m.load(s, slot, Repr::Ref)? {
        Value::I64(text) => m.text(s, text.cast_unsigned()),
        _ => Err(unsupported(s, "a symbolic string")),
    }
}

/// Two names of the metadata and their length: the same but for case.
fn same_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let len = call.number(m, s, 2)? as usize;
    let mut name = |index| -> Step<String> {
        let from = call.number(m, s, index)?;
        let bytes = m.load_bytes(s, from, len)?;
        Ok(String::from_utf8_lossy(bytes.concrete().unwrap_or_default()).to_uppercase())
    };
    Ok(Some(Value::bool(name(0)? == name(1)?)))
}

/// Of a string, not a place.
pub(crate) fn interned(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let text = call.number(m, s, 0)?;
    let units = m.text(s, text)?;
    m.intern(s, &units).map(|text| Some(Value::address(text)))
}

/// The interned string that is equal to a string, or null.
pub(crate) fn if_interned(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let text = call.number(m, s, 0)?;
    let units = m.text(s, text)?;
    Ok(Some(Value::address(known(s, &units))))
}

fn known(s: &State, text: &[u16]) -> u64 {
    s.runtime.literals.get(text).map_or(0, |block| block.address())
}
