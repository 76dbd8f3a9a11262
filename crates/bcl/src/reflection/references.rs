//! The assemblies that an assembly refers to, as `AssemblyName` objects.

use crate::reflection::assemblies::assembly_argument;
use crate::table::{Entry, failed, native};
use verdict::Gap;
use vm::bytes::Bytes;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::ops::ELEMENTS;
use vm::state::State;
use vm::value::{Repr, Value};

const NAME: &str = "System.Reflection.AssemblyName";

pub(crate) const TABLE: &[Entry] =
    &[native("System.Reflection.RuntimeAssembly", "GetReferencedAssemblies", referenced)];

fn referenced(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = assembly_argument(m, s, call, 0)?;
    let universe = std::rc::Rc::clone(&m.universe);
    let module = universe.assembly(assembly).module();
    let mut names = Vec::new();
    for id in module.assembly_refs() {
        let row = module.assembly_ref(id).map_err(|e| give_up(s, Gap::invalid_code(e.to_string())))?;
        if !row.culture.is_empty() {
            return Err(unsupported(s, "a reference to an assembly of a culture"));
        }
        let version = [row.major_version, row.minor_version, row.build_number, row.revision_number];
        names.push(name_object(m, s, row.name, version, row.public_key_or_token.bytes)?);
    }
    let class = m.core_type(s, NAME)?;
    let array = m.object_array(s, class, &names)?;
    call.give(m, s, 1, array)?;
    Ok(None)
}

fn name_object(m: &mut Machine, s: &mut State, name: &str, version: [u16; 4], token: &[u8]) -> Step<u64> {
    let class = m.core_type(s, NAME)?;
    let object = m.allocate_instance(s, class)?;
    let text = m.string(s, name)?;
    m.store_field(s, object, "_name", Repr::Ref, Value::address(text))?;
    let version = version_object(m, s, version)?;
    m.store_field(s, object, "_version", Repr::Ref, Value::address(version))?;
    let byte = m.universe.well_known().map_err(|e| failed(s, e))?.byte;
    let Some(array) = m.allocate_array(s, byte, token.len() as u64)? else {
        return Err(unsupported(s, "so long a token"));
    };
    m.store_bytes(s, array + u64::from(ELEMENTS), &Bytes::from_vec(token.to_vec()))?;
    m.store_field(s, object, "_publicKeyToken", Repr::Ref, Value::address(array))?;
    let cultures = m.core_type(s, "System.Globalization.CultureInfo")?;
    let Some(invariant) = m.static_reference(s, cultures, "s_InvariantCultureInfo")? else {
        return Err(unsupported(s, "references before there is an invariant culture"));
    };
    m.store_field(s, object, "_cultureInfo", Repr::Ref, Value::address(invariant))?;
    Ok(object)
}

fn version_object(m: &mut Machine, s: &mut State, parts: [u16; 4]) -> Step<u64> {
    let class = m.core_type(s, "System.Version")?;
    let object = m.allocate_instance(s, class)?;
    for (name, part) in ["_Major", "_Minor", "_Build", "_Revision"].into_iter().zip(parts) {
        m.store_field(s, object, name, Repr::I4, Value::I32(i32::from(part)))?;
    }
    Ok(object)
}
