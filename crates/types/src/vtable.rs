//! Virtual slots of classes and explicit overrides (ECMA-335 II.10.3, II.12.2).
//!
//! A table is built once for the open definition and then instantiated: only there do signatures tell apart what an
//! instantiation may make equal.

use rustc_hash::FxHashMap;

use crate::resolve::same_signature;
use crate::sig::Generics;
use crate::token::Member;
use crate::type_def::Kind;
use crate::{Error, MethodId, MethodKind, Result, Type, TypeId, Universe};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// The method that introduced the slot.
    pub declared: MethodId,
    /// What a call through the slot runs.
    pub implementation: MethodId,
}

#[derive(Debug, Clone, Default)]
pub struct VTable {
    pub slots: Box<[Slot]>,
    /// Interface method → body, as explicit overrides of this very type say (static ones too).
    pub overrides: Box<[(MethodId, MethodId)]>,
    /// Slots of the methods that this very type declares.
    own_slots: FxHashMap<cil::MethodDefId, u32>,
}

impl Universe {
    /// The virtual slots of a class or value type; for an interface only its explicit overrides.
    pub fn vtable(&self, t: TypeId) -> Result<&VTable> {
        let cycle = || Error::Cycle { what: format!("the virtual methods of {}", self.type_name(t)).into() };
        self.type_entry(t).vtable.get(cycle, || self.guarded(t, || self.make_vtable(t)))
    }

    /// The slot a virtual method of a class lives in; `None` if it is not virtual.
    pub fn slot_of(&self, m: MethodId) -> Result<Option<usize>> {
        let method = self.method(m);
        let MethodKind::Def { def, .. } = method.kind else { return Ok(None) };
        let table = self.vtable(self.definition(method.owner))?;
        Ok(table.own_slots.get(&def).map(|slot| *slot as usize))
    }

    fn make_vtable(&self, t: TypeId) -> Result<VTable> {
        let kind = match (self.ty(t), self.def_info(t)) {
            (Type::Def { .. }, Some(info)) => info.kind,
            (Type::Mock { base, .. }, _) => {
                let slots = self.vtable(*base)?.slots.clone();
                return Ok(VTable { slots, ..VTable::default() });
            }
            (Type::SzArray(_) | Type::Array { .. }, _) => {
                return Ok(self.vtable(self.well_known()?.array)?.clone());
            }
            _ => return Ok(VTable::default()),
        };
        let definition = self.definition(t);
        if t != definition {
            return self.instantiate_vtable(self.vtable(definition)?, t);
        }
        let mut table = Builder::default();
        if kind != Kind::Interface {
            if let Some(base) = self.base(t)? {
                table.slots = self.vtable(base)?.slots.to_vec();
            }
            table.inherited = table.slots.clone();
            self.place_methods(t, &mut table)?;
        }
        self.place_overrides(t, &mut table)?;
        self.preserve_base_overrides(&mut table)?;
        Ok(VTable {
            slots: table.slots.into(),
            overrides: table.overrides.into(),
            own_slots: table.own_slots,
        })
    }

    fn instantiate_vtable(&self, open: &VTable, t: TypeId) -> Result<VTable> {
        let args = self.type_args(t);
        let slots = open.slots.iter().map(|slot| {
            Ok(Slot {
                declared: self.substitute_method(slot.declared, args)?,
                implementation: self.substitute_method(slot.implementation, args)?,
            })
        });
        let overrides = open.overrides.iter().map(|(declaration, body)| {
            Ok((self.substitute_method(*declaration, args)?, self.substitute_method(*body, args)?))
        });
        Ok(VTable {
            slots: slots.collect::<Result<_>>()?,
            overrides: overrides.collect::<Result<_>>()?,
            own_slots: open.own_slots.clone(),
        })
    }

    /// A method over the variables of some type, with those filled in.
    pub(crate) fn substitute_method(&self, m: MethodId, types: &[TypeId]) -> Result<MethodId> {
        let method = self.method(m);
        if types.is_empty()
            || !self.is_open(method.owner) && method.args.iter().all(|arg| !self.is_open(*arg))
        {
            return Ok(m);
        }
        let owner = self.substitute(method.owner, types, &[])?;
        let args = method.args.iter().map(|arg| self.substitute(*arg, types, &[])).collect::<Result<_>>()?;
        self.intern_method(owner, method.kind, args)
    }

    fn place_methods(&self, t: TypeId, table: &mut Builder) -> Result<()> {
        for &m in self.methods(t)? {
            let method = self.method(m);
            let MethodKind::Def { def, .. } = method.kind else { continue };
            if !method.is_virtual() || method.is_static() {
                continue;
            }
            let overridden = match method.is_new_slot() {
                true => None,
                false => self.find_overridden(t, m)?,
            };
            let slot = match overridden {
                Some(slot) => slot,
                None => {
                    table.slots.push(Slot { declared: m, implementation: m });
                    table.slots.len() - 1
                }
            };
            self.fill(t, table, slot, m)?;
            table.own_slots.insert(def, slot as u32);
        }
        Ok(())
    }

    /// Fills a slot, and those that the method before had taken over by an explicit override.
    fn fill(&self, t: TypeId, table: &mut Builder, slot: usize, m: MethodId) -> Result<()> {
        let Some(before) = table.slots.get(slot).map(|slot| slot.implementation) else { return Ok(()) };
        let is_inherited = self.definition(self.method(before).owner) != t;
        let is_home = is_inherited && self.slot_of(before)? == Some(slot);
        for (index, entry) in table.slots.iter_mut().enumerate() {
            if index == slot || is_home && entry.implementation == before {
                entry.implementation = m;
            }
        }
        Ok(())
    }

    /// The slot of the nearest inherited virtual method with this name and signature.
    fn find_overridden(&self, t: TypeId, m: MethodId) -> Result<Option<usize>> {
        let Some(overridden) = self.overridden(t, m)? else { return Ok(None) };
        match self.method(overridden).is_final() {
            true => Err(self.overrides_final(t, overridden)),
            false => self.slot_of(overridden),
        }
    }

    /// The nearest inherited virtual method with this name and signature.
    pub(crate) fn overridden(&self, t: TypeId, m: MethodId) -> Result<Option<MethodId>> {
        let wanted = self.signature(m)?;
        let method = self.method(m);
        let mut current = self.base(t)?;
        while let Some(ancestor) = current {
            for &candidate in self.methods(ancestor)? {
                let inherited = self.method(candidate);
                let fits = inherited.name == method.name
                    && inherited.is_virtual()
                    && !inherited.is_static()
                    && !inherited.is_private()
                    && same_signature(self.signature(candidate)?, wanted);
                if fits {
                    return Ok(Some(candidate));
                }
            }
            current = self.base(ancestor)?;
        }
        Ok(None)
    }

    /// The rows of MethodImpl.
    fn place_overrides(&self, t: TypeId, table: &mut Builder) -> Result<()> {
        let (Type::Def { assembly: a, .. }, Some(info)) = (self.ty(t), self.def_info(t)) else {
            return Ok(());
        };
        let assembly = self.assembly(*a);
        let generics = Generics::Of { types: self.type_args(t), methods: &[] };
        for id in assembly.module().method_impls_of(info.id) {
            let row = assembly.module().method_impl(id).map_err(|e| assembly.bad(e))?;
            let method = |token| match self.member_of_token(*a, token, generics, None)? {
                Member::Method(m) => Ok(m),
                _ => Err(assembly.bad_token(token, "a method")),
            };
            let (declaration, body) = (method(row.declaration)?, method(row.body)?);
            if self.is_interface(self.method(declaration).owner) {
                table.overrides.push((declaration, body));
                continue;
            }
            if self.method(declaration).is_final() {
                return Err(self.overrides_final(t, declaration));
            }
            let slot = match self.method(declaration).owner == t {
                true => self.own_slot(table, declaration),
                false => self.slot_of(declaration)?,
            };
            match slot.and_then(|slot| table.slots.get_mut(slot)) {
                Some(slot) => slot.implementation = body,
                None => {
                    let why = format!("it overrides {}, which is not virtual", self.method_id(declaration));
                    return Err(Error::TypeLoad { ty: self.type_name(t).into(), why: why.into() });
                }
            }
        }
        Ok(())
    }

    fn own_slot(&self, table: &Builder, m: MethodId) -> Option<usize> {
        match self.method(m).kind {
            MethodKind::Def { def, .. } => table.own_slots.get(&def).map(|slot| *slot as usize),
            MethodKind::Array(_) => None,
        }
    }

    /// A covariant return lives in a new slot and fills the old one too. Who later overrides the new slot must get the
    /// old one as well, else calls through the base would see an outdated method.
    fn preserve_base_overrides(&self, table: &mut Builder) -> Result<()> {
        for index in 0..table.inherited.len() {
            let (Some(before), Some(now)) = (table.inherited.get(index), table.slots.get(index)) else {
                continue;
            };
            if before.implementation != now.implementation
                || !self.preserves_base_overrides(before.implementation)
            {
                continue;
            }
            let Some(home) = self.slot_of(before.implementation)?.and_then(|slot| table.slots.get(slot))
            else {
                continue;
            };
            let implementation = home.implementation;
            if let Some(slot) = table.slots.get_mut(index) {
                slot.implementation = implementation;
            }
        }
        Ok(())
    }

    fn overrides_final(&self, t: TypeId, m: MethodId) -> Error {
        let why = format!("it overrides {}, which is final", self.method_id(m));
        Error::TypeLoad { ty: self.type_name(t).into(), why: why.into() }
    }
}

#[derive(Default)]
struct Builder {
    slots: Vec<Slot>,
    inherited: Vec<Slot>,
    overrides: Vec<(MethodId, MethodId)>,
    own_slots: FxHashMap<cil::MethodDefId, u32>,
}
