//! `AppContext`: what the host hands to the runtime when a program starts, and what its `runtimeconfig.json` sets.
//!
//! The class library's own code keeps it; here it is handed over when somebody first asks, since most programs never do.

use crate::table::{Entry, enter, failed};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::Value;

const CONTEXT: &str = "System.AppContext";

pub(crate) const TABLE: &[Entry] =
    &[enter(CONTEXT, "GetData", after_setup), enter(CONTEXT, "SetData", after_setup)];

/// Whether the properties were handed over.
#[derive(Clone, Default)]
struct IsSetUp(bool);

/// The method itself, but not before the properties are there.
fn after_setup(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    if s.attached.get::<IsSetUp>().0 || !matches!(after, OnReturn::Push) {
        return m.enter_body(s, call, after);
    }
    s.attached.get_mut::<IsSetUp>().0 = true;
    let class = m.core_type(s, CONTEXT)?;
    let setup = m.universe.methods_named(class, "Setup").map_err(|error| failed(s, error))?;
    let Some(&setup) = setup.first() else { return m.enter_body(s, call, after) };
    let properties = properties(m);
    let names = texts(m, s, properties.iter().map(|(name, _)| name.as_str()));
    let values = texts(m, s, properties.iter().map(|(_, value)| value.as_str()));
    s.top.stack.extend(call.args.iter().cloned());
    let count = Value::I32(properties.len() as i32);
    s.top.stack.extend([Value::address(names), Value::address(values), count]);
    m.invoke(s, setup, 3, OnReturn::Again)
}

/// An array of addresses of zero-terminated texts.
fn texts<'a>(m: &mut Machine, s: &mut State, texts: impl Iterator<Item = &'a str>) -> u64 {
    let mut addresses = Vec::new();
    for text in texts {
        let units = text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
        addresses.extend(m.runtime_data(s, units).to_le_bytes());
    }
    m.runtime_data(s, addresses)
}

/// As the host has them: places first, then what the application sets.
fn properties(m: &Machine) -> Vec<(String, String)> {
    let probing = m.universe.probing();
    let listed: String = probing.assembly_files().iter().map(|file| format!("{}:", file.display())).collect();
    let folder = probing.application_folder().map(|folder| format!("{}/", folder.display()));
    let mut properties = vec![
        ("TRUSTED_PLATFORM_ASSEMBLIES".to_owned(), listed),
        ("APP_CONTEXT_BASE_DIRECTORY".to_owned(), folder.unwrap_or_default()),
        ("PROBING_DIRECTORIES".to_owned(), String::new()),
        ("PLATFORM_RESOURCE_ROOTS".to_owned(), String::new()),
        ("RUNTIME_IDENTIFIER".to_owned(), "linux-x64".to_owned()),
        // An address of the host's, which nobody can follow here.
        ("HOST_RUNTIME_CONTRACT".to_owned(), "0x1000".to_owned()),
    ];
    if let Some(core) = probing.frameworks().last() {
        let deps = core.folder.join(format!("{}.deps.json", core.name)).display().to_string();
        properties.push(("NATIVE_DLL_SEARCH_DIRECTORIES".to_owned(), format!("{}/:", core.folder.display())));
        properties.push(("APP_CONTEXT_DEPS_FILES".to_owned(), deps.clone()));
        properties.push(("FX_DEPS_FILE".to_owned(), deps));
    }
    properties.extend(probing.properties().iter().cloned());
    properties
}
