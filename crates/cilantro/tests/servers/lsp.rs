//! `lsp`: what an editor shows of a build, and of the next one.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::lsp_client::Editor;

pub const SOURCE: &str = r#"namespace Shop
{
    public static class Cart
    {
        public static int Share(int total, int people)
        {
            return total / people;
        }

        public static bool Odd(int x)
        {
            if ((x & 1) == 1) return true;
            return (x & 3) == 3;
        }
    }
}
"#;

/// Puts a build of this source into a folder, beside the source; complete at once, as a copy by name is.
pub fn build(folder: &Path, source: &str) {
    let dll = testkit::compile("Shop", &[("Cart.cs", source)], &testkit::Options::default()).unwrap();
    fs::write(folder.join("Cart.cs"), source).unwrap();
    for extension in ["pdb", "dll"] {
        let (to, part) = (folder.join(format!("Shop.{extension}")), folder.join("part"));
        fs::copy(dll.with_extension(extension), &part).unwrap();
        fs::rename(part, to).unwrap();
    }
}

fn opened(options: &[&str]) -> (TempDir, Editor) {
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), SOURCE);
    let editor = Editor::open(folder.path(), &[&["Shop.dll", "--max-steps", "3000"], options].concat());
    (folder, editor)
}

fn document(folder: &TempDir) -> Value {
    let path = fs::canonicalize(folder.path()).unwrap().join("Cart.cs");
    json!({ "uri": format!("file://{}", path.display()) })
}

#[test]
fn findings_lenses_and_inputs_are_where_the_code_is() {
    let (folder, mut editor) = opened(&[]);
    let told = editor.heard("textDocument/publishDiagnostics");
    assert_eq!(told["uri"], document(&folder)["uri"]);
    let found = told["diagnostics"].as_array().unwrap();
    let zero =
        found.iter().find(|finding| finding["message"].as_str().unwrap().contains("DivideByZero")).unwrap();
    assert_eq!((&zero["severity"], &zero["code"]), (&json!(1), &json!("crash")));
    assert_eq!(
        (&zero["range"]["start"]["line"], &zero["range"]["start"]["character"]),
        (&json!(6), &json!(12))
    );

    let lenses = editor.request("textDocument/codeLens", json!({ "textDocument": document(&folder) }));
    let titles: Vec<&str> =
        lenses.as_array().unwrap().iter().map(|lens| lens["command"]["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["3 tests, 100 % of branches", "2 tests, 100 % of branches"]);

    let at = |line: u32| json!({ "textDocument": document(&folder), "position": { "line": line, "character": 20 } });
    let hover = editor.request("textDocument/hover", at(6));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("DivideByZeroException") && text.contains("people = 0"), "{text}");
    assert!(editor.request("textDocument/hover", at(0)).is_null());
    assert_eq!(editor.close(), Some(0));
}

#[test]
fn actions_explain_prove_and_write() {
    let (folder, mut editor) = opened(&["--no-verify"]);
    editor.heard("textDocument/publishDiagnostics");
    let place = json!({ "line": 11, "character": 0 });
    let asked = json!({ "textDocument": document(&folder), "range": { "start": place, "end": place }, "context": {} });
    let actions = editor.request("textDocument/codeAction", asked);
    let command = |name: &str| {
        let mut commands = actions.as_array().unwrap().iter().map(|action| &action["command"]);
        commands.find(|command| command["command"] == name).unwrap().clone()
    };
    let explained = editor.request("workspace/executeCommand", command("cilantro.explain"));
    assert!(
        explained.as_str().unwrap().contains("Every branch has a test or is proven unreachable"),
        "{explained}"
    );
    let proven = editor.request("workspace/executeCommand", command("cilantro.prove"));
    assert_eq!(proven["report"]["methods"][0]["verdict"], "proven", "{proven}");
    let written = editor.request("workspace/executeCommand", command("cilantro.writeTests"));
    let tests = fs::read_to_string(folder.path().join("Shop.Tests/CartTests.cs")).unwrap();
    assert_eq!(written["tests"], 5, "{written}");
    assert!(tests.contains("Cart.Odd(") && tests.contains("Cart.Share("), "{tests}");
    let unknown = editor.response("workspace/executeCommand", json!({ "command": "guess", "arguments": [] }));
    assert_eq!(unknown["error"]["code"], -32602);
    assert_eq!(editor.response("textDocument/rename", json!({}))["error"]["code"], -32601);
    assert_eq!(editor.close(), Some(0));
}

#[test]
fn a_new_build_is_looked_at() {
    let (folder, mut editor) = opened(&["--cache", "kept"]);
    let before = editor.heard("textDocument/publishDiagnostics");
    assert_eq!(before["diagnostics"].as_array().unwrap().len(), 2, "{before}");
    build(
        folder.path(),
        &SOURCE.replace("return total / people;", "return people > 0 ? total / people : 0;"),
    );
    let after = editor.heard("textDocument/publishDiagnostics");
    assert_eq!(after["diagnostics"], json!([]), "{after}");
    assert!(folder.path().join("kept").is_dir());
    assert_eq!(editor.close(), Some(0));
}

#[test]
fn a_folder_without_a_build_is_said_and_the_server_stays() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = Editor::open(folder.path(), &[]);
    let told = editor.heard("window/showMessage");
    assert!(told["message"].as_str().unwrap().contains("without a project or solution"), "{told}");
    let command = json!({ "command": "cilantro.prove", "arguments": ["Cart.Odd"] });
    let refused = editor.response("workspace/executeCommand", command);
    assert!(refused["error"]["message"].as_str().unwrap().contains("build the project first"), "{refused}");
    assert_eq!(editor.close(), Some(0));
}
