//! Archives that depend on nothing but what is in them: no times, no owners, a fixed order.

use std::io::{Cursor, Write};

use anyhow::Result;
use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::Release;
use super::payload::{Item, Payload};
use super::platform::Platform;

/// The archive for everybody: one folder with everything.
pub fn release(payload: &Payload, platform: &Platform, version: &str) -> Result<Release> {
    let folder = format!("cilantro-{version}-{}", platform.target);
    let mut items = vec![payload.program.clone()];
    items.extend(payload.words.iter().cloned());
    items.extend(below("completions", &payload.completions));
    items.extend(below("man", &payload.manual));
    let bytes = tar_gz(&below(&folder, &items).collect::<Vec<_>>())?;
    Ok(Release { name: format!("{folder}.tar.gz"), bytes })
}

/// The same files in a folder.
pub fn below<'a>(folder: &'a str, items: &'a [Item]) -> impl Iterator<Item = Item> + 'a {
    items.iter().map(move |item| Item { path: format!("{folder}/{}", item.path), ..item.clone() })
}

/// In the order of paths; folders come before what is in them, as Debian wants it.
pub fn tar_gz(items: &[Item]) -> Result<Vec<u8>> {
    let mut sorted: Vec<&Item> = items.iter().collect();
    sorted.sort_by(|a, b| a.path.cmp(&b.path));
    let mut folders = std::collections::BTreeSet::new();
    for item in &sorted {
        let parts = item.path.match_indices('/').map(|(at, _)| item.path.get(..=at).unwrap_or_default());
        folders.extend(parts);
    }
    let gzip = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best());
    let mut tar = Builder::new(gzip);
    for folder in folders {
        tar.append_data(&mut header(EntryType::Directory, 0o755, 0), folder, std::io::empty())?;
    }
    for item in sorted {
        let mode = if item.is_program { 0o755 } else { 0o644 };
        let mut header = header(EntryType::Regular, mode, item.bytes.len() as u64);
        tar.append_data(&mut header, &item.path, item.bytes.as_slice())?;
    }
    Ok(tar.into_inner()?.finish()?)
}

fn header(kind: EntryType, mode: u32, size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_size(size);
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    header
}

/// In the order in which they are given.
pub fn zip(items: &[Item]) -> Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for item in items {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(if item.is_program { 0o755 } else { 0o644 });
        zip.start_file(&item.path, options)?;
        zip.write_all(&item.bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}
