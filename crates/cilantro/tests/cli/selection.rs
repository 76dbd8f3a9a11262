//! `--type`, `--method`, `--namespace` and what is said when nothing fits.

use expect_test::{Expect, expect};

use crate::library::shop;
use crate::program::{ask, cilantro};

fn ids(selection: &[&str]) -> Vec<String> {
    let options = [&["--format", "json", "--timeout", "2s"], selection].concat();
    let ended = ask("check", &shop(), &options);
    let summary: report::Summary = serde_json::from_str(&ended.stdout)
        .unwrap_or_else(|error| panic!("{error}: {} {}", ended.stdout, ended.stderr));
    summary.methods.into_iter().map(|m| m.id).collect()
}

fn refused(selection: &[&str], expected: Expect) {
    let ended = ask("generate", &shop(), selection);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{selection:?}");
    assert_eq!(ended.stderr.lines().count(), 1);
    expected.assert_eq(&ended.stderr);
}

#[test]
fn everything_is_explored_in_the_order_of_the_file() {
    expect![[r#"
        Shop.Cart::Add(System.Int32,System.Int32)
        Shop.Cart::Share(System.Int32,System.Int32)
        Shop.Cart::Odd(System.Int32)
        Shop.Point::Sum()
        Shop.Loops.Endless::Collatz(System.UInt32)
        Shop.Point+Inner::Twice()"#]]
    .assert_eq(&ids(&[]).join("\n"));
}

#[test]
fn options_may_be_repeated_and_narrow_each_other() {
    let twice = ids(&["--method", "Cart.Add", "--method", "Shop.Point+Inner::Twice()"]);
    assert_eq!(twice, ["Shop.Cart::Add(System.Int32,System.Int32)", "Shop.Point+Inner::Twice()"]);
    assert_eq!(ids(&["--type", "Point"]), ["Shop.Point::Sum()"]);
    assert_eq!(ids(&["--namespace", "Shop.Loops"]), ["Shop.Loops.Endless::Collatz(System.UInt32)"]);
    assert_eq!(ids(&["--type", "Cart", "--method", "Odd"]), ["Shop.Cart::Odd(System.Int32)"]);
}

#[test]
fn unknown_names_get_the_nearest() {
    refused(
        &["--method", "Cart.Shere"],
        expect![[r#"
        error: method `Cart.Shere` was not found in Shop.dll; did you mean Shop.Cart::Share(System.Int32,System.Int32)?
    "#]],
    );
    refused(
        &["--type", "Shop.Card"],
        expect![[r#"
        error: type `Shop.Card` was not found in Shop.dll; did you mean Shop.Cart?
    "#]],
    );
    refused(
        &["--namespace", "Shoop"],
        expect![[r#"
        error: namespace `Shoop` was not found in Shop.dll; did you mean Shop?
    "#]],
    );
    refused(
        &["--type", "Cart", "--method", "Twice"],
        expect![[r#"
        error: no method of Shop.dll fits the selection
    "#]],
    );
}

#[test]
fn a_runtime_that_is_none() {
    let ended = cilantro(["check".as_ref(), shop().as_os_str(), "--runtime".as_ref(), "/nowhere".as_ref()]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    expect![[r#"
        error: /nowhere: no .NET runtime there: expected a dotnet executable, a dotnet root or a folder of framework assemblies
    "#]].assert_eq(&ended.stderr);
}
