//! The set-up as its user meets it when the world is not as it should be.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output},
};

fn setup(cache: &Path, path: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg("setup")
        .env_clear()
        .env("PATH", path)
        .env("CILANTRO_CACHE", cache)
        .output()
        .unwrap()
}

#[test]
fn missing_clients_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let output = setup(&folder.path().join("cache"), folder.path());
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(text.contains("cannot download z3-solver"), "{text}");
    assert!(text.contains("with npm: it cannot be started: No such file or directory"), "{text}");
    assert!(text.contains("run `cargo xtask setup` again"), "{text}");
    nothing_is_left(folder.path());
}

#[test]
fn a_failing_client_is_quoted() {
    let folder = tempfile::tempdir().unwrap();
    script(&folder.path().join("npm"), "echo 'npm error code E404' >&2; exit 1");
    let output = setup(&folder.path().join("cache"), folder.path());
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(text.contains("with npm: it failed with exit status: 1\n    npm error code E404"), "{text}");
    nothing_is_left(folder.path());
}

#[test]
fn an_archive_that_is_not_the_pinned_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    script(&folder.path().join("npm"), "echo surprise > package.tgz");
    script(&folder.path().join("python3"), "echo surprise > package.whl");
    let output = setup(&folder.path().join("cache"), folder.path());
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(text.contains("has an unexpected checksum: expected sha256 "), "{text}");
    nothing_is_left(folder.path());
}

fn script(path: &Path, body: &str) {
    fs::write(path, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn nothing_is_left(folder: &Path) {
    let left: Vec<_> = fs::read_dir(folder.join("cache/toolchain")).unwrap().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}
