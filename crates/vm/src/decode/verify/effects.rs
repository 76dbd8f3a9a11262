//! What instructions take from the stack and leave on it.

use types::{MethodId, Primitive, TypeId};

use super::kinds::Kind;
use super::{Verified, Verifier, invalid, jumps};
use crate::code::{ClauseKind, Cmp, Num, Op};
use crate::decode::refusal::Refusal;
use crate::decode::repr_of;

impl Verifier<'_> {
    /// Whether control goes on to the next instruction.
    pub(super) fn step(&mut self, at: usize, op: Op) -> Verified<bool> {
        match op {
            Op::Br(to) => self.jump(to).map(|()| false),
            Op::BrTrue(to) | Op::BrFalse(to) => {
                let decided = match self.pop()? {
                    Kind::Struct => return invalid(),
                    Kind::Known(value) => Some((value != 0) == matches!(op, Op::BrTrue(_))),
                    _ => None,
                };
                self.branch(to, decided)
            }
            Op::BrCmp(cmp, to) => {
                let (b, a) = (self.pop()?, self.pop()?);
                self.branch(to, decided(cmp, a, b))
            }
            Op::Switch(_) => {
                self.pop()?;
                for to in jumps::targets(self.body.code, op).unwrap_or_default() {
                    self.jump(to)?;
                }
                Ok(true)
            }
            Op::Leave(to) => {
                self.stack.clear();
                self.jump(to).map(|()| false)
            }
            Op::Ret => {
                if self.body.code.returns.is_some() {
                    self.pop()?;
                }
                if self.stack.is_empty() { Ok(false) } else { invalid() }
            }
            Op::Throw => self.pop().map(|_| false),
            Op::Rethrow => {
                if self.in_handler(at) {
                    Ok(false)
                } else {
                    invalid()
                }
            }
            Op::EndFinally => {
                if self.in_handler(at) {
                    Ok(false)
                } else {
                    invalid()
                }
            }
            Op::EndFilter => {
                self.pop()?;
                if self.in_handler(at) && self.stack.is_empty() { Ok(false) } else { invalid() }
            }
            Op::Jmp(site) => self.jmp(site).map(|()| false),
            Op::LocAlloc => {
                self.pop()?;
                if !self.stack.is_empty() || self.in_handler(at) {
                    return invalid();
                }
                self.push(Kind::I8).map(|()| true)
            }
            Op::Call(site) | Op::CallVirt(site) => self.call(site, matches!(op, Op::Call(_))).map(|()| true),
            Op::CallI(site) => self.call_indirectly(site).map(|()| true),
            Op::NewObj(site) => self.new_object(site).map(|()| true),
            _ => self.plain(op).map(|()| true),
        }
    }

    fn jump(&mut self, to: u32) -> Verified {
        let stack = std::mem::take(&mut self.stack);
        let flows = self.flow_to(to, &stack);
        self.stack = stack;
        flows
    }

    /// The JIT follows only the way that constants leave.
    fn branch(&mut self, to: u32, decided: Option<bool>) -> Verified<bool> {
        if decided != Some(false) {
            self.jump(to)?;
        }
        Ok(decided != Some(true))
    }

    fn in_handler(&self, at: usize) -> bool {
        let at = at as u32;
        self.body.code.clauses.iter().any(|clause| {
            let start = match clause.kind {
                ClauseKind::Filter { start } => start,
                _ => clause.handler_start,
            };
            (start..clause.handler_end).contains(&at)
        })
    }

    fn kind_of_type(&self, ty: TypeId) -> Kind {
        match repr_of(self.body.universe, ty) {
            Ok(repr) => Kind::of_type(self.body.universe, ty, repr),
            Err(_) => Kind::Any,
        }
    }

    fn jmp(&mut self, site: u32) -> Verified {
        let Some(site) = self.body.code.calls.get(site as usize) else { return Ok(()) };
        let (u, here) = (self.body.universe, self.body.code.method);
        let (Ok(own), Ok(theirs)) = (u.signature(here), u.signature(site.method)) else { return Ok(()) };
        let same = own.params == theirs.params && own.has_this == theirs.has_this && own.ret == theirs.ret;
        if same && self.stack.is_empty() { Ok(()) } else { invalid() }
    }

    fn call(&mut self, site: u32, direct: bool) -> Verified {
        let Some(site) = self.body.code.calls.get(site as usize).copied() else { return Ok(()) };
        let u = self.body.universe;
        if direct && site.constrained.is_none() && u.method(site.method).is_abstract() {
            return Err(bad_format());
        }
        let arguments = self.pop_many(site.arg_count)?;
        self.check_arguments(site.method, arguments.get(usize::from(site.has_this)..).unwrap_or(&[]))?;
        if !site.returns {
            return Ok(());
        }
        let ret = u.signature(site.method).map(|signature| signature.ret);
        let kind = ret.map_or(Kind::Any, |ret| self.kind_of_type(ret));
        self.push(kind)
    }

    fn check_arguments(&self, method: MethodId, arguments: &[Kind]) -> Verified {
        let Ok(signature) = self.body.universe.signature(method) else { return Ok(()) };
        let fits = signature
            .params
            .iter()
            .zip(arguments)
            .all(|(param, argument)| self.kind_of_type(*param).takes(*argument));
        if fits { Ok(()) } else { invalid() }
    }

    fn call_indirectly(&mut self, site: u32) -> Verified {
        let Some(site) = self.body.code.indirect_calls.get(site as usize).copied() else { return Ok(()) };
        self.pop_many(site.arg_count + 1)?;
        if site.returns { self.push(Kind::Any) } else { Ok(()) }
    }

    fn new_object(&mut self, site: u32) -> Verified {
        let Some(site) = self.body.code.calls.get(site as usize).copied() else { return Ok(()) };
        let u = self.body.universe;
        let method = u.method(site.method);
        if method.is_static() {
            return invalid();
        }
        if u.is_abstract(method.owner) {
            let text = "Instances of abstract classes cannot be created.";
            return Err(Refusal::saying("System.InvalidOperationException", text));
        }
        let arguments = self.pop_many(site.arg_count.saturating_sub(1))?;
        self.check_arguments(site.method, &arguments)?;
        let kind = self.kind_of_type(method.owner);
        self.push(kind)
    }

    /// A pointer to a method that has no code, or none to look up.
    fn check_function(&self, op: Op) -> Verified {
        let u = self.body.universe;
        match op {
            Op::LdFtn(method) if u.method(method).is_abstract() => Err(bad_format()),
            Op::LdVirtFtn(method) if u.method(method).is_static() => {
                Err(Refusal::saying("System.MissingMethodException", "Method not found: '?'."))
            }
            _ => Ok(()),
        }
    }

    /// Everything that neither jumps nor calls.
    fn plain(&mut self, op: Op) -> Verified {
        let u = self.body.universe;
        self.check_function(op)?;
        let (takes, leaves) = match op {
            Op::Nop => (0, None),
            Op::LdVar(index) | Op::LdVarMem(index) => (0, Some(self.variable(index))),
            Op::StVar(_) | Op::StVarMem(_) | Op::Pop | Op::StSFld(_) | Op::InitObj(_) => (1, None),
            Op::LdVarAddr(_) | Op::LdSFldA(_) | Op::LdFtn(_) => (0, Some(Kind::I8)),
            Op::LdI4(value) => (0, Some(Kind::Known(value))),
            Op::LdI8(_) => (0, Some(Kind::I8)),
            Op::LdR4(_) | Op::LdR8(_) => (0, Some(Kind::Float)),
            Op::LdNull | Op::LdStr(_) => (0, Some(Kind::Ref)),
            Op::Dup => {
                let kind = self.pop()?;
                self.push(kind)?;
                (0, Some(kind))
            }
            Op::Arith(_) => {
                let (b, a) = (self.pop()?, self.pop()?);
                (0, Some(Kind::of_arithmetic(a, b)))
            }
            Op::Shift(_) => {
                self.pop()?;
                (0, Some(self.pop()?.plain()))
            }
            Op::Neg | Op::Not => (0, Some(self.pop()?.plain())),
            Op::Compare(_) => (2, Some(Kind::I4)),
            Op::Convert(to, _) => (1, Some(converted(to))),
            Op::ConvertRUn | Op::CkFinite => (1, Some(Kind::Float)),
            Op::LdInd(repr) | Op::LdObj(repr) => (1, Some(Kind::of_repr(repr))),
            Op::StInd(_) | Op::StObj(_) | Op::CpObj(_) | Op::StFld(_) | Op::StFldStatic(_) => (2, None),
            Op::LdFld(index) | Op::LdFldStatic(index) => (1, Some(self.field(index))),
            Op::LdFldA(_) => match self.pop()? {
                Kind::Struct => return invalid(),
                Kind::Ref => (0, Some(Kind::ByRef)),
                kind => (0, Some(kind)),
            },
            Op::LdFldAStatic(_) => (1, Some(Kind::I8)),
            Op::LdSFld(index) => (0, Some(self.field(index))),
            Op::SizeOf(_) => (0, Some(Kind::I4)),
            Op::CpBlk | Op::InitBlk | Op::StElem(..) => (3, None),
            Op::NewArr(_) | Op::Box(..) | Op::CastClass(_) | Op::IsInst(_) => (1, Some(Kind::Ref)),
            Op::LdLen | Op::LdVirtFtn(_) => (1, Some(Kind::I8)),
            Op::LdElem(_, repr) => (2, Some(Kind::of_repr(repr))),
            Op::LdElemA(..) => (2, Some(Kind::ByRef)),
            Op::Unbox(_) | Op::RefAnyVal(_) => (1, Some(Kind::ByRef)),
            Op::UnboxAny(ty, repr) => (1, Some(Kind::of_type(u, ty, repr))),
            Op::MkRefAny(_) | Op::RefAnyType => (1, Some(Kind::Struct)),
            Op::LdTokenType(_) | Op::LdTokenMethod(_) | Op::LdTokenField(_) => (0, Some(Kind::Struct)),
            _ => (0, None),
        };
        self.pop_many(takes)?;
        leaves.map_or(Ok(()), |kind| self.push(kind))
    }

    fn variable(&self, index: u32) -> Kind {
        let code = self.body.code;
        let Some(var) = code.vars.get(index as usize) else { return Kind::Any };
        // `this` of a value is its address.
        let is_address = self.body.universe.is_value_type(var.ty) && index == 0 && self.has_this();
        if is_address { Kind::ByRef } else { Kind::of_variable(self.body.universe, var.ty, var.repr) }
    }

    fn has_this(&self) -> bool {
        !self.body.universe.method(self.body.code.method).is_static()
    }

    fn field(&self, index: u32) -> Kind {
        let Some(site) = self.body.code.fields.get(index as usize) else { return Kind::Any };
        match self.body.universe.field_type(site.field) {
            Ok(ty) if self.body.universe.primitive(ty) != Some(Primitive::Void) => {
                Kind::of_type(self.body.universe, ty, site.repr)
            }
            _ => Kind::Any,
        }
    }
}

fn bad_format() -> Refusal {
    Refusal::saying("System.BadImageFormatException", "Bad IL format.")
}

fn converted(to: Num) -> Kind {
    match to {
        Num::I1 | Num::U1 | Num::I2 | Num::U2 | Num::I4 | Num::U4 => Kind::I4,
        Num::I8 | Num::U8 | Num::I | Num::U => Kind::I8,
        Num::R4 | Num::R8 => Kind::Float,
    }
}

fn decided(cmp: Cmp, a: Kind, b: Kind) -> Option<bool> {
    let (Kind::Known(a), Kind::Known(b)) = (a, b) else { return None };
    Some(cmp.holds(a.cmp(&b), a.cast_unsigned().cmp(&b.cast_unsigned())))
}
