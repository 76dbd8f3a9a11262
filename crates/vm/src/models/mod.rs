//! Models of runtime internals: one table from methods to functions.
//!
//! A model stands for a method whose body is not CIL, or whose CIL is a stand-in that the JIT replaces (intrinsics).
//! Whatever has no model and no body ends a path with its name.

mod activation;
mod array_shape;
mod arrays;
mod assemblies;
mod attributes;
mod casing;
mod chance;
mod characters;
mod comparers;
mod compression;
mod console;
mod core31;
mod delegate_binding;
mod delegates;
mod diagnostics;
mod diagram;
mod digits;
mod element_types;
mod enums;
mod environment;
mod exceptions;
mod fields;
mod files;
mod folders;
mod gc;
mod handles;
mod hashes;
mod identity;
mod interlocked;
mod interpolation;
mod invocation;
mod libm;
mod loading;
mod marshalling;
mod math;
mod memory;
mod metadata;
mod method_table;
mod methods;
mod monitor;
mod mono;
mod native_memory;
mod objects;
mod older;
mod outside;
mod parsing;
mod process;
mod references;
mod reflected_call;
mod resources;
mod runtime;
mod searches;
mod sequences;
mod settings;
mod signals;
mod signatures;
mod stack_frames;
mod strings;
mod text;
mod threads;
mod throwers;
mod throwing;
mod time;
mod type_handles;
mod type_names;
mod type_parsing;
mod unsafe_;
mod value_types;
mod waits;

use types::{MethodId, TypeId, Universe};

use crate::decode::repr_of;
use crate::framework::Framework;
use crate::host::Denied;
use crate::machine::{Config, Machine, Step, fork, give_up, unsupported};
use crate::state::{OnReturn, State};
use crate::stop::{Action, Choice, Reason, RuntimeException, Stop};
use crate::value::{Repr, Value};

pub use compression::Streams;
pub(crate) use diagram::Diagram;
pub use hashes::Hashes;
pub use process::Process;
pub(crate) use reflected_call::Thrown;
pub(crate) use resources::Texts;

/// What stands for a method.
#[derive(Clone, Copy)]
pub(crate) enum Model {
    /// Computes the result.
    Value(ValueModel),
    /// Pushes a frame that computes the result; the operands stay on the stack for it.
    Frame(FrameModel),
    /// Calls managed code with arguments of its own, or answers at once; the operands have been popped.
    Enter(Enter),
}

pub(crate) type ValueModel = fn(&mut Machine, &mut State, &Call) -> Step<Option<Value>>;
pub(crate) type Enter = fn(&mut Machine, &mut State, &Call, OnReturn) -> Step;
pub(crate) type FrameModel = fn(&mut Machine, &mut State, FrameCall) -> Step;

/// A call of a method whose model pushes a frame.
pub(crate) struct FrameCall {
    /// How many of the topmost operands are its arguments.
    pub count: usize,
    pub after: OnReturn,
}

/// A call of a modelled method.
pub(crate) struct Call {
    pub method: MethodId,
    pub args: Vec<Value>,
}

/// A line of the table.
struct Entry {
    owner: &'static str,
    name: &'static str,
    /// The parameters as the method's id writes them; all overloads if there are none given.
    parameters: Option<&'static str>,
    /// Only methods without a body: the managed methods of the same name around them are interpreted.
    native: bool,
    model: Model,
}

impl Entry {
    /// Compilers number the native part of a method: such a name ends where the number starts.
    fn is_named(&self, name: &str) -> bool {
        self.name == name || self.name.ends_with('|') && name.starts_with(self.name)
    }
}

const fn all(owner: &'static str, name: &'static str, model: ValueModel) -> Entry {
    Entry { owner, name, parameters: None, native: false, model: Model::Value(model) }
}

const fn one(owner: &'static str, name: &'static str, parameters: &'static str, model: ValueModel) -> Entry {
    Entry { owner, name, parameters: Some(parameters), native: false, model: Model::Value(model) }
}

/// A line for all native overloads of a name.
const fn native(owner: &'static str, name: &'static str, model: ValueModel) -> Entry {
    Entry { owner, name, parameters: None, native: true, model: Model::Value(model) }
}

/// A line for a native method that calls managed code.
const fn native_enter(owner: &'static str, name: &'static str, model: Enter) -> Entry {
    Entry { owner, name, parameters: None, native: true, model: Model::Enter(model) }
}

/// A line for one overload that calls managed code.
const fn enter_one(owner: &'static str, name: &'static str, parameters: &'static str, model: Enter) -> Entry {
    Entry { owner, name, parameters: Some(parameters), native: false, model: Model::Enter(model) }
}

/// A line for a method that calls managed code.
const fn enter(owner: &'static str, name: &'static str, model: Enter) -> Entry {
    Entry { owner, name, parameters: None, native: false, model: Model::Enter(model) }
}

const fn frame(
    owner: &'static str,
    name: &'static str,
    parameters: &'static str,
    model: FrameModel,
) -> Entry {
    Entry { owner, name, parameters: Some(parameters), native: false, model: Model::Frame(model) }
}

/// The end of a path that asked the universe for something it does not have.
fn failed(s: &State, error: types::Error) -> Box<Stop> {
    give_up(s, error.into())
}

/// The outcome of a model that throws an exception of the runtime.
pub(super) fn throws<T>(m: &mut Machine, exception: RuntimeException) -> Step<T> {
    let guard = m.terms.true_();
    Err(fork(vec![Choice { guard, action: Action::Throw(exception) }]))
}

/// What the runtime has given up: calling delegates in the old asynchronous way.
pub(crate) const UNSUPPORTED_ON_PLATFORM: Model =
    Model::Value(|m, _, _| throws(m, RuntimeException::PlatformNotSupported));

/// The model of a method, if it has one.
pub(crate) fn find(universe: &Universe, method: MethodId, config: Config) -> Option<Model> {
    let definition = universe.method_definition(method).unwrap_or(method);
    let info = universe.method(definition);
    let mut owner = universe.type_name(info.owner);
    // Before .NET 5 the core library kept this class to itself.
    if owner == "Internal.Runtime.CompilerServices.Unsafe" {
        owner.replace_range(.."Internal".len(), "System");
    }
    if !["System.", "Interop", "Mono."].iter().any(|prefix| owner.starts_with(prefix)) {
        return None;
    }
    if runtime::is_feature_test(&owner, &info.name) {
        return Some(Model::Value(runtime::not_supported));
    }
    let messages = if config.interpret_text { resources::TABLE } else { text::TABLE };
    let opaque = if config.interpret_text { &[] } else { text::OPAQUE };
    let older = if matches!(universe.body(definition), Ok(None)) { older::WITHOUT_BODY } else { &[] };
    // Reflection answers these for concrete values; the models know symbolic ones.
    let exploration = if config.runs_program { &[] } else { enums::TABLE };
    let chance = if config.runs_program { &[] } else { chance::TABLE };
    let in_terms: &[&[Entry]] = &[
        sequences::TABLE,
        searches::TABLE,
        characters::TABLE,
        casing::TABLE,
        digits::TABLE,
        interpolation::TABLE,
        parsing::TABLE,
    ];
    let in_terms = in_terms.iter().copied().filter(|_| !config.interpret_text);
    let alone: [&[Entry]; 3] =
        if config.runs_program { [&[]; 3] } else { [monitor::ALONE, gc::ALONE, console::ALONE] };
    let [alone, uncollected, unheard] = alone;
    let this_thread = if config.interpret_text { &[] } else { threads::ALONE };
    let is_native = info.is_internal_call() || info.is_pinvoke();
    let framework = Framework::of(universe);
    let (own, own_programs): (&[&[Entry]], &[&[Entry]]) = match framework {
        Framework::Mono => (mono::TABLES, mono::PROGRAMS),
        _ if framework.is_core_3() => (core31::TABLES, core31::PROGRAMS),
        Framework::CoreClr { .. } => (&[], &[]),
    };
    if framework == Framework::Mono && mono::OWN_CODE.contains(&(&owner, &info.name)) && !is_native {
        return None;
    }
    let own_programs = own_programs.iter().filter(|_| config.runs_program);
    let candidates = [
        older::TABLE,
        older,
        type_handles::TABLE,
        time::TABLE,
        console::TABLE,
        environment::TABLE,
        exceptions::TABLE,
        files::TABLE,
        folders::TABLE,
        identity::TABLE,
        native_memory::TABLE,
        outside::TABLE,
        process::TABLE,
        runtime::TABLE,
        exploration,
        chance,
        math::TABLE,
        libm::TABLE,
        monitor::TABLE,
        alone,
        this_thread,
        uncollected,
        unheard,
        messages,
        activation::EXACT,
        arrays::TABLE,
        assemblies::OF_TYPES,
        comparers::TABLE,
        delegates::TABLE,
        gc::TABLE,
        hashes::TABLE,
        interlocked::TABLE,
        marshalling::TABLE,
        memory::TABLE,
        method_table::TABLE,
        objects::TABLE,
        settings::TABLE,
        signals::TABLE,
        strings::TABLE,
        opaque,
        unsafe_::TABLE,
        value_types::TABLE,
        activation::TABLE,
        assemblies::TABLE,
        attributes::TABLE,
        delegate_binding::TABLE,
        fields::TABLE,
        invocation::TABLE,
        metadata::TABLE,
        methods::TABLE,
        signatures::TABLE,
    ];
    // One schedule of tasks is enough to run a program, but no ground for a proof.
    let programs: &[&[Entry]] = &[
        compression::TABLE,
        delegates::PROGRAMS,
        diagnostics::TABLE,
        gc::PROGRAMS,
        monitor::THREADS,
        threads::TABLE,
        waits::TABLE,
        loading::TABLE,
        references::TABLE,
        stack_frames::TABLE,
    ];
    let programs = programs.iter().copied().filter(|_| config.runs_program);
    let members: &[&[Entry]] = &[math::PROGRAMS];
    let members = members.iter().copied().filter(|_| config.interpret_text);
    let mut named = own
        .iter()
        .chain(own_programs)
        .copied()
        .chain(in_terms)
        .chain(candidates)
        .chain(programs)
        .chain(members)
        .flatten()
        .filter(|e| e.owner == owner && e.is_named(&info.name) && (is_native || !e.native));
    let id = universe.method_id(definition);
    named.find(|e| e.parameters.is_none_or(|p| id.ends_with(&format!("({p})")))).map(|e| e.model)
}

impl Call {
    /// An argument that must be a concrete address or number.
    pub(super) fn number(&self, m: &Machine, s: &State, index: usize) -> Step<u64> {
        match self.args.get(index) {
            Some(Value::I32(v)) => Ok(i64::from(*v).cast_unsigned()),
            Some(Value::I64(v)) => Ok(v.cast_unsigned()),
            Some(Value::Term(term)) if m.width(*term) > 0 => {
                Err(Box::new(Stop::Concretize { term: *term, depth: self.args.len() - 1 - index }))
            }
            _ => Err(give_up(s, Reason::BadImage("a call with an argument of the wrong kind".into()))),
        }
    }

    pub(super) fn value(&self, s: &State, index: usize) -> Step<Value> {
        match self.args.get(index) {
            Some(value) => Ok(value.clone()),
            None => Err(give_up(s, Reason::BadImage("a call with too few arguments".into()))),
        }
    }

    /// A generic argument of the method.
    pub(super) fn generic(&self, m: &Machine, s: &State, index: usize) -> Step<TypeId> {
        match m.universe.method(self.method).args.get(index) {
            Some(ty) => Ok(*ty),
            None => Err(unsupported(s, "a generic call without its arguments")),
        }
    }

    pub(super) fn generic_repr(&self, m: &Machine, s: &State, index: usize) -> Step<Repr> {
        let ty = self.generic(m, s, index)?;
        repr_of(&m.universe, ty).map_err(|reason| give_up(s, reason))
    }
}

impl Machine {
    /// The end of a path that asked the host for something it does not give.
    fn denied(&self, s: &State, call: &Call, denied: &Denied) -> Box<Stop> {
        let name = self.universe.method_id(call.method);
        give_up(s, Reason::NativeCall(format!("{name}: the program wants {}", denied.0)))
    }

    /// A field of an object by its name; the object's own class or one of its bases declares it.
    pub(crate) fn field_place(&self, s: &State, object: u64, name: &str) -> Step<u64> {
        let mut class = Some(self.object_type(s, object)?);
        while let Some(ty) = class {
            let found = self
                .universe
                .find_field(ty, name)
                .and_then(|field| field.map(|field| self.universe.field_offset(field)).transpose());
            match found {
                Ok(Some(offset)) => return Ok(object + u64::from(offset)),
                Ok(None) => class = self.universe.base(ty).map_err(|error| give_up(s, error.into()))?,
                Err(error) => return Err(give_up(s, error.into())),
            }
        }
        Err(unsupported(s, &format!("an object without the field {name}")))
    }

    pub(crate) fn load_field(&mut self, s: &State, object: u64, name: &str, repr: Repr) -> Step<Value> {
        let place = self.field_place(s, object, name)?;
        self.load(s, place, repr)
    }

    pub(crate) fn store_field(
        &mut self,
        s: &mut State,
        object: u64,
        name: &str,
        repr: Repr,
        value: Value,
    ) -> Step<()> {
        let place = self.field_place(s, object, name)?;
        self.store(s, place, repr, value)
    }

    /// The text of a string object.
    pub(crate) fn string_at(&mut self, s: &State, address: u64) -> Step<String> {
        let Value::I32(len) = self.load(s, address, Repr::I4)? else {
            return Err(unsupported(s, "a string of symbolic length"));
        };
        let bytes = self.load_bytes(s, address + 4, 2 * len.max(0) as usize)?;
        let Some(bytes) = bytes.concrete() else { return Err(unsupported(s, "symbolic text")) };
        let units: Vec<u16> =
            bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        Ok(String::from_utf16_lossy(&units))
    }
}
