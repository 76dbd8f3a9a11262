//! Packages for `dotnet tool install cilantro`: one that names the platforms, and one per platform with the program.
//!
//! Tools whose program is no managed one are installed by the SDK of .NET 10 and later.

use anyhow::Result;

use super::Release;
use super::archive::zip;
use super::payload::{Item, Payload, item};
use super::platform::Platform;

const ID: &str = "cilantro";

/// The package that users name, and the one of this platform. The first is put together anew when all platforms are there.
pub fn releases(payload: &Payload, platform: &Platform, version: &str) -> Result<Vec<Release>> {
    let own = format!("{ID}.{}", platform.rid);
    let pointer = settings(
        &format!("<Command Name=\"{ID}\" />",),
        &format!(
            "  <RuntimeIdentifierPackages>\n    <RuntimeIdentifierPackage RuntimeIdentifier=\"{}\" Id=\"{own}\" />\n  \
         </RuntimeIdentifierPackages>\n",
            platform.rid
        ),
    );
    let program = platform.program();
    let settled =
        settings(&format!("<Command Name=\"{ID}\" EntryPoint=\"{program}\" Runner=\"executable\" />"), "");
    let folder = format!("tools/any/{}", platform.rid);
    let mut own_items = vec![
        item(&format!("{folder}/DotnetToolSettings.xml"), settled),
        Item { path: format!("{folder}/{program}"), ..payload.program.clone() },
    ];
    own_items.extend(payload.words.iter().cloned());
    let mut items = vec![item("tools/any/any/DotnetToolSettings.xml", pointer)];
    items.extend(payload.words.iter().cloned());
    Ok(vec![
        package(ID, version, "DotnetTool", items)?,
        package(&own, version, "DotnetToolRidPackage", own_items)?,
    ])
}

fn settings(command: &str, more: &str) -> Vec<u8> {
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<DotNetCliTool Version=\"2\">\n  <Commands>\n    {command}\n  </Commands>\n\
         {more}</DotNetCliTool>\n"
    );
    text.into_bytes()
}

/// The parts that make a zip file a package.
fn package(id: &str, version: &str, kind: &str, content: Vec<Item>) -> Result<Release> {
    let specification = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <package xmlns=\"http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd\">\n  <metadata>\n    <id>{id}</id>\n    \
         <version>{version}</version>\n    <authors>The Cilantro developers</authors>\n    \
         <license type=\"expression\">MIT OR Apache-2.0</license>\n    <readme>README.md</readme>\n    \
         <description>Tests, crashes and proofs for compiled .NET code</description>\n    <packageTypes>\n      \
         <packageType name=\"{kind}\" />\n    </packageTypes>\n  </metadata>\n</package>\n"
    );
    let relations = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\n  \
         <Relationship Type=\"http://schemas.microsoft.com/packaging/2010/07/manifest\" Target=\"/{id}.nuspec\" Id=\"R1\" />\n\
         </Relationships>\n"
    );
    let mut items = vec![
        item("[Content_Types].xml", content_types(&content)),
        item("_rels/.rels", relations.into_bytes()),
        item(&format!("{id}.nuspec"), specification.into_bytes()),
    ];
    items.extend(content);
    Ok(Release { name: format!("{id}.{version}.nupkg"), bytes: zip(&items)? })
}

/// Every part has a type: by its extension, or by its name if it has none.
fn content_types(content: &[Item]) -> Vec<u8> {
    const BYTES: &str = "application/octet";
    let mut text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\n  \
         <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\" />\n"
        .to_owned();
    for extension in ["exe", "md", "nuspec", "xml"] {
        text += &format!("  <Default Extension=\"{extension}\" ContentType=\"{BYTES}\" />\n");
    }
    let is_bare = |item: &&Item| !item.path.rsplit('/').next().unwrap_or_default().contains('.');
    for item in content.iter().filter(is_bare) {
        text += &format!("  <Override PartName=\"/{}\" ContentType=\"{BYTES}\" />\n", item.path);
    }
    (text + "</Types>\n").into_bytes()
}
