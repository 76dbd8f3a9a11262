//! What a user may name as a runtime.

use replay::runtime::{Installation, NotFound};
use testkit::Toolchain;

#[test]
fn an_executable_a_root_and_a_framework_folder_name_the_same_installation() {
    let toolchain = Toolchain::locate().unwrap();
    let root = Installation::named(toolchain.runtime_root()).unwrap();
    let executable = Installation::named(&toolchain.dotnet()).unwrap();
    assert_eq!(root, executable);
    assert!(root.muxer.is_file() && root.framework.is_none());
    let folder = Installation::named(toolchain.framework_dir()).unwrap();
    assert_eq!(folder.muxer, root.muxer);
    assert_eq!(folder.framework, toolchain.framework_dir().canonicalize().ok());
}

#[test]
fn anything_else_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let refused = Installation::named(folder.path());
    assert_eq!(refused, Err(NotFound::Named(folder.path().to_owned())));
    let toolchain = Toolchain::locate().unwrap();
    assert!(Installation::named(&toolchain.runtime_root().join("nothing")).is_err());
    assert!(Installation::named(&toolchain.runtime_root().join("shared")).is_err());
}
