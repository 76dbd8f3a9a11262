//! One loaded assembly: its identity, its module, and look-ups by name and by owner.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use cil::{MethodDefId, Module, Token, TypeDefId};

use crate::memo::Memo;
use crate::resolve::{DefRef, FoundMember};
use crate::type_def::{GenericParameter, TypeDefInfo};
use crate::{AssemblyId, Error, Result, Universe};

pub struct Assembly {
    path: PathBuf,
    file: Arc<str>,
    name: Box<str>,
    version: [u16; 4],
    has_manifest: bool,
    module: Module,
    pdb: OnceCell<Option<cil::Pdb>>,
    is_core: OnceCell<bool>,
    pub(crate) is_framework: OnceCell<bool>,
    /// The type whose static constructor is that of the module.
    pub(crate) module_initializer: OnceCell<Option<crate::TypeId>>,
    defs: Box<[OnceCell<Rc<TypeDefInfo>>]>,
    pub(crate) type_refs: Box<[Memo<DefRef>]>,
    pub(crate) member_refs: Box<[Memo<FoundMember>]>,
}

/// A row of the references of an assembly.
#[derive(Debug, Clone)]
pub struct Reference {
    pub name: String,
    pub version: [u16; 4],
    /// What it was resolved to.
    pub target: Option<AssemblyId>,
}

impl Assembly {
    pub(crate) fn open(path: &Path) -> Result<Assembly> {
        Assembly::new(path, Module::open(path))
    }

    /// An assembly whose bytes are in memory; the path is that of its file, or empty.
    pub(crate) fn from_bytes(path: &Path, bytes: Vec<u8>) -> Result<Assembly> {
        Assembly::new(path, Module::from_vec(bytes))
    }

    fn new(path: &Path, module: cil::Result<Module>) -> Result<Assembly> {
        let file: Arc<str> = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into();
        let bad = |error| Error::BadImage { file: file.clone(), error };
        let module = module.map_err(bad)?;
        let manifest = module.assembly().map_err(bad)?;
        let has_manifest = manifest.is_some();
        let name = match manifest {
            Some(row) => row.name.into(),
            None => module.module().map_err(bad)?.name.into(),
        };
        Ok(Assembly {
            path: path.to_owned(),
            name,
            version: version_of(&module).unwrap_or_default(),
            has_manifest,
            pdb: OnceCell::new(),
            is_core: OnceCell::new(),
            is_framework: OnceCell::new(),
            module_initializer: OnceCell::new(),
            defs: cells(module.rows(cil::TableId::TypeDef)),
            type_refs: cells(module.rows(cil::TableId::TypeRef)),
            member_refs: cells(module.rows(cil::TableId::MemberRef)),
            file,
            module,
        })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn version(&self) -> [u16; 4] {
        self.version
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's name, for messages.
    pub fn file(&self) -> &str {
        &self.file
    }

    pub fn module(&self) -> &Module {
        &self.module
    }

    pub fn has_manifest(&self) -> bool {
        self.has_manifest
    }

    /// The debug information beside the file or inside it, when it belongs to this build.
    pub fn pdb(&self) -> Option<&cil::Pdb> {
        self.pdb.get_or_init(|| cil::Pdb::find_for(&self.module, &self.path).ok().flatten()).as_ref()
    }

    /// Does it define `System.Object`?
    pub fn is_core(&self) -> bool {
        *self.is_core.get_or_init(|| {
            let object = self.top_level("System", "Object");
            object.ok().flatten().is_some_and(|id| {
                self.module.type_def(id).is_ok_and(|row| row.extends.is_none() && row.flags & 0x20 == 0)
            })
        })
    }

    pub(crate) fn bad(&self, error: cil::Error) -> Error {
        Error::BadImage { file: self.file.clone(), error }
    }

    pub(crate) fn wrong(&self, what: String) -> Error {
        Error::BadMetadata { file: self.file.clone(), what: what.into() }
    }

    pub(crate) fn bad_token(&self, token: Token, expected: &'static str) -> Error {
        Error::BadToken { file: self.file.clone(), token: token.raw(), expected }
    }

    pub(crate) fn def_cell(&self, id: TypeDefId) -> Result<&OnceCell<Rc<TypeDefInfo>>> {
        let index = (id.row() as usize).wrapping_sub(1);
        self.defs.get(index).ok_or_else(|| self.bad_token(id.token(), "a type definition"))
    }

    pub(crate) fn top_level(&self, namespace: &str, name: &str) -> cil::Result<Option<TypeDefId>> {
        self.module.find_type(namespace, name)
    }

    pub(crate) fn enclosing(&self, id: TypeDefId) -> cil::Result<Option<TypeDefId>> {
        self.module.enclosing_type(id)
    }

    pub(crate) fn class_layout(&self, id: TypeDefId) -> cil::Result<(u16, u32)> {
        let row = self.module.class_layout_of(id)?;
        Ok(row.map_or((0, 0), |row| (row.packing_size, row.class_size)))
    }

    pub(crate) fn generic_parameters(&self, owner: Token) -> cil::Result<Box<[GenericParameter]>> {
        let mut found = Vec::new();
        for id in self.module.generic_params(owner) {
            let row = self.module.generic_param(id)?;
            found.push((row.number, GenericParameter { name: row.name.into(), flags: row.flags, id }));
        }
        found.sort_by_key(|(number, _)| *number);
        Ok(found.into_iter().map(|(_, parameter)| parameter).collect())
    }

    /// The type a method definition belongs to.
    pub(crate) fn owner_of_method(&self, id: MethodDefId) -> Result<TypeDefId> {
        let owner = self.module.declaring_type_of_method(id).map_err(|e| self.bad(e))?;
        owner.ok_or_else(|| self.bad_token(id.token(), "a method of a type"))
    }

    pub(crate) fn owner_of_field(&self, id: cil::FieldId) -> Result<TypeDefId> {
        let owner = self.module.declaring_type_of_field(id).map_err(|e| self.bad(e))?;
        owner.ok_or_else(|| self.bad_token(id.token(), "a field of a type"))
    }

    /// (namespace, name) of a TypeDef or TypeRef that is not nested; `None` for anything else.
    pub(crate) fn token_name(&self, token: Option<Token>) -> cil::Result<Option<(&str, &str)>> {
        let Some(token) = token else { return Ok(None) };
        Ok(match token.row_ref() {
            Some(cil::RowRef::TypeDef(id)) => {
                let row = self.module.type_def(id)?;
                self.enclosing(id)?.is_none().then_some((row.namespace, row.name))
            }
            Some(cil::RowRef::TypeRef(id)) => {
                let row = self.module.type_ref(id)?;
                let nested = row.resolution_scope.is_some_and(|s| s.table() == Some(cil::TableId::TypeRef));
                (!nested).then_some((row.namespace, row.name))
            }
            _ => None,
        })
    }
}

impl Universe {
    /// The assembly references and what they resolve to (each is looked for).
    pub fn references(&self, a: AssemblyId) -> Result<Vec<Reference>> {
        let assembly = self.assembly(a);
        let mut references = Vec::new();
        for id in assembly.module().assembly_refs() {
            let row = assembly.module().assembly_ref(id).map_err(|e| assembly.bad(e))?;
            references.push(Reference {
                name: row.name.to_owned(),
                version: [row.major_version, row.minor_version, row.build_number, row.revision_number],
                target: self.load_by_name(row.name).ok().flatten(),
            });
        }
        Ok(references)
    }
}

pub(crate) fn version_of(module: &Module) -> Option<[u16; 4]> {
    let row = module.assembly().ok()??;
    Some([row.major_version, row.minor_version, row.build_number, row.revision_number])
}

fn cells<T: Default>(count: u32) -> Box<[T]> {
    std::iter::repeat_with(T::default).take(count as usize).collect()
}
