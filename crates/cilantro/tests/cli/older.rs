//! Libraries for an older runtime: explored with its class library, replayed and verified on it.

use testkit::{Framework, Options, Toolchain};

use crate::program::{command, ended};

const SOURCE: &str = r#"
using System;
using System.Threading.Tasks;

namespace Old
{
    public static class Tools
    {
        public static int Share(int total, int people) => total / people;

        public static string Shorten(string text, int length) => text.Length <= length ? text : text.Substring(0, length);

        public static int Half(Span<int> numbers) => numbers.Length > 1 ? numbers[1] : -1;

        public static async Task<int> Later(int x)
        {
            await Task.Yield();
            return x > 3 ? 1 : 0;
        }
    }
}
"#;

#[test]
fn a_library_for_the_oldest_runtime() {
    let toolchain = Toolchain::locate().unwrap();
    // Machines that brought their own runtime may have no old one.
    let muxer = Some(toolchain.dotnet31()).filter(|muxer| muxer.is_file());
    let Some(muxer) = testkit::found_or_skip(".NET Core 3.1", muxer) else { return };
    let options = Options { framework: Framework::NetCore31, ..Options::default() };
    let library = testkit::compile("OldTools", &[("Tools.cs", SOURCE)], &options).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut generate = command(["generate"]);
    generate.arg(&library).arg("--runtime").arg(muxer).arg("-o").arg(folder.path());
    let ended = ended(generate.args(["--max-steps", "3000", "--no-cache"]).output().unwrap());
    assert!(ended.stdout.contains("Old.Tools::Share"), "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("System.DivideByZeroException in Old.Tools::Share"), "{}", ended.stdout);
    let tests = std::fs::read_to_string(folder.path().join("ToolsTests.cs")).unwrap();
    for name in ["Share", "Shorten", "Half", "Later"] {
        let called = format!("Tools.{name}(");
        assert!(tests.contains(&called), "no test calls {name}:\n{}{tests}", ended.stdout);
    }
}
