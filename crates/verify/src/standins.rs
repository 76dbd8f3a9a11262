//! The embedded miniatures of test frameworks and mocking libraries.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{Framework, Mocks};

/// Compiled from the folders beside them; a test compares each with its source.
fn framework(framework: Framework) -> (&'static str, &'static [u8]) {
    match framework {
        Framework::XUnit2 => ("cilantro-xunit2", include_bytes!("../standins/cilantro-xunit2.dll")),
        Framework::XUnit3 => ("cilantro-xunit3", include_bytes!("../standins/cilantro-xunit3.dll")),
        Framework::NUnit3 => ("cilantro-nunit3", include_bytes!("../standins/cilantro-nunit3.dll")),
        Framework::NUnit4 => ("cilantro-nunit4", include_bytes!("../standins/cilantro-nunit4.dll")),
        Framework::MSTest2 => ("cilantro-mstest2", include_bytes!("../standins/cilantro-mstest2.dll")),
        Framework::MSTest3 => ("cilantro-mstest3", include_bytes!("../standins/cilantro-mstest3.dll")),
        Framework::MSTest4 => ("cilantro-mstest4", include_bytes!("../standins/cilantro-mstest4.dll")),
    }
}

fn mocks(mocks: Mocks) -> Option<(&'static str, &'static [u8])> {
    Some(match mocks {
        Mocks::None => return None,
        Mocks::Moq => ("cilantro-moq", include_bytes!("../standins/cilantro-moq.dll")),
        Mocks::NSubstitute => {
            ("cilantro-nsubstitute", include_bytes!("../standins/cilantro-nsubstitute.dll"))
        }
    })
}

/// The assemblies that stand for what a project would have restored, written into the folder.
pub(crate) fn write(folder: &Path, wanted: Framework, library: Mocks) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for (name, bytes) in [Some(framework(wanted)), mocks(library)].into_iter().flatten() {
        let path = folder.join(format!("{name}.dll"));
        if !path.is_file() {
            fs::write(&path, bytes)?;
        }
        paths.push(path);
    }
    Ok(paths)
}
