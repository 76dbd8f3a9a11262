//! A short attack for every run of the tests, and one on claims that are planted: a false proof is found.

#![allow(clippy::unwrap_used)] // a test may fail

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use attack::{Attack, Exploring, claims_of, fixtures};
use cil::Module;
use engine::Claim;
use engine::parts::Edge;

/// The claims are about these; a whole round takes an hour of `cargo xtask attack`.
const SHORT: [&str; 4] = ["explore", "heap", "misjudged/language", "misjudged/identity"];

#[test]
fn nothing_that_is_claimed_of_the_fixtures_is_refuted() {
    let all = fixtures().unwrap();
    let mut called = 0;
    for library in all.iter().filter(|library| SHORT.contains(&library.name.as_str())) {
        let exploring = Exploring { steps: 3_000, time: Duration::from_secs(60) };
        let claims = claims_of(&library.path, exploring).unwrap();
        let time = Duration::from_secs(10);
        let report = Attack { library: &library.path, claims: &claims, seed: 1, time }.run().unwrap();
        assert!(report.broken.is_empty(), "{}: {:#?}", library.name, report.broken);
        called += report.called;
    }
    assert!(called > 50, "only {called} methods were called");
}

const SUBJECT: &str = r#"
using System;
using System.Collections.Generic;
using System.Globalization;

public class Shape { public virtual int Sides() => 4; }

public static class Planted
{
    public static int Constant(int x) { if (x == 123456) return 1; return 2; }
    public static int Text(string s) { if (s == "needle") return 1; return 2; }
    public static int Subclass(Shape shape) { if (shape != null && shape.Sides() != 4) return 1; return 2; }
    public static int Same(int[] a, int[] b) { if (a != null && a == b) return 1; return 2; }
    public static int Overlap(Span<int> a, Span<int> b) { if (a.Overlaps(b)) return 1; return 2; }
    public static int Places(ref int a, ref int b) { a = 1; b = 2; if (a == 2) return 1; return 2; }
    public static int Sign(int x) { if (x == -1 && x.ToString() != "-1") return 1; return 2; }
    public static int Settings() { if (Level != 0) return 1; return 2; }
    public static int Level;
    public static int Callback(Func<int> f) { if (f != null && f() == 7) return 1; return 2; }
    public static int Room(List<int> list) { if (list != null && list.Capacity > list.Count) return 1; return 2; }
    public static int Kinds<T>() { if (typeof(T) == typeof(string)) return 1; return 2; }
    public static int Truly(int x) { if ((x & 1) > 1) return 1; return 2; }
    public static int Divides(int x) => 100 / x;
    public static int First(string s) => s == null ? 0 : s[0];
}
"#;

/// As if everything was proven: every method complete, no exception, no branch reachable.
#[test]
fn planted_claims_are_refuted() {
    let path =
        testkit::compile("PlantedClaims", &[("Planted.cs", SUBJECT)], &testkit::Options::default()).unwrap();
    let claims = planted(&path);
    let report =
        Attack { library: &path, claims: &claims, seed: 7, time: Duration::from_secs(20) }.run().unwrap();
    let refuted = |name: &str, what: &str| {
        let is_it = |broken: &&attack::Broken| broken.method == name && broken.what.contains(what);
        report.broken.iter().filter(is_it).count()
    };
    let both = [
        "Constant", "Text", "Subclass", "Same", "Overlap", "Places", "Settings", "Callback", "Room", "Kinds",
    ];
    for name in both {
        assert!(refuted(name, "is reached") >= 2, "{name}: {:#?}", report.broken);
    }
    if testkit::icu().is_some() {
        assert!(refuted("Sign", "is reached") >= 2, "{:#?}", report.broken);
    }
    assert_eq!(refuted("Truly", "is reached"), 1, "one branch is truly dead");
    assert_eq!(refuted("Divides", "System.DivideByZeroException"), 1);
    assert_eq!(refuted("First", "System.IndexOutOfRangeException"), 1);
    assert!(report.lost.is_empty() && report.uncalled.is_empty(), "{report:#?}");
}

fn planted(path: &Path) -> Vec<Claim> {
    let module = Module::open(path).unwrap();
    let mut claims = Vec::new();
    for method in module.method_defs() {
        let row = module.method_def(method).unwrap();
        let Some(body) = module.method_body(method).unwrap() else { continue };
        let token = method.token().raw();
        let edges = instrument::edges(&body).unwrap().into_iter();
        claims.push(Claim {
            method: row.name.to_owned(),
            token,
            is_complete: true,
            exceptions: BTreeSet::new(),
            unreachable: edges.map(|edge| (token, Edge { from: edge.from, to: edge.to })).collect(),
        });
    }
    claims.retain(|claim| claim.method != ".ctor" && claim.method != "Sides");
    claims
}
