//! From a method body to [`Code`]: operands resolved, variables placed, branch targets numbered by operation.

mod accessor;
mod compilers;
mod folding;
mod goals;
mod refusal;
mod simple;
mod sites;
mod usage;
mod verify;

use cil::{ClauseKind as CilClause, Instruction, MethodBody, Opcode, Operand};
use types::{MethodId, Primitive, Type, TypeId, Universe};

use crate::code::{CallSite, Clause, ClauseKind, Code, FieldSite, IndirectCall, Op, Var};
use crate::made_code::MadeCode;
use crate::value::Repr;
use verdict::Gap;

pub use accessor::accessor;
pub(crate) use folding::fold_types;
pub use goals::goal_places;
use refusal::Failure;
pub use refusal::Refusal;

/// The code of a method; what of it cannot be resolved matters only if it is executed.
pub fn decode(universe: &Universe, method: MethodId) -> Result<Code, Gap> {
    decoded(universe, method, Strictness::AsWritten).map_err(|failure| failure.gap)
}

/// The code of a method as the JIT sees it: one that it refuses to compile throws when it is called, and so does an
/// instruction that uses what it may not.
pub fn compile(universe: &Universe, method: MethodId) -> Result<Code, Gap> {
    decoded(universe, method, Strictness::AsCompiled).or_else(|failure| match failure.refusal {
        Some(refusal) => refused(universe, method, refusal),
        None => Err(failure.gap),
    })
}

/// What a call of an interface's method does on an object whose class has none, or several that are as good; nothing if
/// that is not why it cannot be found.
pub(crate) fn undispatched(universe: &Universe, class: TypeId, method: MethodId) -> Option<Code> {
    let error = universe.resolve_virtual(class, method).err()?;
    let refusal = refusal::of_dispatch(universe, class, method, &error)?;
    refused(universe, method, refusal).ok()
}

/// Code that throws at once.
fn refused(universe: &Universe, method: MethodId, refusal: Refusal) -> Result<Code, Gap> {
    let mut made = MadeCode::in_place_of(universe, method)?;
    made.ops.push(Op::Refuse(0));
    let mut code = made.finish();
    code.refusals.push(refusal);
    Ok(code)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Strictness {
    AsWritten,
    AsCompiled,
}

fn decoded(universe: &Universe, method: MethodId, strictness: Strictness) -> Result<Code, Failure> {
    let Some(body) = universe.body(method)? else { return Err(no_body(universe, method).into()) };
    let instructions = instructions(&body)?;
    if strictness == Strictness::AsCompiled {
        let locals = universe.locals(method)?.iter().map(|local| local.ty);
        let params = universe.signature(method)?.params.iter().copied();
        params.chain(locals).try_for_each(|ty| loaded(universe, ty))?;
    }
    let mut decoder = Decoder::new(universe, method, &body, &instructions)?;
    decoder.strictness = strictness;
    for instruction in &instructions {
        let op = decoder.translate(instruction);
        decoder.readonly = instruction.opcode == Opcode::Readonly;
        decoder.code.ops.push(op);
    }
    decoder.clauses(&body)?;
    if strictness == Strictness::AsCompiled {
        decoder.verify(&body, &instructions)?;
    }
    Ok(decoder.code)
}

/// Whether this is the body of an iterator or async method, under the name that compilers give it.
fn is_state_machine(universe: &Universe, method: MethodId) -> bool {
    let info = universe.method(method);
    &*info.name == "MoveNext"
        && universe.def_info(info.owner).is_some_and(|owner| owner.name.starts_with('<'))
}

/// How a location of this type is represented.
pub fn repr_of(universe: &Universe, ty: TypeId) -> Result<Repr, Gap> {
    Ok(location(universe, ty)?)
}

fn location(universe: &Universe, ty: TypeId) -> types::Result<Repr> {
    if !universe.is_value_type(ty) {
        return Ok(if is_object_reference(universe, ty) { Repr::Ref } else { Repr::I8 });
    }
    let plain = universe.enum_underlying(ty)?.unwrap_or(ty);
    Ok(match universe.primitive(plain) {
        Some(Primitive::Boolean | Primitive::U1) => Repr::U1,
        Some(Primitive::I1) => Repr::I1,
        Some(Primitive::Char | Primitive::U2) => Repr::U2,
        Some(Primitive::I2) => Repr::I2,
        Some(Primitive::I4 | Primitive::U4) => Repr::I4,
        Some(Primitive::I8 | Primitive::U8 | Primitive::I | Primitive::U) => Repr::I8,
        Some(Primitive::R4) => Repr::R4,
        Some(Primitive::R8) => Repr::R8,
        Some(Primitive::Void) | None => Repr::Struct { size: universe.size_of(plain)? },
    })
}

/// Whether values of the type are references to objects, not pointers of some kind.
pub(crate) fn is_object_reference(universe: &Universe, ty: TypeId) -> bool {
    match universe.ty(ty) {
        Type::Def { .. } => !universe.is_value_type(ty),
        Type::SzArray(_) | Type::Array { .. } | Type::Mock { .. } => true,
        _ => false,
    }
}

fn no_body(universe: &Universe, method: MethodId) -> Gap {
    let name = universe.method_id(method);
    let info = universe.method(method);
    if info.is_abstract() {
        Gap::unsupported_instruction(format!("a call of the abstract {name}"))
    } else {
        Gap::native_call(name)
    }
}

fn instructions<'a>(body: &MethodBody<'a>) -> Result<Vec<Instruction<'a>>, Gap> {
    body.instructions().collect::<Result<Vec<_>, _>>().map_err(|error| Gap::invalid_code(error.to_string()))
}

struct Decoder<'u> {
    universe: &'u Universe,
    method: MethodId,
    code: Code,
    /// Set by a `constrained.` prefix for the call after it.
    constrained: Option<Result<TypeId, types::Error>>,
    /// The instruction has the prefix `readonly.`.
    readonly: bool,
    /// What the runtime throws for the failures.
    refusals: Vec<Option<Refusal>>,
    strictness: Strictness,
}

impl<'u> Decoder<'u> {
    fn new(
        universe: &'u Universe,
        method: MethodId,
        body: &MethodBody<'_>,
        instructions: &[Instruction<'_>],
    ) -> Result<Decoder<'u>, Failure> {
        let signature = universe.signature(method)?;
        let info = universe.method(method);
        let mut vars = Vec::new();
        if signature.has_this {
            let ty = info.owner;
            let repr = if universe.is_value_type(ty) { Repr::I8 } else { Repr::Ref };
            vars.push(Var { ty, repr, memory: None });
        }
        for &ty in signature.params.iter() {
            vars.push(Var { ty, repr: location(universe, ty)?, memory: None });
        }
        let arg_count = vars.len();
        let mut has_pointers = vars.iter().any(|var| matches!(universe.ty(var.ty), Type::Pointer(_)));
        for local in universe.locals(method)? {
            has_pointers |= local.is_pinned || matches!(universe.ty(local.ty), Type::Pointer(_));
            vars.push(Var { ty: local.ty, repr: location(universe, local.ty)?, memory: None });
        }
        let in_framework =
            universe.def_info(info.owner).is_some_and(|owner| universe.is_framework(owner.assembly));
        let frame_bytes = place_in_memory(&mut vars, arg_count, instructions);
        let is_void = universe.primitive(signature.ret) == Some(Primitive::Void);
        let returns = if is_void { None } else { Some(location(universe, signature.ret)?) };
        let mut il_offsets: Vec<u32> = instructions.iter().map(|i| i.offset).collect();
        il_offsets.push(body.code.len() as u32);
        let code = Code {
            method,
            name: universe.method_id(method),
            ops: Vec::with_capacity(instructions.len()),
            il_offsets,
            clauses: Vec::new(),
            vars,
            arg_count,
            returns,
            max_stack: usize::from(body.max_stack).min(64),
            frame_bytes,
            calls: Vec::new(),
            indirect_calls: Vec::new(),
            switches: Vec::new(),
            fields: Vec::new(),
            literals: Vec::new(),
            failures: Vec::new(),
            refusals: Vec::new(),
            goals: None,
            consumed: None,
            is_state_machine: is_state_machine(universe, method),
            uses_varargs: signature.is_vararg(),
            has_pointers: has_pointers && !in_framework,
            clears_memory: body.init_locals,
            is_synchronized: info.is_synchronized(),
            init_type: init_type(universe, method)?,
            flow: Default::default(),
        };
        let (constrained, readonly, refusals) = (None, false, Vec::new());
        let strictness = Strictness::AsWritten;
        Ok(Decoder { universe, method, code, constrained, readonly, refusals, strictness })
    }

    /// The operation of an instruction; what cannot be resolved fails when it is reached.
    fn translate(&mut self, instruction: &Instruction<'_>) -> Op {
        let translated = self.try_translate(instruction);
        translated.unwrap_or_else(|failure| {
            self.code.failures.push(failure.gap);
            self.refusals.push(failure.refusal);
            Op::Fail(self.code.failures.len() as u32 - 1)
        })
    }

    fn try_translate(&mut self, instruction: &Instruction<'_>) -> Result<Op, Failure> {
        if let Some(op) = simple::translate(instruction.opcode) {
            return Ok(op);
        }
        match instruction.operand {
            Operand::None => self.without_operand(instruction.opcode),
            Operand::Int8(value) if instruction.opcode == Opcode::LdcI4S => Ok(Op::LdI4(i32::from(value))),
            Operand::Int8(_) => Ok(Op::Nop),
            Operand::Int32(value) => Ok(Op::LdI4(value)),
            Operand::Int64(value) => Ok(Op::LdI8(value)),
            Operand::Float32(bits) => Ok(Op::LdR4(f32::from_bits(bits))),
            Operand::Float64(bits) => Ok(Op::LdR8(f64::from_bits(bits))),
            Operand::Arg(number) => self.variable(instruction.opcode, u32::from(number)),
            Operand::Local(number) => {
                self.variable(instruction.opcode, self.code.arg_count as u32 + u32::from(number))
            }
            Operand::Target(target) => {
                let target = self.target(target)?;
                let op = simple::jump(instruction.opcode, target)
                    .ok_or_else(|| unknown_opcode(instruction.opcode))?;
                Ok(op)
            }
            Operand::Switch(targets) => {
                let targets: Box<[u32]> = targets.iter().map(|t| self.target(t)).collect::<Result<_, _>>()?;
                self.code.switches.push(targets);
                Ok(Op::Switch(self.code.switches.len() as u32 - 1))
            }
            Operand::Token(token) => self.with_token(instruction.opcode, token),
        }
    }

    fn target(&self, il_offset: u32) -> Result<u32, Failure> {
        let found = self.code.il_offsets.binary_search(&il_offset).ok();
        match found.filter(|index| index + 1 < self.code.il_offsets.len()) {
            Some(index) => Ok(index as u32),
            None => Err(invalid(format!("a jump to IL_{il_offset:04x}, which is no instruction"))),
        }
    }

    fn without_operand(&mut self, opcode: Opcode) -> Result<Op, Failure> {
        let args = self.code.arg_count as u32;
        match opcode {
            Opcode::Ldarg0 => self.variable(Opcode::Ldarg, 0),
            Opcode::Ldarg1 => self.variable(Opcode::Ldarg, 1),
            Opcode::Ldarg2 => self.variable(Opcode::Ldarg, 2),
            Opcode::Ldarg3 => self.variable(Opcode::Ldarg, 3),
            Opcode::Ldloc0 => self.variable(Opcode::Ldloc, args),
            Opcode::Ldloc1 => self.variable(Opcode::Ldloc, args + 1),
            Opcode::Ldloc2 => self.variable(Opcode::Ldloc, args + 2),
            Opcode::Ldloc3 => self.variable(Opcode::Ldloc, args + 3),
            Opcode::Stloc0 => self.variable(Opcode::Stloc, args),
            Opcode::Stloc1 => self.variable(Opcode::Stloc, args + 1),
            Opcode::Stloc2 => self.variable(Opcode::Stloc, args + 2),
            Opcode::Stloc3 => self.variable(Opcode::Stloc, args + 3),
            _ => self.element(opcode),
        }
    }

    /// Element access with the type in the opcode.
    fn element(&self, opcode: Opcode) -> Result<Op, Failure> {
        let known = self.universe.well_known()?;
        let load = |ty, repr| Ok(Op::LdElem(ty, repr));
        let store = |ty, repr| Ok(Op::StElem(ty, repr));
        match opcode {
            Opcode::LdelemI1 => load(known.sbyte, Repr::I1),
            Opcode::LdelemU1 => load(known.byte, Repr::U1),
            Opcode::LdelemI2 => load(known.int16, Repr::I2),
            Opcode::LdelemU2 => load(known.uint16, Repr::U2),
            Opcode::LdelemI4 => load(known.int32, Repr::I4),
            Opcode::LdelemU4 => load(known.uint32, Repr::I4),
            Opcode::LdelemI8 => load(known.int64, Repr::I8),
            Opcode::LdelemI => load(known.intptr, Repr::I8),
            Opcode::LdelemR4 => load(known.single, Repr::R4),
            Opcode::LdelemR8 => load(known.double, Repr::R8),
            Opcode::LdelemRef => load(known.object, Repr::Ref),
            Opcode::StelemI => store(known.intptr, Repr::I8),
            Opcode::StelemI1 => store(known.sbyte, Repr::I1),
            Opcode::StelemI2 => store(known.int16, Repr::I2),
            Opcode::StelemI4 => store(known.int32, Repr::I4),
            Opcode::StelemI8 => store(known.int64, Repr::I8),
            Opcode::StelemR4 => store(known.single, Repr::R4),
            Opcode::StelemR8 => store(known.double, Repr::R8),
            Opcode::StelemRef => store(known.object, Repr::Ref),
            other => Err(unknown_opcode(other)),
        }
    }

    fn variable(&self, opcode: Opcode, number: u32) -> Result<Op, Failure> {
        let Some(var) = self.code.vars.get(number as usize) else {
            return Err(invalid(format!("variable {number} does not exist")));
        };
        let in_memory = var.memory.is_some();
        Ok(match opcode {
            Opcode::Ldarg | Opcode::LdargS | Opcode::Ldloc | Opcode::LdlocS if in_memory => {
                Op::LdVarMem(number)
            }
            Opcode::Ldarg | Opcode::LdargS | Opcode::Ldloc | Opcode::LdlocS => Op::LdVar(number),
            Opcode::Starg | Opcode::StargS | Opcode::Stloc | Opcode::StlocS if in_memory => {
                Op::StVarMem(number)
            }
            Opcode::Starg | Opcode::StargS | Opcode::Stloc | Opcode::StlocS => Op::StVar(number),
            _ => Op::LdVarAddr(number),
        })
    }

    fn with_token(&mut self, opcode: Opcode, token: cil::Token) -> Result<Op, Failure> {
        let u = self.universe;
        let m = self.method;
        Ok(match opcode {
            Opcode::Constrained => {
                self.constrained = Some(u.resolve_type(m, token));
                Op::Nop
            }
            Opcode::Call => Op::Call(self.call(token)?),
            Opcode::Callvirt => Op::CallVirt(self.call(token)?),
            Opcode::Newobj => Op::NewObj(self.call(token)?),
            Opcode::Jmp => Op::Jmp(self.call(token)?),
            Opcode::Ldfld | Opcode::Ldflda | Opcode::Stfld => self.instance_field(opcode, token)?,
            Opcode::Ldsfld => Op::LdSFld(self.static_field(token)?),
            Opcode::Ldsflda => Op::LdSFldA(self.static_field(token)?),
            Opcode::Stsfld => Op::StSFld(self.static_field(token)?),
            Opcode::Ldstr => {
                let text = u.user_string(m, token)?;
                self.code.literals.push(text.into());
                Op::LdStr(self.code.literals.len() as u32 - 1)
            }
            Opcode::Ldtoken => match u.resolve_member_token(m, token)? {
                types::Member::Type(ty) => {
                    self.loaded(ty)?;
                    Op::LdTokenType(ty)
                }
                types::Member::Method(method) => Op::LdTokenMethod(method),
                types::Member::Field(field) => Op::LdTokenField(field),
            },
            Opcode::Ldftn => Op::LdFtn(self.function(token)?),
            Opcode::Ldvirtftn => Op::LdVirtFtn(u.resolve_method(m, token)?),
            Opcode::Calli => {
                let signature = u.resolve_signature(m, token)?;
                self.code.uses_varargs |= signature.is_vararg();
                // An explicit `this` is among the parameters.
                let this = usize::from(signature.has_this && !signature.explicit_this);
                self.code.indirect_calls.push(IndirectCall {
                    arg_count: signature.params.len() + this,
                    returns: u.primitive(signature.ret) != Some(Primitive::Void),
                });
                Op::CallI(self.code.indirect_calls.len() as u32 - 1)
            }
            _ => {
                let ty = u.resolve_type(m, token)?;
                return self.with_type(opcode, ty);
            }
        })
    }

    fn with_type(&self, opcode: Opcode, ty: TypeId) -> Result<Op, Failure> {
        self.loaded(ty)?;
        let repr = location(self.universe, ty);
        Ok(match opcode {
            Opcode::Ldobj => Op::LdObj(repr?),
            Opcode::Stobj => Op::StObj(repr?),
            Opcode::Cpobj => Op::CpObj(repr?),
            Opcode::Initobj => Op::InitObj(repr?),
            Opcode::Sizeof => Op::SizeOf(ty, repr?.size()),
            Opcode::Newarr => Op::NewArr(ty),
            Opcode::Ldelem => Op::LdElem(ty, repr?),
            Opcode::Ldelema => Op::LdElemA(ty, self.readonly),
            Opcode::Stelem => Op::StElem(ty, repr?),
            Opcode::Box => Op::Box(ty, repr?),
            Opcode::Unbox => Op::Unbox(ty),
            Opcode::UnboxAny => Op::UnboxAny(ty, repr?),
            Opcode::Mkrefany => Op::MkRefAny(ty),
            Opcode::Refanyval => Op::RefAnyVal(ty),
            Opcode::Castclass => Op::CastClass(ty),
            Opcode::Isinst => Op::IsInst(ty),
            other => return Err(unknown_opcode(other)),
        })
    }

    /// The method of `ldftn`; a `constrained.` prefix selects an implementation of a static interface member.
    fn function(&mut self, token: cil::Token) -> Result<MethodId, Failure> {
        let constrained = self.constrained.take().transpose()?;
        let method = self.universe.resolve_method(self.method, token)?;
        match constrained {
            Some(ty) => Ok(self.universe.resolve_static_virtual(ty, method)?),
            None => Ok(method),
        }
    }

    fn call(&mut self, token: cil::Token) -> Result<u32, Failure> {
        let constrained = self.constrained.take().transpose()?;
        let method = self.universe.resolve_method(self.method, token)?;
        self.loaded(self.universe.method(method).owner)?;
        self.instantiated(method)?;
        self.code.uses_varargs |= self.universe.signature(method)?.is_vararg();
        self.code.calls.push(CallSite { constrained, ..CallSite::of(self.universe, method)? });
        Ok(self.code.calls.len() as u32 - 1)
    }

    /// `ldfld` and friends are allowed on static fields as well.
    fn instance_field(&mut self, opcode: Opcode, token: cil::Token) -> Result<Op, Failure> {
        let (index, is_static) = self.field(token)?;
        Ok(match (opcode, is_static) {
            (Opcode::Ldfld, false) => Op::LdFld(index),
            (Opcode::Ldflda, false) => Op::LdFldA(index),
            (_, false) => Op::StFld(index),
            (Opcode::Ldfld, true) => Op::LdFldStatic(index),
            (Opcode::Ldflda, true) => Op::LdFldAStatic(index),
            (_, true) => Op::StFldStatic(index),
        })
    }

    fn static_field(&mut self, token: cil::Token) -> Result<u32, Failure> {
        match self.field(token)? {
            (index, true) => Ok(index),
            (_, false) => Err(invalid("a static access to an instance field")),
        }
    }

    /// The operand, and whether the field is static.
    fn field(&mut self, token: cil::Token) -> Result<(u32, bool), Failure> {
        let u = self.universe;
        let field = u.resolve_field(self.method, token)?;
        self.loaded(u.field(field).owner)?;
        self.code.fields.push(FieldSite::of(u, field)?);
        Ok((self.code.fields.len() as u32 - 1, u.field(field).is_static()))
    }

    fn clauses(&mut self, body: &MethodBody<'_>) -> Result<(), Failure> {
        for clause in &body.clauses {
            let kind = match clause.kind {
                CilClause::Catch(token) => match self.universe.resolve_type(self.method, token) {
                    Ok(ty) => ClauseKind::Catch(ty),
                    Err(error) if self.strictness == Strictness::AsCompiled => return Err(error.into()),
                    Err(_) => ClauseKind::CatchUnresolved,
                },
                CilClause::Filter(start) => ClauseKind::Filter { start: self.target(start)? },
                CilClause::Finally => ClauseKind::Finally,
                CilClause::Fault => ClauseKind::Fault,
            };
            self.code.clauses.push(Clause {
                try_start: self.boundary(clause.try_range.start)?,
                try_end: self.boundary(clause.try_range.end)?,
                handler_start: self.boundary(clause.handler.start)?,
                handler_end: self.boundary(clause.handler.end)?,
                kind,
            });
        }
        Ok(())
    }

    /// The operation at an IL offset, or the end of the body.
    fn boundary(&self, il_offset: u32) -> Result<u32, Failure> {
        match self.code.il_offsets.binary_search(&il_offset) {
            Ok(index) => Ok(index as u32),
            Err(_) => Err(invalid(format!("an exception clause ends inside of IL_{il_offset:04x}"))),
        }
    }

    /// The JIT loads every type that it comes to.
    fn loaded(&self, ty: TypeId) -> Result<(), Failure> {
        match self.strictness {
            Strictness::AsWritten => Ok(()),
            Strictness::AsCompiled => loaded(self.universe, ty),
        }
    }

    /// The arguments of a generic method fit.
    fn instantiated(&self, method: MethodId) -> Result<(), Failure> {
        if self.strictness == Strictness::AsWritten {
            return Ok(());
        }
        self.universe.method(method).args.iter().try_for_each(|arg| loaded(self.universe, *arg))?;
        match self.universe.method_load_failure(method) {
            Some(text) => Err(Refusal::saying("System.Security.VerificationException", text).into()),
            None => Ok(()),
        }
    }

    /// Says what the JIT says about the body.
    fn verify(&mut self, body: &MethodBody<'_>, instructions: &[Instruction<'_>]) -> Result<(), Failure> {
        if self.code.uses_varargs {
            return Err(Refusal::saying(INVALID_PROGRAM, "Vararg calling convention not supported.").into());
        }
        verify::verify(verify::Body {
            universe: self.universe,
            code: &self.code,
            instructions,
            refusals: &self.refusals,
            max_stack: usize::from(body.max_stack),
        })?;
        usage::check(self.universe, &mut self.code, instructions);
        self.tail_calls(instructions);
        Ok(())
    }

    /// Calls with the prefix `tail.` leave no frame behind.
    fn tail_calls(&mut self, instructions: &[Instruction<'_>]) {
        let mut is_tail = false;
        for (instruction, op) in instructions.iter().zip(&mut self.code.ops) {
            match *op {
                Op::Call(site) if is_tail => *op = Op::TailCall(site),
                Op::CallVirt(site) if is_tail => *op = Op::TailCallVirt(site),
                Op::CallI(site) if is_tail => *op = Op::TailCallI(site),
                _ => {}
            }
            is_tail = match instruction.opcode {
                Opcode::Tail => true,
                Opcode::Constrained | Opcode::Readonly => is_tail,
                _ => false,
            };
        }
    }
}

fn loaded(universe: &Universe, ty: TypeId) -> Result<(), Failure> {
    match universe.load_failure(ty) {
        Some(text) => Err(Refusal::saying("System.TypeLoadException", text.to_string()).into()),
        None => Ok(()),
    }
}

const INVALID_PROGRAM: &str = "System.InvalidProgramException";

fn invalid(why: impl Into<String>) -> Failure {
    Gap::invalid_code(why).into()
}

/// Gives the variables whose address is taken a place in the frame's memory; returns how much of it is needed.
fn place_in_memory(vars: &mut [Var], arg_count: usize, instructions: &[Instruction<'_>]) -> u32 {
    let mut bytes = 0u32;
    for instruction in instructions {
        let number = match (instruction.opcode, instruction.operand) {
            (Opcode::Ldarga | Opcode::LdargaS, Operand::Arg(number)) => usize::from(number),
            (Opcode::Ldloca | Opcode::LdlocaS, Operand::Local(number)) => arg_count + usize::from(number),
            _ => continue,
        };
        if let Some(var) = vars.get_mut(number).filter(|var| var.memory.is_none()) {
            var.memory = Some(bytes);
            bytes = bytes.saturating_add(var.repr.size().next_multiple_of(8).max(8));
        }
    }
    bytes
}

/// The type to initialize before a method of it runs: static methods and constructors of types without
/// `beforefieldinit` (ECMA-335 II.10.5.3), and all methods of such value types, which need no constructor. Any method
/// starts its module, which comes before its types.
fn init_type(universe: &Universe, method: MethodId) -> Result<Option<TypeId>, Gap> {
    let info = universe.method(method);
    let starts = info.is_static() || info.is_constructor() || universe.is_value_type(info.owner);
    if info.is_static_constructor() {
        return Ok(None);
    }
    let module = universe.assembly_of(method).ok().and_then(|assembly| universe.module_initializer(assembly));
    if !starts || universe.before_field_init(info.owner) {
        return Ok(module);
    }
    Ok(universe.static_constructor(info.owner)?.map(|_| info.owner).or(module))
}

fn unknown_opcode(opcode: Opcode) -> Failure {
    // Variable arguments are none where the method does not take any; those that do are refused as a whole.
    match opcode {
        Opcode::Arglist => invalid("variable arguments of a method without them"),
        _ => Gap::unsupported_instruction(opcode.name().to_owned()).into(),
    }
}
