//! Help texts: what there is, with examples.

use expect_test::{Expect, expect};

use crate::program::cilantro;

fn check(args: &[&str], expected: Expect) {
    let ended = cilantro(args);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    // Empty lines between paragraphs are indented, which no expectation can be.
    let shown: String = ended.stdout.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    expected.assert_eq(&shown);
}

#[test]
fn overview() {
    check(
        &["--help"],
        expect![[r#"
            Tests for every branch of a .NET assembly, the inputs behind every crash, and proofs for the rest.

            Usage: cilantro [OPTIONS] <COMMAND>

            Commands:
              generate     Explore methods, write a test project, replay every test on the real runtime
              check        Explore methods and report only the crashes: exceptions that nobody meant to throw
              reach        Find a test that gets to a place in the code, or prove that none does
              prove        Prove that no exception leaves a method, or find an input with which one does
              merge        Put the parts of a run with `--shard` together: one summary, one test project
              cache        Look after the results that are kept between runs
              replay       Run stored test cases on the real runtime again
              inspect      Show types, layouts, CIL and control flow, or the path behind a test
              run          Run a program in the machine, as `dotnet` would
              explain      Say what a reason for an incomplete answer means, and what you can do about it
              report       Write what a run has found as one HTML page
              init         Find the projects of a folder and write a cilantro.toml for them
              config       Show the settings that count, and where each comes from
              watch        Show what is found in a terminal, again after every build
              lsp          Show findings and coverage in an editor (Language Server Protocol)
              mcp          Answer the questions of a coding assistant (Model Context Protocol)
              completions  Print completions for a shell
              man          Write manual pages into a folder

            Options:
              -h, --help
                      Print help (see a summary with '-h')

              -V, --version
                      Print version

            Common options:
                  --config <FILE>
                      The file with settings [default: cilantro.toml in this folder or the nearest one around
                      it]

                  --no-build
                      Look at what is built already, even if the sources of a project are newer

                  --timeout <TIME>
                      Time for the whole command, replay included: 30, 30s, 5m, 500ms [default: 45s]

                  --jobs <N>
                      Worker threads [default: number of cores]

                  --seed <N>
                      Seed of every random choice

                      [default: 0]

                  --strategy <STRATEGY>
                      Which paths go first: deep ones, wide ones, those that promise new branches, or those
                      nearest to what is missing

                      [default: coverage]
                      [possible values: dfs, bfs, coverage, targeted]

                  --sequences <PERCENT>
                      Part of the effort that looks for public calls which make the objects of tests, in
                      percent; 0: none [default: 10]

                  --solver-timeout <TIME>
                      Time for one question to the solver [default: a third of the method's share]

                  --cross-check[=<SOLVER>]
                      Compare every answer of the solver with an external SMT-LIB solver: its path, or the first
                      of z3, bitwuzla and cvc5 on PATH

                  --max-memory <SIZE>
                      Memory for the whole process: 512M, 4G [default: half of the machine, at most 4G]

                  --max-steps <N>
                      Instructions executed per method, over all paths [default: no limit]

                  --runtime <PATH>
                      The runtime to use: a dotnet executable, a dotnet root, or a folder of framework
                      assemblies

                  --trace <FILE>
                      Write down what the engine does: JSON lines, or, if the name ends in .json, a trace that
                      Perfetto opens

                  --trace-format <FORMAT>
                      The format of the trace, whatever the file is called

                      Possible values:
                      - lines:  One JSON object per line
                      - chrome: The trace event format of Chrome and Perfetto

                  --dump-queries <DIR>
                      Write every question that reaches the core of the solver into a new folder, as SMT-LIB
                      with its answer

                  --dump-all-queries
                      Also the questions that need no search

                  --color <WHEN>
                      Colours: auto follows the terminal and NO_COLOR

                      [default: auto]
                      [possible values: auto, always, never]

              -v, --verbose...
                      Say more (-vv: even more)

              -q, --quiet
                      No progress and no remarks, only the result

            Examples:
              cilantro generate Shop.dll                    write a test project for the library
              cilantro check Shop.dll --type Shop.Cart      list the crashes of its methods
              cilantro reach Shop.dll Cart.cs:42            a test that gets to a line, or a proof
              cilantro prove Shop.dll Cart.Add              a proof that no exception leaves it
              cilantro replay Shop.Tests                    run the stored test cases again
              cilantro inspect Shop.dll --method Cart.Add   show its CIL
              cilantro run App.dll -- --input data.txt      run a program in the machine

            Exit codes: 0 nothing found, 1 findings, 2 usage or internal error, 3 finished but incomplete.
        "#]],
    );
}

#[test]
fn generate() {
    check(
        &["generate", "--help"],
        expect![[r#"
            Explore methods, write a test project, replay every test on the real runtime

            Usage: cilantro generate [OPTIONS] <DLL>

            Arguments:
              <DLL>
                      The compiled assembly; or its project, a solution or a folder, of which what was built is
                      taken

            Options:
                  --type <TYPE>
                      Only this type: Shop.Cart, Cart, Shop.Outer+Inner; may be repeated

                  --method <METHOD>
                      Only this method: Add, Cart.Add, "Shop.Cart::Add(System.Int32)", 0x06000012; may be
                      repeated

                  --namespace <NAMESPACE>
                      Only this namespace and those inside it; may be repeated

                  --internals
                      Explore internal methods as well, as if the tests were friends of the assembly

                  --private
                      Explore every method by itself, private ones too

                  --zone <ZONE>
                      What is covered through these methods and counted: nothing else, the private parts of
                      their types, or those of the whole assembly [default: assembly, or what --method or --type
                      names]

                      [possible values: method, type, assembly]

                  --exclude <PATTERN>
                      Leave this out: a namespace, type or method (Shop.Legacy, "*Dto", Cart.Add) or a source
                      file ("**/Generated/*.cs"); may be repeated, and .cilantroignore has one per line

                  --framework <FRAMEWORK>
                      The test framework of the generated project

                      [default: xunit]
                      [possible values: xunit, nunit, mstest]

                  --mock-library <LIBRARY>
                      What mocks are written with [default: the library that the project in the output folder
                      refers to, else none: small classes in the test file]

                      [possible values: none, moq, nsubstitute]

                  --mocks <WHEN>
                      When made-up classes stand for interfaces, abstract classes and delegates: before real
                      ones, after them, only where there are none, or not at all

                      [possible values: prefer, auto, avoid, never]

                  --assume <WHAT>
                      Take this for granted in proofs: closed-world, unchanged-statics, one-thread,
                      usual-environment, usual-text, usual-inputs, memory-layout, finished-objects,
                      type-arguments, models; several with commas

                  --no-theories
                      Write a test for each case, also where tests differ in plain values only

                  --no-verify
                      Write the tests without compiling and running them first

                  --dry-run
                      Write nothing: list the files that would be written, and what would become of those that
                      are there

                  --diff
                      The same, with the lines of C# that would change

              -o, --output <DIR>
                      Where to write the test project [default: ./<assembly>.Tests]

                  --cache <DIR>
                      The folder in which results are kept for the next run [default: .cilantro/cache]

                  --no-cache
                      Neither use results of earlier runs nor keep any

                  --cache-size <SIZE>
                      Size of the folder, beyond which the results that were not used for longest are given up
                      [default: 1G]

                  --shard <K/N>
                      Explore only the k-th of n parts of the methods, and write what was found into a folder
                      for `merge`

                  --format <FORMAT>
                      How to print the result

                      Possible values:
                      - text
                      - json
                      - sarif:    SARIF 2.1.0, for code scanning
                      - github:   Annotations of GitHub Actions
                      - gitlab:   Code Quality of GitLab
                      - junit
                      - markdown: A page for the summary of a job

                      [default: text]

                  --report <FORMAT=FILE>
                      Write the result into a file as well: sarif=out.sarif, junit=out.xml; formats as above,
                      and for `generate` cobertura and lcov; may be repeated

                  --source-root <DIR>
                      The root of your source tree: paths of the build are looked for in it, and reports name
                      files from there on [default: the current folder]

              -h, --help
                      Print help (see a summary with '-h')

              -V, --version
                      Print version

            Findings:
                  --all
                      List every exception: also what is refused by design or is misuse, and inputs that no
                      public way is known to

                  --fail-on <KIND>
                      Which exceptions end in exit code 1; several with commas. `any` is every exception,
                      whatever its inputs are made by

                      Possible values:
                      - crash:   The runtime raises it in the assembly's own code
                      - refused: The code throws it itself, or a check of the framework's arguments does
                      - misuse:  For inputs that the declarations rule out
                      - any
                      - none

                      [default: crash]

                  --baseline <FILE>
                      Hide the findings that this file lists

                  --write-baseline <FILE>
                      Write the findings of this run into a file for --baseline

            Common options:
                  --config <FILE>
                      The file with settings [default: cilantro.toml in this folder or the nearest one around
                      it]

                  --no-build
                      Look at what is built already, even if the sources of a project are newer

                  --timeout <TIME>
                      Time for the whole command, replay included: 30, 30s, 5m, 500ms [default: 45s]

                  --jobs <N>
                      Worker threads [default: number of cores]

                  --seed <N>
                      Seed of every random choice

                      [default: 0]

                  --strategy <STRATEGY>
                      Which paths go first: deep ones, wide ones, those that promise new branches, or those
                      nearest to what is missing

                      [default: coverage]
                      [possible values: dfs, bfs, coverage, targeted]

                  --sequences <PERCENT>
                      Part of the effort that looks for public calls which make the objects of tests, in
                      percent; 0: none [default: 10]

                  --solver-timeout <TIME>
                      Time for one question to the solver [default: a third of the method's share]

                  --cross-check[=<SOLVER>]
                      Compare every answer of the solver with an external SMT-LIB solver: its path, or the first
                      of z3, bitwuzla and cvc5 on PATH

                  --max-memory <SIZE>
                      Memory for the whole process: 512M, 4G [default: half of the machine, at most 4G]

                  --max-steps <N>
                      Instructions executed per method, over all paths [default: no limit]

                  --runtime <PATH>
                      The runtime to use: a dotnet executable, a dotnet root, or a folder of framework
                      assemblies

                  --trace <FILE>
                      Write down what the engine does: JSON lines, or, if the name ends in .json, a trace that
                      Perfetto opens

                  --trace-format <FORMAT>
                      The format of the trace, whatever the file is called

                      Possible values:
                      - lines:  One JSON object per line
                      - chrome: The trace event format of Chrome and Perfetto

                  --dump-queries <DIR>
                      Write every question that reaches the core of the solver into a new folder, as SMT-LIB
                      with its answer

                  --dump-all-queries
                      Also the questions that need no search

                  --color <WHEN>
                      Colours: auto follows the terminal and NO_COLOR

                      [default: auto]
                      [possible values: auto, always, never]

              -v, --verbose...
                      Say more (-vv: even more)

              -q, --quiet
                      No progress and no remarks, only the result

            Examples:
              cilantro generate Shop.dll
              cilantro generate Shop.dll --type Shop.Cart --framework nunit -o tests/Shop.Tests
              cilantro generate Shop.dll --method Cart.Add --method Cart.Remove --timeout 5m
        "#]],
    );
}

#[test]
fn every_command_has_an_example() {
    for command in ["generate", "check", "replay", "inspect", "run"] {
        for flag in ["-h", "--help"] {
            let help = cilantro([command, flag]).stdout;
            assert!(help.contains(&format!("  cilantro {command} ")), "{command} {flag}:\n{help}");
        }
    }
}

#[test]
fn wrong_usage_is_exit_code_2_and_nothing_on_stdout() {
    let wrong: [&[&str]; 7] = [
        &[],
        &["generat", "x.dll"],
        &["generate"],
        &["check", "x.dll", "--timeout", "soon"],
        &["check", "x.dll", "--jobs", "0"],
        &["check", "x.dll", "-q", "-v"],
        &["generate", "x.dll", "--framework", "junit"],
    ];
    for args in wrong {
        let ended = cilantro(args);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(!ended.stderr.is_empty());
    }
}

#[test]
fn version() {
    check(
        &["--version"],
        expect![[r#"
        cilantro 0.1.0
    "#]],
    );
}
