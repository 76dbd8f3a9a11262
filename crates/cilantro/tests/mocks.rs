//! Services, callbacks and handlers that no class of the assembly implements: the comments of `fixtures/types/mocks` say
//! what each method can do, and the tests with mocks cover every branch.

#![allow(clippy::unwrap_used)] // a test may fail

mod corpus;

use corpus::Corpus;
use testkit::{Options, Source, Toolchain};

#[test]
fn methods_over_services_are_what_their_comments_say() {
    let services = Corpus::of("types/mocks");
    services.check(&services.generate(&[]), 160);
}

/// Against stand-ins of the libraries, which have their signatures and do nothing.
#[test]
fn tests_with_mocking_libraries_compile() {
    let services = Corpus::of("types/mocks");
    let nunit = Toolchain::locate().unwrap().nunit_framework().unwrap();
    for (library, standin) in [
        ("moq", include_str!("../../csharp/tests/standins/Moq.cs")),
        ("nsubstitute", include_str!("../../csharp/tests/standins/NSubstitute.cs")),
    ] {
        let generated = services.generate(&["--mock-library", library]);
        let files = testkit::csharp_files(generated.folder.path()).unwrap();
        let mut sources: Vec<Source> = files.iter().map(Source::from).collect();
        sources.push(Source::text("Library.cs", standin));
        let references = vec![nunit.clone(), services.dll.clone()];
        let options =
            Options { references, arguments: vec!["-warnaserror+".to_owned()], ..Options::default() };
        testkit::compile(&format!("Mocks{library}"), &sources, &options).unwrap();
    }
}
