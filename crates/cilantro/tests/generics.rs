//! Generic methods and classes: the comments of `fixtures/types/generics` say what each can do over all type arguments.

#![allow(clippy::unwrap_used)] // a test may fail

mod corpus;

use corpus::Corpus;
use report::Verdict;

#[test]
fn generic_code_is_what_its_comments_say() {
    let generics = Corpus::of("types/generics");
    let generated = generics.generate(&[]);
    generics.check(&generated, 150);
    let tests = std::fs::read_to_string(generated.folder.path().join("TypeSwitchesTests.cs")).unwrap();
    for name in ["void NameOf_OfInt32_ReturnsInt()", "void NameOf_OfColor_ReturnsColor()", "NameOf<Color>()"]
    {
        assert!(tests.contains(name), "{name}: {tests}");
    }
}

/// What does not depend on the type arguments is proven for all of them; what does says which were tried.
#[test]
fn proofs_hold_for_all_type_arguments() {
    let wanted = ["--method", "Option::ValueOr", "--method", "Sequences::IndexOf"];
    let summary = Corpus::of("types/generics").generate(&wanted).summary;
    let method = |name: &str| summary.methods.iter().find(|method| method.id.contains(name)).unwrap();
    let (value_or, index_of) = (method("::ValueOr("), method("::IndexOf<"));
    assert_eq!(value_or.verdict, Verdict::Complete, "{:?}", value_or.incomplete);
    assert_eq!(index_of.verdict, Verdict::Incomplete);
    let tried = index_of.incomplete.iter().find(|i| i.detail.starts_with("only these type arguments"));
    let detail = &tried.unwrap().detail;
    assert!(detail.contains("T = System.Int32; T = System.String"), "{detail}");
}
