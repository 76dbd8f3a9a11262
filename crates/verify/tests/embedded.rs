//! The committed assemblies are what their sources say.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use testkit::{Debug, Framework, Options, Source, Target, Toolchain};

#[test]
fn the_embedded_host_matches_its_source() {
    // The oldest compiler that is supported: what it has, all later ones have.
    let compiler = Toolchain::locate().unwrap().layout().sdk31().join("csc");
    let references =
        ["Microsoft.CodeAnalysis.dll", "Microsoft.CodeAnalysis.CSharp.dll"].map(|name| compiler.join(name));
    let options = Options {
        language: "8.0".into(),
        framework: Framework::NetCore31,
        debug: Debug::None,
        target: Target::Exe,
        references: references.to_vec(),
        ..Options::default()
    };
    check("host", "host", "cilantro-verify-host", &options);
}

#[test]
fn the_embedded_stand_ins_match_their_sources() {
    for (folder, name, defines) in [
        ("xunit", "cilantro-xunit2", ""),
        ("xunit", "cilantro-xunit3", "XUNIT3"),
        ("nunit", "cilantro-nunit3", ""),
        ("nunit", "cilantro-nunit4", "NUNIT4"),
        ("mstest", "cilantro-mstest2", ""),
        ("mstest", "cilantro-mstest3", "MSTEST3"),
        ("mstest", "cilantro-mstest4", "MSTEST3;MSTEST4"),
        ("moq", "cilantro-moq", ""),
        ("nsubstitute", "cilantro-nsubstitute", ""),
    ] {
        let defines = if defines.is_empty() { vec![] } else { vec![format!("-define:{defines}")] };
        let options = Options {
            framework: Framework::NetCore31,
            debug: Debug::None,
            nullable: true,
            arguments: defines,
            ..Options::default()
        };
        check(&format!("standins/{folder}"), "standins", name, &options);
    }
}

fn check(sources: &str, folder: &str, name: &str, options: &Options) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = testkit::csharp_files(&root.join(sources)).unwrap();
    if matches!(name, "cilantro-moq" | "cilantro-nsubstitute") {
        files.extend(testkit::csharp_files(&root.join("standins/proxies")).unwrap());
    }
    let files: Vec<Source> = files.iter().map(Source::from).collect();
    let built = testkit::compile(name, &files, options).unwrap();
    let committed = root.join(folder).join(format!("{name}.dll"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::copy(&built, &committed).unwrap();
    }
    let same = std::fs::read(&built).unwrap() == std::fs::read(&committed).unwrap();
    assert!(same, "{name} is older than its source: run this test with UPDATE_EXPECT=1 and commit the dll");
}
