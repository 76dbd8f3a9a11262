//! What code of other assemblies can extend: a class whose subclasses nobody here knows.

use crate::{AssemblyId, MethodId, TypeId, Universe};

/// `MethodAttributes`: protected, protected internal, public.
const FOR_SUBCLASSES: std::ops::RangeInclusive<u16> = 0x4..=0x6;
/// The same for friends: private protected and internal as well.
const FOR_FRIENDS: std::ops::RangeInclusive<u16> = 0x2..=0x6;

impl Universe {
    /// Can code of another assembly extend the class: is it seen there, unsealed, has a constructor for subclasses, and
    /// nothing abstract that only its own assembly can implement?
    pub fn is_extensible(&self, t: TypeId) -> bool {
        let Some(info) = self.def_info(t) else { return false };
        if self.is_value_type(t) || self.is_delegate(t) || info.is_sealed() || !self.is_seen_outside(t) {
            return false;
        }
        self.is_interface(t)
            || self.methods(t).is_ok_and(|methods| methods.iter().any(|m| self.is_way_in(*m)))
                && !(info.is_abstract() && self.keeps_members_back(t))
    }

    fn keeps_members_back(&self, t: TypeId) -> bool {
        let is_kept = |m: MethodId| self.method(m).is_abstract() && !self.is_for_subclasses(m);
        self.vtable(t).is_ok_and(|vtable| vtable.slots.iter().any(|slot| is_kept(slot.implementation)))
    }

    fn is_way_in(&self, m: MethodId) -> bool {
        let info = self.method(m);
        info.is_constructor() && !info.is_static() && self.is_for_subclasses(m)
    }

    /// Can a subclass in another assembly replace what the method does?
    pub fn is_overridable(&self, m: MethodId) -> bool {
        let info = self.method(m);
        info.is_virtual() && !info.is_final() && self.is_for_subclasses(m)
    }

    fn is_for_subclasses(&self, m: MethodId) -> bool {
        let info = self.method(m);
        let is_friendly = self.def_info(info.owner).is_some_and(|owner| self.has_friends(owner.assembly));
        let access = info.flags & 0x7;
        if is_friendly { FOR_FRIENDS.contains(&access) } else { FOR_SUBCLASSES.contains(&access) }
    }

    /// Can code elsewhere name the type: by its access, as a friend, or as a subclass of what is around it?
    pub fn is_seen_outside(&self, t: TypeId) -> bool {
        let Some(info) = self.def_info(t) else { return true };
        let is_friendly = self.has_friends(info.assembly);
        let Some(outer) = info.enclosing else { return is_friendly || info.visibility() == 1 };
        let Ok(outer) = self.type_of_def(info.assembly, outer) else { return true };
        match info.visibility() {
            2 => self.is_seen_outside(outer),
            // Protected, protected internal.
            4 | 7 => self.is_extensible(outer),
            // Private.
            3 => false,
            _ => is_friendly && self.is_seen_outside(outer),
        }
    }

    /// `[InternalsVisibleTo]`: some other assembly sees what is internal.
    pub fn has_friends(&self, a: AssemblyId) -> bool {
        let assembly = self.assembly(a);
        let name = ("System.Runtime.CompilerServices", "InternalsVisibleToAttribute");
        !self.is_framework(a)
            && assembly.has_attribute(cil::Token::from_raw(ASSEMBLY), name.0, name.1).unwrap_or(true)
    }
}

/// The row of the assembly itself.
const ASSEMBLY: u32 = 0x2000_0001;
