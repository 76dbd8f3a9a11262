//! What answers about the methods of an assembly depend on.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use store::{Digesting, Key};
use types::Probing;

use super::closure::Closures;
use super::own;
use super::shape::shape;
use crate::runtimes::Chosen;
use crate::subject::target::Target;
use crate::world::World;

/// Digests of what answers depend on: for a method, or for all of the assembly where less is not known to be enough.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    whole: Option<Key>,
    by_token: BTreeMap<u32, Key>,
}

impl Contents {
    /// Of an assembly on a runtime. Nothing if something cannot be read.
    /// `may_be_narrow`: nothing but bodies that a method leads to is looked at while it is explored.
    pub(crate) fn of_assembly(
        assembly: &Path,
        chosen: &Chosen,
        world: &World,
        targets: &[Target],
        may_be_narrow: bool,
    ) -> Contents {
        let Some(around) = surroundings(assembly, chosen, world) else { return Contents::default() };
        let Ok(bytes) = fs::read(assembly) else { return Contents::default() };
        let mut digest = Digesting::new();
        digest.part("around", around.as_bytes()).part("assembly", &bytes);
        digest.part("symbols", fs::read(assembly.with_extension("pdb")).unwrap_or_default());
        let whole = digest.key();
        let by_token = match may_be_narrow {
            true => by_method(assembly, &bytes, &around, targets).unwrap_or_default(),
            false => BTreeMap::new(),
        };
        Contents { whole: Some(whole), by_token }
    }

    /// What answers about a method depend on.
    pub(crate) fn of(&self, token: u32) -> Option<Key> {
        self.by_token.get(&token).copied().or(self.whole)
    }

    /// What an answer about all of the assembly depends on.
    pub(crate) fn whole(&self) -> Option<Key> {
        self.whole
    }
}

/// What answers about each method depend on, where that is less than the whole assembly.
fn by_method(assembly: &Path, bytes: &[u8], around: &Key, targets: &[Target]) -> Option<BTreeMap<u32, Key>> {
    let module = cil::Module::open(assembly).ok()?;
    let pdb = cil::Pdb::find_for(&module, assembly).ok().flatten();
    let shape = shape(&module, bytes);
    let closures = Closures::of(&module, pdb.as_ref());
    let key = |target: &Target| {
        let bodies = closures.digest(target.bodies.iter().map(|body| body.token))?;
        let mut digest = Digesting::new();
        digest.part("around", around.as_bytes()).part("shape", shape.as_bytes());
        digest.part("bodies", bodies.as_bytes());
        Some((target.token, digest.key()))
    };
    Some(targets.iter().filter_map(key).collect())
}

/// Everything but the assembly itself: this program, the runtime, the other assemblies in reach, cultures and time zones.
fn surroundings(assembly: &Path, chosen: &Chosen, world: &World) -> Option<Key> {
    let mut digest = Digesting::new();
    digest.part("program", own::program()?.as_bytes());
    digest
        .part("runtime", format!("{:?}", chosen.described().map(|runtime| (runtime.name, runtime.version))));
    digest.part("replay", [u8::from(chosen.replay.is_ok())]);
    digest.part("cultures", cultures(world));
    digest.part("zones", zones());
    let probing = chosen.probing(assembly).ok()?;
    digest.part("properties", format!("{:?}", probing.properties()));
    let own = fs::canonicalize(assembly).ok()?;
    for file in probing.assembly_files() {
        if fs::canonicalize(&file).ok().as_ref() == Some(&own) {
            continue;
        }
        digest.part("file", file.file_name()?.as_encoded_bytes());
        digest.part("identity", identity(&probing, &file));
    }
    Some(digest.key())
}

/// Assemblies of a framework are released once under their version; of others every byte counts.
fn identity(probing: &Probing, file: &Path) -> Vec<u8> {
    if probing.is_framework(file)
        && let Ok(module) = cil::Module::open(file)
        && let Ok(row) = module.module()
    {
        let size = fs::metadata(file).map_or(0, |metadata| metadata.len());
        return format!("{size} {:?}", row.mvid).into_bytes();
    }
    Key::of(&fs::read(file).unwrap_or_default()).as_bytes().to_vec()
}

/// Who answers about cultures.
fn cultures(world: &World) -> String {
    match &world.answers {
        None => "invariant".to_owned(),
        Some(answers) => match answers.greeting() {
            Ok(greeting) => format!("{greeting:?}"),
            Err(error) => error.to_string(),
        },
    }
}

/// The version of the system's zones, where it says one.
fn zones() -> Vec<u8> {
    const FIRST_LINE: usize = 64;
    let files = ["/usr/share/zoneinfo/tzdata.zi", "/usr/share/zoneinfo/+VERSION"];
    let text = files.iter().map(PathBuf::from).find_map(|file| fs::read(file).ok());
    text.map(|text| text.into_iter().take(FIRST_LINE).take_while(|byte| *byte != b'\n').collect())
        .unwrap_or_default()
}
