//! Static fields: where they live and when their type is initialized.

use std::rc::Rc;

use cil::{MemberSig, MethodBody, Module, Opcode, Operand, RowRef, Token, TypeSig};
use rustc_hash::{FxHashMap, FxHashSet};
use types::{AssemblyId, FieldId, Primitive, Type, TypeId, Universe};

use crate::bytes::{Bits, Bytes};
use crate::code::FieldSite;
use crate::decode::repr_of;
use crate::heap::{BlockId, BlockKind, Sharing, split_address};
use crate::machine::{Callee, Machine, Step, give_up};
use crate::state::{InitStatus, OnReturn, State, StaticEntry};
use crate::threads::MAIN;
use crate::value::{Repr, Value};
use verdict::{Assumption, Gap};

/// Offsets of a type's static fields in their block.
#[derive(Debug, Default)]
pub struct StaticLayout {
    size: u32,
    offsets: FxHashMap<FieldId, u32>,
    /// Fields of which every thread has its own.
    per_thread: FxHashSet<FieldId>,
}

impl Machine {
    /// The address of a static field, or `None` if a static constructor (or the exception of a failed one) has to run
    /// before the instruction is tried again.
    pub fn static_address(&mut self, s: &mut State, site: FieldSite) -> Step<Option<u64>> {
        if let Some(offset) = self.layouts.static_offsets.get(&site.field)
            && let StaticEntry { block: Some(block), status } = s.statics.get(site.owner)
            && (!site.init || status == InitStatus::Done)
        {
            return Ok(Some(block.address() + u64::from(*offset)));
        }
        if self.universe.field(site.field).has_rva() {
            return self.image_data(s, site.field, site.repr.size()).map(Some);
        }
        if site.init && !self.ensure_initialized(s, site.owner)? {
            return Ok(None);
        }
        let layout = self.static_layout(s, site.owner)?;
        if s.threads.current() != MAIN && layout.per_thread.contains(&site.field) {
            return Ok(Some(thread_static(s, site, &layout)));
        }
        let entry = s.statics.get(site.owner);
        let block = match entry.block {
            Some(block) => block,
            None => {
                let bytes = Bytes::zeroed(layout.size as usize);
                let block = s.heap.allocate(BlockKind::Statics(site.owner), bytes);
                // The fields themselves are looked at where they are named.
                s.heap.share(block, Sharing::Own);
                s.statics.set(site.owner, StaticEntry { block: Some(block), ..entry });
                self.preset_statics(s, site.owner, &layout, block)?;
                block
            }
        };
        match layout.offsets.get(&site.field) {
            Some(offset) => {
                if !layout.per_thread.contains(&site.field) {
                    self.layouts.static_offsets.insert(site.field, *offset);
                }
                Ok(Some(block.address() + u64::from(*offset)))
            }
            None => Err(give_up(s, Gap::internal_error("a static field without a place"))),
        }
    }

    /// `String.Empty` has no initializer: the runtime sets it.
    fn preset_statics(
        &mut self,
        s: &mut State,
        ty: TypeId,
        layout: &StaticLayout,
        block: BlockId,
    ) -> Step<()> {
        if self.universe.well_known().is_ok_and(|known| known.string == ty)
            && let Ok(Some(field)) = self.universe.find_field(ty, "Empty")
            && let Some(offset) = layout.offsets.get(&field)
        {
            let empty = self.intern(s, &[])?;
            self.store(s, block.address() + u64::from(*offset), Repr::Ref, Value::address(empty))?;
        }
        Ok(())
    }

    /// A static field of reference type by its name, if its type has been touched at all.
    pub fn static_reference(&mut self, s: &State, ty: TypeId, name: &str) -> Step<Option<u64>> {
        let field = self.universe.find_field(ty, name).map_err(|error| give_up(s, error.into()))?;
        let layout = self.static_layout(s, ty)?;
        let offset = field.and_then(|field| layout.offsets.get(&field));
        let (Some(block), Some(offset)) = (s.statics.get(ty).block, offset) else { return Ok(None) };
        match self.load(s, block.address() + u64::from(*offset), Repr::Ref)? {
            Value::I64(reference) if reference != 0 => Ok(Some(reference.cast_unsigned())),
            _ => Ok(None),
        }
    }

    /// Whether the type is ready. If not, the frame that makes it ready has been pushed.
    pub fn ensure_initialized(&mut self, s: &mut State, ty: TypeId) -> Step<bool> {
        match s.statics.get(ty).status {
            // A type being initialized is visible to its own initializer.
            InitStatus::Done => return Ok(true),
            InitStatus::Running(thread) if thread as usize == s.threads.current() => {
                self.note_initializer_order(s, ty);
                return Ok(true);
            }
            InitStatus::Running(_) => {
                self.wait_for_initializer(s, ty)?;
                return Ok(false);
            }
            InitStatus::Failed(exception) => {
                self.raise_by_runtime(s, exception)?;
                return Ok(false);
            }
            InitStatus::NotStarted => {}
        }
        let constructor = match self.universe.static_constructor(ty) {
            Ok(constructor) => constructor,
            Err(error) => return Err(give_up(s, error.into())),
        };
        let Some(constructor) = constructor else {
            s.statics.set_status(ty, InitStatus::Done);
            return self.ensure_module(s, ty);
        };
        s.statics.set_status(ty, InitStatus::Running(s.threads.current() as u32));
        let made = match (self.explores(), self.is_framework(ty)) {
            (false, _) => Sharing::Own,
            (true, false) => Sharing::Static,
            (true, true) => Sharing::Framework,
        };
        s.begin_statics(ty, made);
        match self.callee(constructor) {
            Callee::Code(code) => {
                let frame = self.frame(s, code, Vec::new(), OnReturn::Initialized(ty))?;
                s.push_frame(frame);
                // On top of it, so that it runs first.
                self.ensure_module(s, ty)?;
                Ok(false)
            }
            Callee::Model(_) | Callee::Delegate | Callee::Array(_) => Ok(true),
            Callee::Invalid => {
                let what = "variable arguments in a static constructor".to_owned();
                Err(give_up(s, Gap::unsupported_instruction(what)))
            }
            Callee::Missing(gap) => Err(give_up(s, gap)),
        }
    }

    /// The initializer of a module runs before those of its types.
    fn ensure_module(&mut self, s: &mut State, ty: TypeId) -> Step<bool> {
        let assembly = self.universe.def_info(ty).map(|info| info.assembly);
        match assembly.and_then(|assembly| self.universe.module_initializer(assembly)) {
            Some(module) if module != ty => self.ensure_initialized(s, module),
            _ => Ok(true),
        }
    }

    /// The initializer of another type looks at one that has not ended: what it sees depends on which came first.
    fn note_initializer_order(&mut self, s: &State, ty: TypeId) {
        let owner = self.universe.method(s.top.code.method).owner;
        // A module always comes before its types.
        let is_module =
            self.universe.def_info(ty).and_then(|info| self.universe.module_initializer(info.assembly))
                == Some(ty);
        if owner != ty && !is_module && &*self.universe.method(s.top.code.method).name == ".cctor" {
            self.assume(Assumption::UnchangedStatics, |m| {
                format!("{} is initialized first", m.universe.type_name(ty))
            });
        }
    }

    /// An array in a field that nobody changes, nor its elements, is as good as a constant.
    pub(crate) fn note_static_value(&mut self, s: &mut State, site: FieldSite, value: &Value) {
        let Value::I64(address) = *value else { return };
        let (block, _) = split_address(address.cast_unsigned());
        if s.heap.sharing(block) != Sharing::Static || site.changeable {
            return;
        }
        let ty = self.universe.field_type(site.field);
        let is_vector = ty.is_ok_and(|ty| matches!(self.universe.ty(ty), Type::SzArray(_)));
        if is_vector && !self.may_change(site) {
            s.heap.share(block, Sharing::Fixed);
        }
    }

    /// Static fields are no inputs: a path starts with their first values. What is said about a method that reads one
    /// before writing it holds for these values only, which must be said as well.
    pub(crate) fn note_static_read(&mut self, s: &State, site: FieldSite) {
        self.note_static_place(site);
        let initializing = matches!(s.statics.get(site.owner).status, InitStatus::Running(_));
        if initializing
            || s.statics.is_written(site.field)
            || self.inputs.static_reads.contains(&site.field)
            || self.is_framework(site.owner)
            || !self.may_change(site)
        {
            return;
        }
        self.inputs.static_reads.insert(site.field);
        if site.compilers_cache {
            self.inputs.cache_read = true;
            return;
        }
        if self.is_symbolic_static(site) {
            return;
        }
        let name = self.static_name(site);
        let detail = format!("the static field {name} was only tried with its first value");
        self.inputs.limits.push(Gap::unsupported_input(detail));
    }

    /// A by-ref argument may be the field.
    fn note_static_place(&mut self, site: FieldSite) {
        if site.changeable && self.inputs.has_places() && !self.is_framework(site.owner) {
            self.assume(Assumption::UsualInputs, |m| {
                format!("no by-ref argument leads to {}", m.static_name(site))
            });
        }
    }

    fn static_name(&self, site: FieldSite) -> String {
        format!("{}.{}", self.universe.type_name(site.owner), self.universe.field(site.field).name)
    }

    /// Whether all values of a static field that others may change are explored: numbers are.
    fn is_symbolic_static(&self, site: FieldSite) -> bool {
        self.explores()
            && self.followed.is_none()
            && site.changeable
            && matches!(site.repr, Repr::I1 | Repr::U1 | Repr::I2 | Repr::U2 | Repr::I4 | Repr::I8)
    }

    /// A number in a static field that others may change can be any: the first value is what a test sees.
    pub(crate) fn open_static(&mut self, s: &mut State, site: FieldSite, address: u64) -> Step<()> {
        let initializing = matches!(s.statics.get(site.owner).status, InitStatus::Running(_));
        if initializing
            || site.compilers_cache
            || !self.is_symbolic_static(site)
            || s.statics.is_written(site.field)
            || self.is_framework(site.owner)
            || !self.may_change(site)
        {
            return Ok(());
        }
        let what = format!("the static field {}", self.static_name(site));
        if self.open_number(s, site, address, &what, 0)? {
            s.statics.set_written(site.field);
        }
        Ok(())
    }

    /// Puts any number in the place of the one that a field holds, if it is one.
    fn open_number(
        &mut self,
        s: &mut State,
        site: FieldSite,
        address: u64,
        what: &str,
        place: u64,
    ) -> Step<bool> {
        let here = match self.load(s, address, site.repr)? {
            Value::I32(number) => u128::from(number.cast_unsigned()),
            Value::I64(number) => u128::from(number.cast_unsigned()),
            _ => return Ok(false),
        };
        let ty = self.universe.field_type(site.field);
        let is_truth = ty.is_ok_and(|ty| self.universe.primitive(ty) == Some(Primitive::Boolean));
        let width = if is_truth { 1 } else { 8 * site.repr.size() };
        let term = self.surroundings_at(what, place, width, here & ((1 << width) - 1));
        let term = if is_truth { self.terms.zext(term, 8) } else { term };
        let value = self.widen(Bits::Symbolic(term), site.repr);
        self.store(s, address, site.repr, value)?;
        Ok(true)
    }

    /// A field of an object that a static field leads to is read for the first time: a number can be any.
    pub(crate) fn open_shared(&mut self, s: &mut State, site: FieldSite, address: u64) -> Step<bool> {
        let is_number = matches!(site.repr, Repr::I1 | Repr::U1 | Repr::I2 | Repr::U2 | Repr::I4 | Repr::I8);
        let initializing = matches!(s.heap.new_blocks, Sharing::Static | Sharing::Framework);
        if initializing {
            return Ok(true);
        }
        if !is_number
            || self.followed.is_some()
            || self.is_framework(site.owner)
            || s.path.seen.contains(&address)
        {
            return Ok(false);
        }
        let what = format!("{} of a shared object", self.static_name(site));
        let opened = self.open_number(s, site, address, &what, address)?;
        Rc::make_mut(&mut s.path.seen).insert(address);
        Ok(opened)
    }

    /// A field that only its own assembly sees and that nobody but its type's initializer writes is as good as readonly.
    /// Of a readonly array it is the elements that change.
    pub(crate) fn may_change(&mut self, site: FieldSite) -> bool {
        let Type::Def { assembly, .. } = *self.universe.ty(site.owner) else { return true };
        let universe = Rc::clone(&self.universe);
        let field = universe.field(site.field);
        let is_array = || {
            let ty = universe.field_type(site.field).ok();
            ty.is_some_and(|ty| universe.array_element(ty).is_some())
        };
        if !site.changeable && (field.has_rva() || !is_array()) {
            return false;
        }
        // Only one thread ever has the first value.
        if universe.field_has_attribute(site.field, "System", "ThreadStaticAttribute") {
            return true;
        }
        // FieldAttributes: family, family or assembly, public; for friends also what is internal.
        let first = if universe.has_friends(assembly) { 0x2 } else { 0x4 };
        if (first..=0x6).contains(&(field.flags & 0x7)) {
            return true;
        }
        let written = self
            .classes
            .written_statics
            .entry(assembly)
            .or_insert_with(|| WrittenStatics::of(&universe, assembly));
        let names = if site.changeable { &written.fields } else { &written.elements };
        names.contains(&*field.name)
    }

    pub(crate) fn note_static_write(&mut self, s: &mut State, site: FieldSite) {
        s.path.wrote_shared = true;
        self.note_static_place(site);
        let writer = self.universe.method(s.top.code.method).owner;
        if s.heap.new_blocks == Sharing::Static && writer != site.owner {
            self.assume(Assumption::UnchangedStatics, |m| {
                format!("{} is written by an initializer that runs only once", m.static_name(site))
            });
        }
        // What initializers write, those of modules too, is where everybody starts from: others may have changed it since.
        let initializing = matches!(s.heap.new_blocks, Sharing::Static | Sharing::Framework)
            || matches!(s.statics.get(site.owner).status, InitStatus::Running(_));
        if site.changeable && !initializing {
            s.statics.set_written(site.field);
        }
    }

    fn static_layout(&mut self, s: &State, ty: TypeId) -> Step<Rc<StaticLayout>> {
        if let Some(layout) = self.layouts.statics.get(&ty) {
            return Ok(Rc::clone(layout));
        }
        let layout = self.make_static_layout(ty).map_err(|gap| give_up(s, gap))?;
        let layout = Rc::new(layout);
        self.layouts.statics.insert(ty, Rc::clone(&layout));
        Ok(layout)
    }

    /// The static fields of a type that has been touched, and where they lie in their block.
    pub(crate) fn static_places(&self, ty: TypeId) -> Option<Vec<(FieldId, u32)>> {
        let layout = self.layouts.statics.get(&ty)?;
        Some(layout.offsets.iter().map(|(field, at)| (*field, *at)).collect())
    }

    fn make_static_layout(&self, ty: TypeId) -> Result<StaticLayout, Gap> {
        let mut layout = StaticLayout::default();
        for &field in self.universe.fields(ty)? {
            let info = self.universe.field(field);
            if !info.is_static() || info.is_literal() || info.has_rva() {
                continue;
            }
            let size = repr_of(&self.universe, self.universe.field_type(field)?)?.size();
            layout.offsets.insert(field, layout.size);
            if self.universe.field_has_attribute(field, "System", "ThreadStaticAttribute") {
                layout.per_thread.insert(field);
            }
            layout.size += size.next_multiple_of(8).max(8);
        }
        Ok(layout)
    }

    /// Data of the image, copied into the state once per field.
    pub fn image_data(&mut self, s: &mut State, field: FieldId, len: u32) -> Step<u64> {
        if let Some(block) = s.runtime.image_data.get(&field) {
            return Ok(block.address());
        }
        let data = match self.universe.field_data(field) {
            Ok(Some(data)) => data.to_vec(),
            Ok(None) => vec![0; len as usize],
            Err(error) => return Err(give_up(s, error.into())),
        };
        let block = s.heap.allocate(BlockKind::ImageData, Bytes::from_vec(data));
        Rc::make_mut(&mut s.runtime.image_data).insert(field, block);
        Ok(block.address())
    }
}

/// The place of a thread's own static field: its block is laid out like the shared one, which is the main thread's.
fn thread_static(s: &mut State, site: FieldSite, layout: &StaticLayout) -> u64 {
    let me = s.threads.current();
    let known = s.threads.get(me).and_then(|thread| thread.statics.get(&site.owner).copied());
    let block = known.unwrap_or_else(|| {
        let bytes = Bytes::zeroed(layout.size as usize);
        let block = s.heap.allocate(BlockKind::Statics(site.owner), bytes);
        if let Some(thread) = s.threads_mut().get_mut(me) {
            thread.statics.insert(site.owner, block);
        }
        block
    });
    block.address() + u64::from(layout.offsets.get(&site.field).copied().unwrap_or(0))
}

/// What the methods of an assembly, static constructors aside, may change. By name: a mistake makes an answer
/// incomplete, never wrong.
#[derive(Debug, Default)]
pub struct WrittenStatics {
    fields: FxHashSet<Box<str>>,
    /// Fields that are read by methods that store into elements of some array, or that could hand the array on to code
    /// that does.
    elements: FxHashSet<Box<str>>,
}

impl WrittenStatics {
    fn of(universe: &Universe, assembly: AssemblyId) -> WrittenStatics {
        let module = universe.assembly(assembly).module();
        let mut written = WrittenStatics::default();
        for method in module.method_defs() {
            if module.method_def(method).is_ok_and(|row| row.name == ".cctor") {
                if let Ok(Some(body)) = module.method_body(method) {
                    let own = module.declaring_type_of_method(method).ok().flatten();
                    written.add_foreign(module, &body, own);
                }
                continue;
            }
            if let Ok(Some(body)) = module.method_body(method) {
                let returns = module.method_sig(method).map_or(true, |sig| may_be_array(&sig.ret));
                written.add(module, &body, returns);
            }
        }
        written
    }

    /// What a static constructor writes to other types.
    fn add_foreign(&mut self, module: &Module, body: &MethodBody<'_>, own: Option<cil::TypeDefId>) {
        for instruction in body.instructions().flatten() {
            let Operand::Token(token) = instruction.operand else { continue };
            let Some(RowRef::Field(field)) = token.row_ref() else { continue };
            let is_own = own.is_some() && module.declaring_type_of_field(field).ok().flatten() == own;
            if matches!(instruction.opcode, Opcode::Stsfld | Opcode::Ldsflda) && !is_own {
                self.fields.extend(module.field(field).ok().map(|row| Box::from(row.name)));
            }
        }
    }

    /// `changes`: whether the method gives arrays away by returning them.
    fn add(&mut self, module: &Module, body: &MethodBody<'_>, mut changes: bool) {
        let mut read = Vec::new();
        for instruction in body.instructions().flatten() {
            changes |= stores_into_arrays(instruction.opcode) || instruction.opcode == Opcode::StindRef;
            let Operand::Token(token) = instruction.operand else { continue };
            let name = || match token.row_ref() {
                Some(RowRef::Field(field)) => module.field(field).ok().map(|row| row.name),
                Some(RowRef::MemberRef(member)) => module.member_ref(member).ok().map(|row| row.name),
                _ => None,
            };
            match instruction.opcode {
                Opcode::Stsfld | Opcode::Ldsflda => self.fields.extend(name().map(Box::from)),
                Opcode::Ldsfld => read.extend(name()),
                Opcode::Call | Opcode::Callvirt | Opcode::Newobj => changes |= takes_arrays(module, token),
                Opcode::Stfld => changes |= holds_arrays(module, token),
                Opcode::Stobj | Opcode::Calli => changes = true,
                _ => {}
            }
        }
        if changes {
            self.elements.extend(read.into_iter().map(Box::from));
        }
    }
}

fn stores_into_arrays(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::Stelem
            | Opcode::StelemI
            | Opcode::StelemI1
            | Opcode::StelemI2
            | Opcode::StelemI4
            | Opcode::StelemI8
            | Opcode::StelemR4
            | Opcode::StelemR8
            | Opcode::StelemRef
            | Opcode::Ldelema
    )
}

/// Whether an array could be an argument of the method a call names.
fn takes_arrays(module: &Module, token: Token) -> bool {
    let sig = match token.row_ref() {
        Some(RowRef::MethodDef(method)) => module.method_sig(method).ok(),
        Some(RowRef::MemberRef(member)) => match module.member_ref_sig(member) {
            Ok(MemberSig::Method(sig)) => Some(sig),
            _ => None,
        },
        Some(RowRef::MethodSpec(spec)) => {
            return module.method_spec(spec).map_or(true, |row| takes_arrays(module, row.method));
        }
        _ => None,
    };
    sig.is_none_or(|sig| sig.params.iter().any(may_be_array))
}

/// Whether a field could keep an array.
fn holds_arrays(module: &Module, token: Token) -> bool {
    match token.row_ref() {
        Some(RowRef::Field(field)) => module.field_sig(field).map_or(true, |ty| may_be_array(&ty)),
        Some(RowRef::MemberRef(member)) => match module.member_ref_sig(member) {
            Ok(MemberSig::Field(ty)) => may_be_array(&ty),
            _ => true,
        },
        _ => true,
    }
}

/// Whether a value of this type could be an array or hold one.
fn may_be_array(sig: &TypeSig) -> bool {
    match sig.unmodified() {
        TypeSig::ByRef(target) => may_be_array(target),
        other => matches!(
            other,
            TypeSig::SzArray(_)
                | TypeSig::Array(_)
                | TypeSig::Object
                | TypeSig::Class(_)
                | TypeSig::GenericInst(_)
                | TypeSig::Var(_)
                | TypeSig::MVar(_)
        ),
    }
}
