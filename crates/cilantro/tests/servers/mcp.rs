//! `mcp`: what is asked, what is answered, and what may not be asked.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::library::shop;
use crate::mcp_client::{Client, Start};

fn folder_of(dll: &Path) -> &Path {
    dll.parent().unwrap()
}

/// A client of a server that works in the folder of the library.
fn client(options: &[&str]) -> Client {
    Client::start(Start { folder: Some(folder_of(&shop())), options, ..Start::default() })
}

/// Asks, and compares the answer with the schema that the server promised.
fn checked(client: &mut Client, tool: &str, arguments: Value) -> Value {
    let listed = client.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let promised = tools.iter().find(|listed| listed["name"] == tool).unwrap();
    let inputs = jsonschema::validator_for(&promised["inputSchema"]).unwrap();
    assert!(inputs.is_valid(&arguments), "{tool}: {arguments}");
    let answer = client.call(tool, arguments);
    let outputs = jsonschema::validator_for(&promised["outputSchema"]).unwrap();
    let errors: Vec<String> = outputs.iter_errors(&answer).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{tool}: {errors:#?}\n{answer}");
    answer
}

#[test]
fn tools_are_listed_with_what_they_take_and_give() {
    let mut client = client(&[]);
    let listed = client.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let expected = ["generate_tests", "what_can_crash", "can_reach", "prove", "why_open", "explain_test"];
    assert_eq!(names, expected);
    for tool in tools {
        assert!(tool["description"].as_str().is_some_and(|text| text.len() > 40), "{tool}");
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        for schema in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[schema]["type"], "object", "{tool}");
            assert!(jsonschema::validator_for(&tool[schema]).is_ok(), "{tool}");
        }
    }
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn tests_and_crashes() {
    let mut client = client(&["--max-steps", "5000"]);
    let asked =
        json!({ "assembly": "Shop.dll", "method": "Cart.Odd", "verify": false, "framework": "nunit" });
    let answer = checked(&mut client, "generate_tests", asked);
    let method = &answer["methods"][0];
    assert_eq!(
        (&method["verdict"], &method["coverage"]["proven_unreachable_branches"]),
        (&json!("complete"), &json!(1))
    );
    assert_eq!(method["tests"].as_array().unwrap().len(), 2, "{answer}");
    let files = answer["files"].as_array().unwrap();
    let tests = files.iter().find(|file| file["path"] == "CartTests.cs").unwrap()["text"].as_str().unwrap();
    assert!(tests.contains("NUnit.Framework") && tests.contains("Cart.Odd("), "{tests}");
    assert!(!folder_of(&shop()).join("Shop.Tests").exists(), "nothing is written");

    let answer =
        checked(&mut client, "what_can_crash", json!({ "assembly": "Shop.dll", "type": "Shop.Cart" }));
    let findings = answer["findings"].as_array().unwrap();
    let zero =
        findings.iter().find(|finding| finding["exception"] == "System.DivideByZeroException").unwrap();
    let inputs = zero["inputs"].as_array().unwrap();
    assert!(inputs.iter().any(|input| input["name"] == "people" && input["value"] == "0"), "{zero}");
    assert_eq!((&zero["replayed"], &answer["is_everything"]), (&json!(true), &json!(true)), "{answer}");
    // Another overload of division by zero: int.MinValue / -1.
    assert_eq!(findings.len(), 2, "{answer}");
}

#[test]
fn places_proofs_and_reasons() {
    let mut client = client(&["--max-steps", "3000"]);
    let reach = |location: &str| json!({ "assembly": "Shop.dll", "location": location });
    let answer = checked(&mut client, "can_reach", reach("Cart.cs:13"));
    assert_eq!(answer["answer"]["locations"][0]["verdict"], "reached", "{answer}");
    assert!(
        answer["files"].as_array().unwrap().iter().any(|file| file["path"] == "CartTests.cs"),
        "{answer}"
    );
    let answer = checked(&mut client, "can_reach", reach("exception OverflowException in Cart.Add"));
    assert_eq!(answer["answer"]["locations"][0]["verdict"], "unreachable", "{answer}");

    let proof = |method: &str| json!({ "assembly": "Shop.dll", "method": method });
    let answer = checked(&mut client, "prove", proof("Cart.Odd"));
    assert_eq!(answer["methods"][0]["verdict"], "proven", "{answer}");
    let answer = checked(&mut client, "prove", proof("Cart.Share"));
    assert_eq!(answer["methods"][0]["verdict"], "refuted", "{answer}");

    let asked = json!({ "assembly": "Shop.dll", "method": "Endless.Collatz" });
    let answer = checked(&mut client, "why_open", asked);
    let reasons = answer["methods"][0]["reasons"].as_array().unwrap();
    assert!(reasons.iter().any(|why| why["reason"] == "step_limit"), "{answer}");
    assert!(reasons.iter().all(|why| !why["what_to_do"].as_array().unwrap().is_empty()), "{answer}");
}

#[test]
fn tests_on_disk_are_explained() {
    let out = tempfile::tempdir().unwrap();
    let runtime = testkit::Toolchain::locate().unwrap().runtime_root().to_owned();
    let mut generate = Command::new(env!("CARGO_BIN_EXE_cilantro"));
    generate.arg("generate").arg(shop()).args([
        "--method",
        "Cart.Odd",
        "--no-verify",
        "-o",
        "T",
        "--runtime",
    ]);
    assert!(generate.arg(runtime).current_dir(out.path()).output().unwrap().status.success());
    let mut client = Client::start(Start { folder: Some(out.path()), ..Start::default() });
    let test = "Odd_ReturnsTrue";
    let answer = checked(&mut client, "explain_test", json!({ "folder": "T", "test": test }));
    let explained = &answer["tests"][0];
    assert_eq!(explained["path"]["method"], "Shop.Cart::Odd(System.Int32)");
    assert!(explained["code"].as_str().unwrap().contains(test), "{answer}");
    let why = client.refused("explain_test", json!({ "folder": "T", "test": "Even" }));
    assert!(why.contains("no test") && why.contains("is called Even"), "{why}");
}

#[test]
fn only_what_is_below_a_root_is_looked_at() {
    let (dll, elsewhere) = (shop(), tempfile::tempdir().unwrap());
    let asked = |path: &Path| json!({ "assembly": path, "method": "Cart.Odd" });
    // Without roots it is the current directory.
    let mut client = Client::start(Start { folder: Some(elsewhere.path()), ..Start::default() });
    assert!(client.refused("prove", asked(&dll)).contains("is not below a root"));
    assert!(!client.was_asked_for_roots());
    // The client names them.
    let roots = |root: &Path| Some(vec![root.to_owned()]);
    let start =
        |roots: Option<Vec<PathBuf>>| Start { folder: Some(elsewhere.path()), roots, ..Start::default() };
    let mut client = Client::start(start(roots(folder_of(&dll))));
    assert_eq!(client.call("prove", asked(&dll))["methods"][0]["verdict"], "proven");
    assert!(client.was_asked_for_roots());
    let mut client = Client::start(start(roots(elsewhere.path())));
    assert!(client.refused("prove", asked(&dll)).contains("is not below a root"));
    assert!(
        client
            .refused("explain_test", json!({ "folder": folder_of(&dll), "test": "x" }))
            .contains("below a root")
    );
    // The user names them, whatever the client says.
    let root = folder_of(&dll).display().to_string();
    let mut client = Client::start(Start { options: &["--root", &root], ..start(roots(elsewhere.path())) });
    assert_eq!(client.call("prove", asked(Path::new("Shop.dll")))["methods"][0]["verdict"], "proven");
    assert!(!client.was_asked_for_roots());
}

#[test]
fn questions_that_make_no_sense_get_a_sentence() {
    let mut client = client(&[]);
    let why = client.refused("prove", json!({ "assembly": "Shop.dll", "method": "Cart.Odds" }));
    assert!(why.contains("did you mean Shop.Cart::Odd"), "{why}");
    let why = client.refused("prove", json!({ "assembly": "Shop.dll", "metod": "Cart.Odd" }));
    assert!(why.contains("there is no argument `metod`; there are") && why.contains("method"), "{why}");
    let why = client.refused("prove", json!({ "assembly": "Shop.dll" }));
    assert!(why.contains("missing field `method`"), "{why}");
    let why = client.refused("can_reach", json!({ "assembly": "Shop.dll", "location": "Cart.cs:2" }));
    assert!(why.contains("did you mean"), "{why}");
    let asked = json!({ "assembly": "Shop.dll", "method": "Cart.Odd", "only": ["nul"] });
    let why = client.refused("prove", asked);
    assert!(why.contains("there is no kind `nul`"), "{why}");
    let response = client.request("tools/call", json!({ "name": "guess", "arguments": {} }));
    assert_eq!(response["error"]["code"], -32602, "{response}");
}

/// Starts a question that does not end by itself, and waits until it is under way.
fn endless(client: &mut Client) -> u64 {
    let arguments = json!({ "assembly": "Shop.dll", "method": "Endless.Collatz", "timeout_seconds": 600 });
    let meta = json!({ "progressToken": "slow" });
    let id = client.ask("tools/call", json!({ "name": "why_open", "arguments": arguments, "_meta": meta }));
    let note = client.next();
    assert_eq!(
        (&note["method"], &note["params"]["progressToken"]),
        (&json!("notifications/progress"), &json!("slow"))
    );
    id
}

#[test]
fn progress_is_told_and_a_question_can_be_taken_back() {
    let mut client = client(&["--timeout", "10m"]);
    let id = endless(&mut client);
    let more = client.next();
    assert!(more["params"]["message"].as_str().is_some_and(|text| text.contains("methods")), "{more}");
    client.send(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }),
    );
    // The next one waits for its turn, so the first has ended; `response` complains if that is answered after all.
    let answer = client.call("prove", json!({ "assembly": "Shop.dll", "method": "Cart.Odd" }));
    assert_eq!(answer["methods"][0]["verdict"], "proven");
    let passed: Vec<f64> =
        client.notes.iter().filter_map(|note| note["params"]["progress"].as_f64()).collect();
    assert!(passed.len() >= 2 && passed.is_sorted_by(|a, b| a < b), "{passed:?}");
}

#[test]
fn a_server_whose_client_goes_away_ends() {
    let mut client = client(&["--timeout", "10m"]);
    endless(&mut client);
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn time_is_bounded_by_the_user() {
    let mut client = client(&["--timeout", "1s"]);
    let asked = json!({ "assembly": "Shop.dll", "method": "Endless.Collatz", "timeout_seconds": 600 });
    let answer = client.call("why_open", asked);
    let reasons = answer["methods"][0]["reasons"].to_string();
    assert!(reasons.contains("timeout"), "{answer}");
}
