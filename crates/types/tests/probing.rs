//! Where assemblies are found: application folders, deps.json, runtimeconfig.json, frameworks in several forms.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect;
use testkit::{Framework, Options};
use types::{Probing, Universe};

/// A dotnet root with frameworks of many versions; every assembly is a copy of a tiny one.
struct Root {
    folder: tempfile::TempDir,
    tiny: PathBuf,
}

impl Root {
    fn new() -> Root {
        let tiny =
            testkit::compile("Tiny", &[("Tiny.cs", "public class Tiny { }")], &Options::default()).unwrap();
        Root { folder: tempfile::tempdir().unwrap(), tiny }
    }

    fn put(&self, path: &str) -> PathBuf {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(&self.tiny, &path).unwrap();
        path
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn probe(&self, runtime: &str) -> types::Result<Probing> {
        Probing::for_application(
            &self.folder.path().join("app/App.dll"),
            Some(&self.folder.path().join(runtime)),
        )
    }

    /// Frameworks in probing order, then where each name is found.
    fn report(&self, probing: &Probing, names: &[&str]) -> String {
        let mut lines: Vec<String> =
            probing.frameworks().iter().map(|f| format!("{} {}", f.name, f.version)).collect();
        lines.extend(probing.notes().iter().map(|note| format!("note: {note}")));
        for name in names {
            let place = probing.find(name).map(|path| {
                path.strip_prefix(self.folder.path()).unwrap_or(&path).to_string_lossy().into_owned()
            });
            lines.push(format!("{name}: {}", place.as_deref().unwrap_or("not found")));
        }
        lines.join("\n")
    }
}

#[test]
fn several_frameworks_roll_forward_and_the_core_is_last() {
    let root = Root::new();
    root.put("dotnet/shared/Microsoft.NETCore.App/8.0.1/System.Runtime.dll");
    root.put("dotnet/shared/Microsoft.NETCore.App/8.0.11/System.Runtime.dll");
    root.put("dotnet/shared/Microsoft.NETCore.App/10.0.0/System.Runtime.dll");
    root.put("dotnet/shared/Microsoft.AspNetCore.App/8.0.11/Microsoft.AspNetCore.dll");
    root.write(
        "dotnet/shared/Microsoft.AspNetCore.App/8.0.11/Microsoft.AspNetCore.App.runtimeconfig.json",
        r#"{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"8.0.11"}}}"#,
    );
    root.put("app/App.dll");
    root.put("app/Helper.dll");
    root.write(
        "app/App.runtimeconfig.json",
        r#"{ // comments are allowed
        "runtimeOptions":{"frameworks":[{"name":"Microsoft.AspNetCore.App","version":"8.0.0"}]}}"#,
    );
    let probing = root.probe("dotnet").unwrap();
    expect![[r#"
        Microsoft.AspNetCore.App 8.0.11
        Microsoft.NETCore.App 8.0.11
        System.Runtime: dotnet/shared/Microsoft.NETCore.App/8.0.11/System.Runtime.dll
        Microsoft.AspNetCore: dotnet/shared/Microsoft.AspNetCore.App/8.0.11/Microsoft.AspNetCore.dll
        Helper: app/Helper.dll
        Nothing: not found
        ../Helper: not found"#]]
    .assert_eq(
        &root.report(&probing, &["System.Runtime", "Microsoft.AspNetCore", "Helper", "Nothing", "../Helper"]),
    );
}

#[test]
fn a_runtime_that_is_not_there_is_replaced_with_a_note() {
    let root = Root::new();
    root.put("dotnet/shared/Microsoft.NETCore.App/10.0.0/System.Runtime.dll");
    root.put("app/App.dll");
    root.write(
        "app/App.runtimeconfig.json",
        r#"{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"6.0.0"}}}"#,
    );
    expect![[r#"
        Microsoft.NETCore.App 10.0.0
        note: Microsoft.NETCore.App 6.0.0 is not installed; using 10.0.0"#]]
    .assert_eq(&root.report(&root.probe("dotnet").unwrap(), &[]));
    root.write(
        "app/App.runtimeconfig.json",
        r#"{"runtimeOptions":{"rollForward":"Major","framework":{"name":"Microsoft.NETCore.App","version":"6.0.0"}}}"#,
    );
    expect!["Microsoft.NETCore.App 10.0.0"].assert_eq(&root.report(&root.probe("dotnet").unwrap(), &[]));
    root.write(
        "app/App.runtimeconfig.json",
        r#"{"runtimeOptions":{"framework":{"name":"Microsoft.WindowsDesktop.App","version":"6.0.0"}}}"#,
    );
    let error = root.probe("dotnet").unwrap_err().to_string();
    let error = error.replace(&*root.folder.path().to_string_lossy(), "");
    expect![
        "framework Microsoft.WindowsDesktop.App 6.0.0 (or a compatible one) is not installed under /dotnet"
    ]
    .assert_eq(&error);
}

#[test]
fn deps_json_says_where_the_application_has_its_files() {
    let root = Root::new();
    root.put("dotnet/shared/Microsoft.NETCore.App/10.0.0/System.Runtime.dll");
    root.put("app/App.dll");
    root.put("app/Flat.dll");
    root.put("app/runtimes/unix/lib/net8.0/Native.dll");
    root.put("app/Native.dll");
    root.put("app/Forgotten.dll");
    root.put("packages/cached/1.0.0/lib/net8.0/Cached.dll");
    let packages = root.folder.path().join("packages");
    root.write(
        "app/App.runtimeconfig.dev.json",
        &format!(r#"{{"runtimeOptions":{{"additionalProbingPaths":[{:?}]}}}}"#, packages.to_string_lossy()),
    );
    root.write(
        "app/App.deps.json",
        r#"{ "runtimeTarget": {"name": ".NETCoreApp,Version=v8.0"}, "targets": { ".NETCoreApp,Version=v8.0": {
            "App/1.0.0": {"runtime": {"App.dll": {}}},
            "Flat/2.0.0": {"runtime": {"lib/net8.0/Flat.dll": {"assemblyVersion": "2.0.0.0"}}},
            "Native/1.0.0": {"runtime": {"lib/net8.0/Native.dll": {}},
                "runtimeTargets": {"runtimes/unix/lib/net8.0/Native.dll": {"rid": "unix", "assetType": "runtime"},
                                   "runtimes/win/lib/net8.0/Native.dll": {"rid": "win", "assetType": "runtime"}}},
            "Cached/1.0.0": {"runtime": {"lib/net8.0/Cached.dll": {}}} } },
           "libraries": {"Cached/1.0.0": {"type": "package", "path": "cached/1.0.0"}} }"#,
    );
    expect![[r#"
        Microsoft.NETCore.App 10.0.0
        App: app/App.dll
        Flat: app/Flat.dll
        Native: app/runtimes/unix/lib/net8.0/Native.dll
        Cached: packages/cached/1.0.0/lib/net8.0/Cached.dll
        Forgotten: app/Forgotten.dll"#]]
    .assert_eq(
        &root.report(&root.probe("dotnet").unwrap(), &["App", "Flat", "Native", "Cached", "Forgotten"]),
    );
    root.write("app/App.deps.json", "{ not json");
    let error = root.probe("dotnet").unwrap_err().to_string();
    assert!(error.contains("App.deps.json: not valid JSON"), "{error}");
}

#[test]
fn a_runtime_may_be_an_executable_a_root_or_a_folder() {
    let toolchain = common::toolchain();
    let version = toolchain.runtime_version();
    for runtime in
        [toolchain.dotnet(), toolchain.runtime_root().to_owned(), toolchain.framework_dir().to_owned()]
    {
        let probing = Probing::for_application(Path::new("x.dll"), Some(&runtime)).unwrap();
        let [framework] = probing.frameworks() else { panic!("{:?}", probing.frameworks()) };
        assert_eq!((framework.name.as_str(), framework.version.as_str()), ("Microsoft.NETCore.App", version));
        assert!(probing.find("System.Private.CoreLib").is_some());
    }
    let error =
        Probing::for_application(Path::new("x.dll"), Some(Path::new("/nowhere"))).unwrap_err().to_string();
    assert!(error.starts_with("/nowhere: no .NET runtime there"), "{error}");
}

/// The newer of two copies wins, as in the host.
#[test]
fn the_application_brings_a_newer_library_than_the_framework() {
    let root = Root::new();
    let text = |version: &str| format!("[assembly: System.Reflection.AssemblyVersion(\"{version}\")]");
    let build = |version: &str| {
        testkit::compile("Lib", &[("Lib.cs", text(version).as_str())], &Options::default()).unwrap()
    };
    let (old, new) = (build("1.0.0.0"), build("2.0.0.0"));
    let framework =
        root.put("dotnet/shared/Microsoft.NETCore.App/10.0.0/System.Runtime.dll").with_file_name("Lib.dll");
    let own = root.put("app/App.dll").with_file_name("Lib.dll");
    fs::copy(&old, &framework).unwrap();
    fs::copy(&new, &own).unwrap();
    assert_eq!(root.probe("dotnet").unwrap().find("Lib"), Some(own.clone()));
    fs::remove_file(&framework).unwrap();
    fs::remove_file(&own).unwrap();
    fs::copy(&new, &framework).unwrap();
    fs::copy(&old, &own).unwrap();
    assert_eq!(root.probe("dotnet").unwrap().find("Lib"), Some(framework));
}

/// A library for .NET Standard finds its types through the facades of .NET 10 and of .NET Core 3.1.
#[test]
fn a_netstandard_library_resolves_through_facades() {
    let source = "using System; using System.Linq; using System.Collections.Generic;
        public class Lib { public int M(List<int> x) => x.Where(y => y > 1).Select(y => Math.Abs(y)).Sum() + x.ToArray().Length;
            public string N() => string.Join(\",\", new SortedSet<Uri>().Select(u => u.ToString())); }";
    let options = Options { framework: Framework::NetStandard21, ..Options::default() };
    let path = testkit::compile("Standard", &[("Standard.cs", source)], &options).unwrap();
    let toolchain = common::toolchain();
    for (runtime, core) in
        [(toolchain.runtime_root().to_owned(), "10."), (toolchain.framework31_dir(), "4.0.0.0")]
    {
        let u = Universe::new(Probing::for_application(&path, Some(&runtime)).unwrap());
        let a = u.load(&path).unwrap();
        let census = common::Census::take(&u, a);
        assert_eq!(census.errors, Vec::<String>::new());
        assert!(census.tokens > 20, "{census:?}");
        let corelib = u.assembly(u.corelib().unwrap());
        assert_eq!(corelib.name(), "System.Private.CoreLib");
        let version = corelib.version().map(|part| part.to_string()).join(".");
        assert!(version.starts_with(core), "{version}");
    }
}

/// A core library of another shape, as Mono has it: everything in `mscorlib`, and facades in a folder of their own.
#[test]
fn a_folder_with_mscorlib_and_facades() {
    let core = include_str!("fixtures/Core.cs");
    let options = |references| Options {
        framework: Framework::None,
        references,
        debug: testkit::Debug::None,
        ..Options::default()
    };
    let mscorlib = testkit::compile("mscorlib", &[("Core.cs", core)], &options(vec![])).unwrap();
    let forward = "[assembly: System.Runtime.CompilerServices.TypeForwardedTo(typeof(System.Object))]
        [assembly: System.Runtime.CompilerServices.TypeForwardedTo(typeof(System.Int32))]
        [assembly: System.Runtime.CompilerServices.TypeForwardedTo(typeof(System.Outer))]";
    let facade = testkit::compile("Facade", &[("F.cs", forward)], &options(vec![mscorlib.clone()])).unwrap();
    let app = "public class App { public System.Outer.Inner Field; public object M(int x) => x; }";
    let direct = testkit::compile("App", &[("App.cs", app)], &options(vec![mscorlib.clone()])).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("Facades")).unwrap();
    fs::copy(&mscorlib, folder.path().join("mscorlib.dll")).unwrap();
    fs::copy(&facade, folder.path().join("Facades/Facade.dll")).unwrap();
    let u = Universe::new(Probing::for_application(&direct, Some(folder.path())).unwrap());
    let a = u.load(&direct).unwrap();
    assert_eq!(u.assembly(u.corelib().unwrap()).name(), "mscorlib");
    assert_eq!(common::Census::take(&u, a).errors, Vec::<String>::new());
    let facade = u.load_by_name("Facade").unwrap().unwrap();
    let outer = u.find_type(facade, "System.Outer+Inner").unwrap().unwrap();
    let field = u.find_field(u.find_type(a, "App").unwrap().unwrap(), "Field").unwrap().unwrap();
    assert_eq!(u.field_type(field).unwrap(), outer);
}

/// What comes with the runtime: by its folder, or beside a core library that the application brings along.
#[test]
fn assemblies_of_the_framework_are_told_from_others() {
    let toolchain = testkit::Toolchain::locate().unwrap();
    let own = testkit::compile("Own", &[("Own.cs", "public class Own { }")], &Options::default()).unwrap();
    let framework = toolchain.framework_dir();
    let folder = tempfile::tempdir().unwrap();
    let put = |file: &Path| {
        let to = folder.path().join(file.file_name().unwrap());
        fs::copy(file, &to).unwrap();
        to
    };
    let app = put(&own);
    let console = put(&framework.join("System.Console.dll"));

    let shared = Universe::new(Probing::for_application(&app, Some(&toolchain.dotnet())).unwrap());
    let is_framework = |universe: &Universe, file: &Path| universe.is_framework(universe.load(file).unwrap());
    assert!(!is_framework(&shared, &app));
    assert!(!is_framework(&shared, &console), "a copy that somebody else may have changed");
    assert!(is_framework(&shared, &framework.join("System.Console.dll")));
    assert!(is_framework(&shared, &toolchain.corelib()));

    put(&toolchain.corelib());
    let contained = Universe::new(Probing::for_application(&app, None).unwrap());
    assert!(!is_framework(&contained, &app));
    assert!(is_framework(&contained, &console));
    assert!(contained.is_framework(contained.corelib().unwrap()));
}
