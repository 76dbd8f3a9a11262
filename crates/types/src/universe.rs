//! The universe itself: loading assemblies, finding the core library, finding types by name.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::arena::Arena;
use crate::assembly::Assembly;
use crate::field::{FieldEntry, FieldKey};
use crate::memo::Memo;
use crate::method::{MethodEntry, MethodKey};
use crate::resolve::DefRef;
use crate::ty::TypeEntry;
use crate::{AssemblyId, Constrained, Error, FieldId, MethodId, Probing, Result, Type, TypeId, WellKnown};

pub struct Universe {
    probing: Probing,
    assemblies: Arena<Assembly>,
    by_path: RefCell<FxHashMap<PathBuf, AssemblyId>>,
    /// Simple name in lower case → the assembly, or that there is none.
    by_name: RefCell<FxHashMap<String, Option<AssemblyId>>>,
    core: Memo<AssemblyId>,
    pub(crate) well_known: Memo<WellKnown>,
    pub(crate) types: Arena<TypeEntry>,
    pub(crate) type_ids: RefCell<FxHashMap<Type, TypeId>>,
    pub(crate) methods: Arena<MethodEntry>,
    pub(crate) method_ids: RefCell<FxHashMap<MethodKey, MethodId>>,
    pub(crate) fields: Arena<FieldEntry>,
    pub(crate) field_ids: RefCell<FxHashMap<FieldKey, FieldId>>,
    pub(crate) assignable: RefCell<FxHashMap<(TypeId, TypeId), bool>>,
    pub(crate) dispatched: RefCell<FxHashMap<(TypeId, MethodId), MethodId>>,
    pub(crate) constrained: RefCell<FxHashMap<(TypeId, MethodId), Constrained>>,
    pub(crate) load_failures: RefCell<FxHashMap<TypeId, Option<Arc<str>>>>,
    /// Questions under way inside each other.
    pub(crate) depth: Cell<u32>,
    /// Type specifications under way inside each other.
    pub(crate) spec_depth: Cell<u32>,
    /// Of a `Vector<T>`.
    pub(crate) vector_bytes: Cell<u32>,
}

impl Universe {
    pub fn new(probing: Probing) -> Universe {
        Universe {
            probing,
            assemblies: Arena::new(),
            by_path: RefCell::default(),
            by_name: RefCell::default(),
            core: Memo::default(),
            well_known: Memo::default(),
            types: Arena::new(),
            type_ids: RefCell::default(),
            methods: Arena::new(),
            method_ids: RefCell::default(),
            fields: Arena::new(),
            field_ids: RefCell::default(),
            assignable: RefCell::default(),
            dispatched: RefCell::default(),
            constrained: RefCell::default(),
            load_failures: RefCell::default(),
            depth: Cell::new(0),
            spec_depth: Cell::new(0),
            vector_bytes: Cell::new(16),
        }
    }

    /// How wide a `Vector<T>` is: the processor decides that. To be said before any type is looked at.
    pub fn set_vector_bits(&self, bits: u32) {
        self.vector_bytes.set(bits / 8);
    }

    pub fn probing(&self) -> &Probing {
        &self.probing
    }

    /// Loads an assembly from a file. The first one of a name is what references to that name mean.
    pub fn load(&self, path: &Path) -> Result<AssemblyId> {
        let key = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if let Some(known) = self.by_path.borrow().get(&key) {
            return Ok(*known);
        }
        let assembly = Assembly::open(path)?;
        if !assembly.has_manifest() {
            return Err(Error::NotAnAssembly { file: assembly.file().into() });
        }
        let name = assembly.name().to_lowercase();
        let id = self.add(assembly);
        self.by_path.borrow_mut().insert(key, id);
        let mut names = self.by_name.borrow_mut();
        let slot = names.entry(name).or_insert(None);
        slot.get_or_insert(id);
        Ok(id)
    }

    /// An assembly of its own, whatever others have its name: what other code means by the name stays what it is. Without
    /// bytes it is read from its file.
    pub fn load_apart(&self, path: &Path, bytes: Option<Vec<u8>>) -> Result<AssemblyId> {
        let assembly = match bytes {
            Some(bytes) => Assembly::from_bytes(path, bytes)?,
            None => Assembly::open(path)?,
        };
        if !assembly.has_manifest() {
            return Err(Error::NotAnAssembly { file: assembly.file().into() });
        }
        Ok(self.add(assembly))
    }

    /// Whether programs may load this file without being allowed to read it: it is beside an assembly that they consist of.
    pub fn is_beside(&self, path: &Path) -> bool {
        let folder = path.parent();
        path.is_file() && self.assemblies().any(|a| self.assembly(a).path().parent() == folder)
    }

    /// The assembly that its name means from now on, unless there is one already.
    pub fn load_image(&self, path: &Path, bytes: Vec<u8>) -> Result<AssemblyId> {
        let id = self.load_apart(path, Some(bytes))?;
        let name = self.assembly(id).name().to_lowercase();
        self.by_name.borrow_mut().entry(name).or_insert(None).get_or_insert(id);
        Ok(id)
    }

    /// The assembly a simple name means, loaded by probing when needed.
    pub fn load_by_name(&self, name: &str) -> Result<Option<AssemblyId>> {
        let key = name.to_lowercase();
        if let Some(known) = self.by_name.borrow().get(&key) {
            return Ok(*known);
        }
        let found = match self.probing.find(name) {
            Some(path) => Some(self.load(&path)?),
            None => None,
        };
        self.by_name.borrow_mut().entry(key).or_insert(found);
        Ok(found)
    }

    pub fn assembly(&self, a: AssemblyId) -> &Assembly {
        match self.assemblies.get(a.index()) {
            Some(assembly) => assembly,
            None => unreachable!("{a:?} belongs to another universe"),
        }
    }

    /// Whether an assembly comes with the runtime: from a framework's folder, or with the core library that an application
    /// brings along.
    pub fn is_framework(&self, a: AssemblyId) -> bool {
        let assembly = self.assembly(a);
        *assembly.is_framework.get_or_init(|| {
            assembly.is_core()
                || self.probing.is_framework(assembly.path())
                || self.is_brought_along(assembly)
        })
    }

    fn is_brought_along(&self, assembly: &Assembly) -> bool {
        let Ok(core) = self.corelib() else { return false };
        let core = self.assembly(core).path();
        let name = assembly.name();
        let is_named_so =
            name.starts_with("System.") || name.starts_with("Microsoft.") || name == "netstandard";
        is_named_so && !self.probing.is_framework(core) && assembly.path().parent() == core.parent()
    }

    /// Every assembly loaded so far, in the order of loading.
    pub fn assemblies(&self) -> impl Iterator<Item = AssemblyId> + use<> {
        (0..self.assemblies.len() as u32).map(AssemblyId)
    }

    /// The assembly that defines `System.Object`: `System.Private.CoreLib`, or Mono's and .NET SharedFramework's `mscorlib`.
    pub fn corelib(&self) -> Result<AssemblyId> {
        self.core.get(|| Error::NoCoreLibrary, || self.find_corelib()).copied()
    }

    /// The definition with this reflection name (`Ns.Outer+Inner`1`), following forwarders.
    pub fn find_type(&self, a: AssemblyId, full_name: &str) -> Result<Option<TypeId>> {
        let mut parts = full_name.split('+');
        let outer = parts.next().unwrap_or_default();
        let (namespace, name) = outer.rsplit_once('.').unwrap_or(("", outer));
        let Some(mut found) = self.find_def(a, namespace, name)? else { return Ok(None) };
        for nested in parts {
            match self.find_nested(found, "", nested)? {
                Some(inner) => found = inner,
                None => return Ok(None),
            }
        }
        self.open_type(found).map(Some)
    }

    /// All definitions of an assembly in the order of its table (`<Module>` first).
    pub fn type_defs(&self, a: AssemblyId) -> impl Iterator<Item = Result<TypeId>> + '_ {
        self.assembly(a).module().type_defs().map(move |def| self.open_type(DefRef { assembly: a, def }))
    }

    /// The definition of one row of an assembly.
    pub fn type_of_def(&self, a: AssemblyId, def: cil::TypeDefId) -> Result<TypeId> {
        self.open_type(DefRef { assembly: a, def })
    }

    pub(crate) fn open_type(&self, found: DefRef) -> Result<TypeId> {
        let info = self.type_def_info(found.assembly, found.def)?;
        self.open_of(&info)
    }

    /// Adds a module that is no assembly of its own (a part of a multi-file assembly).
    pub(crate) fn load_module(&self, path: &Path) -> Result<AssemblyId> {
        let key = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if let Some(known) = self.by_path.borrow().get(&key) {
            return Ok(*known);
        }
        let id = self.add(Assembly::open(path)?);
        self.by_path.borrow_mut().insert(key, id);
        Ok(id)
    }

    fn add(&self, assembly: Assembly) -> AssemblyId {
        AssemblyId(self.assemblies.push(assembly) as u32)
    }

    fn find_corelib(&self) -> Result<AssemblyId> {
        if let Some(loaded) = self.assemblies().find(|a| self.assembly(*a).is_core()) {
            return Ok(loaded);
        }
        for name in ["System.Private.CoreLib", "mscorlib", "System.Runtime", "netstandard"] {
            match self.load_by_name(name)? {
                Some(found) if self.assembly(found).is_core() => return Ok(found),
                _ => {}
            }
        }
        Err(Error::NoCoreLibrary)
    }
}
