//! Which members the code of a method may use (ECMA-335 I.8.5.3.2, as CoreCLR has it: a protected member may be used
//! through any object).

use cil::Token;

use crate::{AssemblyId, FieldId, MethodId, Result, Type, TypeId, Universe};

/// The row of an assembly itself.
const ASSEMBLY: u32 = 0x2000_0001;

impl Universe {
    pub fn may_use_method(&self, from: MethodId, target: MethodId) -> Result<bool> {
        let method = self.method(target);
        let here = self.method(from).owner;
        if !self.may_use_member(here, method.owner, method.flags)? {
            return Ok(false);
        }
        self.may_use_all(here, &method.args)
    }

    pub fn may_use_field(&self, from: MethodId, target: FieldId) -> Result<bool> {
        let field = self.field(target);
        self.may_use_member(self.method(from).owner, field.owner, field.flags)
    }

    pub fn may_use_type(&self, from: MethodId, target: TypeId) -> Result<bool> {
        self.may_name(self.method(from).owner, target)
    }

    fn may_use_all(&self, here: TypeId, targets: &[TypeId]) -> Result<bool> {
        for target in targets {
            if !self.may_name(here, *target)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn may_name(&self, here: TypeId, target: TypeId) -> Result<bool> {
        match self.ty(target) {
            Type::Def { args, .. } => {
                Ok(self.may_name_definition(here, target)? && self.may_use_all(here, args)?)
            }
            Type::SzArray(inner)
            | Type::Array { elem: inner, .. }
            | Type::ByRef(inner)
            | Type::Pointer(inner) => self.may_name(here, *inner),
            _ => Ok(true),
        }
    }

    fn may_name_definition(&self, here: TypeId, target: TypeId) -> Result<bool> {
        let Some(info) = self.def_info(target) else { return Ok(true) };
        let Some(outer) = info.enclosing else {
            return Ok(info.visibility() == 1 || self.sees_internals(here, info.assembly));
        };
        let outer = self.type_of_def(info.assembly, outer)?;
        // The visibilities of nested types, as those of members.
        let access = match info.visibility() {
            2 => 6,
            3 => 1,
            4 => 4,
            5 => 3,
            6 => 2,
            _ => 5,
        };
        self.may_use_member(here, outer, access)
    }

    /// `flags` has a member's accessibility in its lowest bits.
    fn may_use_member(&self, here: TypeId, owner: TypeId, flags: u16) -> Result<bool> {
        let Some(info) = self.def_info(owner) else { return Ok(true) };
        if !self.may_name(here, owner)? {
            return Ok(false);
        }
        let internal = || self.sees_internals(here, info.assembly);
        Ok(match flags & 7 {
            6 => true,
            5 => internal() || self.is_family(here, owner)?,
            4 => self.is_family(here, owner)?,
            3 => internal(),
            2 => internal() && self.is_family(here, owner)?,
            1 => self.is_inside(here, owner)? || self.ignores_checks(here, info.assembly),
            _ => self.def_info(here).is_some_and(|here| here.assembly == info.assembly),
        } || self.ignores_checks(here, info.assembly))
    }

    /// Is `here` the type, or nested in it?
    fn is_inside(&self, here: TypeId, owner: TypeId) -> Result<bool> {
        let owner = self.definition(owner);
        let mut current = Some(self.definition(here));
        while let Some(class) = current {
            if class == owner {
                return Ok(true);
            }
            current = self.enclosing(class)?;
        }
        Ok(false)
    }

    /// Does `here`, or a type around it, extend the type?
    fn is_family(&self, here: TypeId, owner: TypeId) -> Result<bool> {
        let owner = self.definition(owner);
        let mut current = Some(self.definition(here));
        while let Some(class) = current {
            let mut ancestor = Some(class);
            while let Some(t) = ancestor {
                if self.definition(t) == owner {
                    return Ok(true);
                }
                ancestor = self.base(t)?;
            }
            // An interface's protected members are for those that extend it.
            if self.interfaces(class)?.iter().any(|i| self.definition(*i) == owner) {
                return Ok(true);
            }
            current = self.enclosing(class)?;
        }
        Ok(false)
    }

    fn enclosing(&self, t: TypeId) -> Result<Option<TypeId>> {
        let Some(info) = self.def_info(t) else { return Ok(None) };
        info.enclosing.map(|outer| self.type_of_def(info.assembly, outer)).transpose()
    }

    fn sees_internals(&self, here: TypeId, target: AssemblyId) -> bool {
        let Some(info) = self.def_info(here) else { return true };
        info.assembly == target
            || self.is_named_by(target, "InternalsVisibleToAttribute", self.assembly(info.assembly).name())
            || self.ignores_checks(here, target)
    }

    fn ignores_checks(&self, here: TypeId, target: AssemblyId) -> bool {
        let Some(info) = self.def_info(here) else { return true };
        self.is_named_by(info.assembly, "IgnoresAccessChecksToAttribute", self.assembly(target).name())
    }

    /// Has the assembly an attribute of this class with the simple name of that assembly?
    fn is_named_by(&self, a: AssemblyId, class: &str, name: &str) -> bool {
        let assembly = self.assembly(a);
        let values =
            assembly.attribute_values(Token::from_raw(ASSEMBLY), "System.Runtime.CompilerServices", class);
        values
            .unwrap_or_default()
            .iter()
            .filter_map(|value| first_text(value))
            .any(|text| text.split(',').next().is_some_and(|simple| simple.trim().eq_ignore_ascii_case(name)))
    }
}

/// The first argument of an attribute, if it is a text (ECMA-335 II.23.3).
fn first_text(value: &[u8]) -> Option<&str> {
    let rest = value.strip_prefix(&[1, 0])?;
    let (len, rest) = match *rest {
        [a, ref rest @ ..] if a < 0x80 => (usize::from(a), rest),
        [a, b, ref rest @ ..] if a & 0xc0 == 0x80 => (usize::from(a & 0x3f) << 8 | usize::from(b), rest),
        _ => return None,
    };
    std::str::from_utf8(rest.get(..len)?).ok()
}
