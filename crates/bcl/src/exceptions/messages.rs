//! Messages of the class library, read from the resources of its assemblies.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use types::AssemblyId;

use crate::answers::no;
use crate::table::{Entry, all};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

pub(crate) const TABLE: &[Entry] = &[
    all("System.SR", "GetResourceString", text),
    all("System.SR", "InternalGetResourceString", text),
    all("System.SR", "UsingResourceKeys", no),
    all("System.SR", "GetUsingResourceKeysSwitchValue", no),
];

/// The texts of one assembly by their key.
pub(crate) type Texts = Rc<FxHashMap<String, String>>;

/// Those that were read.
#[derive(Clone, Default)]
struct AllTexts(FxHashMap<AssemblyId, Texts>);

/// The text of a key; without one the default text or the key itself, as the class library does.
fn text(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let address = call.number(m, s, 0)?;
    if address == 0 {
        return Ok(Some(Value::NULL));
    }
    let key = m.string_at(s, address)?;
    let owner = m.universe.method(call.method).owner;
    let assembly = m.universe.def_info(owner).map(|info| info.assembly);
    let texts = assembly.map(|assembly| resource_texts(m, assembly)).unwrap_or_default();
    match texts.get(&key) {
        Some(text) => {
            let units: Vec<u16> = text.encode_utf16().collect();
            let text = m.allocate_string(s, &units)?;
            Ok(Some(Value::address(text)))
        }
        None => match call.args.get(1) {
            Some(Value::I64(default)) if *default != 0 => Ok(Some(Value::I64(*default))),
            _ => Ok(Some(Value::address(address))),
        },
    }
}

pub(crate) fn resource_texts(m: &mut Machine, assembly: AssemblyId) -> Texts {
    if let Some(texts) = m.attached.get::<AllTexts>().0.get(&assembly) {
        return Rc::clone(texts);
    }
    let mut texts = FxHashMap::default();
    let module = m.universe.assembly(assembly).module();
    for id in module.manifest_resources() {
        let named = module
            .manifest_resource(id)
            .is_ok_and(|row| row.name.ends_with(".SR.resources") || row.name.ends_with(".Strings.resources"));
        if named && let Ok(Some(data)) = module.resource_data(id) {
            texts.extend(strings(data).unwrap_or_default());
        }
    }
    let texts = Rc::new(texts);
    m.attached.get_mut::<AllTexts>().0.insert(assembly, Rc::clone(&texts));
    texts
}

/// The strings of a resource file, format version 2. What is not a string is left out.
fn strings(file: &[u8]) -> Option<Vec<(String, String)>> {
    let mut header = Cursor { file, at: 0 };
    if header.u32()? != 0xbeef_cace {
        return None;
    }
    header.u32()?;
    let skip = header.u32()? as usize;
    header.at += skip;
    if header.u32()? != 2 {
        return None;
    }
    let count = header.u32()? as usize;
    for _ in 0..header.u32()? {
        let len = header.packed()?;
        header.at += len;
    }
    header.at = header.at.next_multiple_of(8);
    header.at = header.at.checked_add(count.checked_mul(4)?)?;
    let positions: Option<Vec<u32>> = (0..count).map(|_| header.u32()).collect();
    let data = header.u32()? as usize;
    let names = header.at;
    let mut found = Vec::new();
    for position in positions? {
        let mut name = Cursor { file, at: names.checked_add(position as usize)? };
        let len = name.packed()?;
        let key = utf16(name.take(len)?);
        let mut value = Cursor { file, at: data.checked_add(name.u32()? as usize)? };
        // Type code 1 is a string.
        if value.packed()? == 1 {
            let len = value.packed()?;
            found.push((key, String::from_utf8_lossy(value.take(len)?).into_owned()));
        }
    }
    Some(found)
}

fn utf16(bytes: &[u8]) -> String {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&units)
}

struct Cursor<'a> {
    file: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let bytes = self.file.get(self.at..self.at.checked_add(len)?)?;
        self.at += len;
        Some(bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    /// Seven bits to a byte, the lowest first.
    fn packed(&mut self) -> Option<usize> {
        let mut value = 0usize;
        for shift in (0..35).step_by(7) {
            let byte = usize::from(*self.take(1)?.first()?);
            value |= (byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }
}
