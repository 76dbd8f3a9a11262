//! A Debian package: an `ar` archive of what it says of itself and of what it puts on the disk.

use anyhow::Result;

use super::Release;
use super::archive::{below, tar_gz};
use super::payload::{Item, Payload, item};
use super::platform::Platform;

/// Nothing where Debian does not run.
pub fn release(payload: &Payload, platform: &Platform, version: &str) -> Result<Option<Release>> {
    let Some(architecture) = platform.debian else { return Ok(None) };
    let files = files(payload);
    let size: usize = files.iter().map(|file| file.bytes.len()).sum();
    let control = format!(
        "Package: cilantro\nVersion: {version}\nArchitecture: {architecture}\nSection: devel\nPriority: optional\n\
         Maintainer: The Cilantro developers <cilantro@localhost>\nInstalled-Size: {}\nDepends: libc6, libstdc++6\n\
         Recommends: dotnet-runtime-10.0\nDescription: tests, crashes and proofs for compiled .NET code\n \
         A symbolic virtual machine for .NET: give it a compiled assembly, and it gives you tests that\n \
         cover the branches, the inputs behind the crashes, and proofs of what cannot happen.\n",
        size.div_ceil(1024)
    );
    let control = tar_gz(&[item("control", control.into_bytes())])?;
    let data = tar_gz(&files)?;
    let parts = [("debian-binary", b"2.0\n".to_vec()), ("control.tar.gz", control), ("data.tar.gz", data)];
    let name = format!("cilantro_{version}_{architecture}.deb");
    Ok(Some(Release { name, bytes: ar(&parts) }))
}

/// Where Debian wants them.
fn files(payload: &Payload) -> Vec<Item> {
    let mut files = vec![Item { path: "usr/bin/cilantro".to_owned(), ..payload.program.clone() }];
    files.extend(below("usr/share/doc/cilantro", &payload.words));
    files.extend(below("usr/share/man/man1", &payload.manual));
    let places = [
        ("cilantro.bash", "usr/share/bash-completion/completions/cilantro"),
        ("cilantro.fish", "usr/share/fish/vendor_completions.d/cilantro.fish"),
        ("_cilantro", "usr/share/zsh/vendor-completions/_cilantro"),
    ];
    for (name, path) in places {
        let found = payload.completions.iter().filter(|item| item.path == name);
        files.extend(found.map(|item| Item { path: path.to_owned(), ..item.clone() }));
    }
    files
}

/// The common form of `ar`: a line of 60 characters before each member, which begins at an even place.
fn ar(parts: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = b"!<arch>\n".to_vec();
    for (name, part) in parts {
        let header = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, "100644", part.len());
        bytes.extend(header.as_bytes());
        bytes.extend(part);
        if part.len() % 2 == 1 {
            bytes.push(b'\n');
        }
    }
    bytes
}
