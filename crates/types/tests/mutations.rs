//! Damaged metadata gives errors: no panic, no hang, no runaway recursion. The mutations aim at the tables, where one
//! number makes a class its own base, a struct its own field or a generic type infinite.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::collections::BTreeSet;
use std::time::Instant;

use common::Census;
use random::Random;
use testkit::{Debug, Options};

const SOURCE: &str = "
    public interface I0 { void M(); } public interface I1 : I0 { } public interface I2<T> : I1 { T Get(); } public interface I3<T> : I2<I2<T>> { }
    public class C0 { public virtual object V() => null; } public class C1 : C0, I1 { public override object V() => this; public void M() { } }
    public class C2<T> : C1, I2<T> { public T Get() => default; public C2<C2<T>> Next; public class Nested { public T Deep; public class More { } } }
    public struct S0 { public int A; } public struct S1 { public S0 A; public S0 B; } public struct S2<T> { public T A; public S1 B; } public struct S3 { public S2<S1> A; public S2<object> B; }
    public enum E : short { A = 1, B = 2 }
    [System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)] public struct X { [System.Runtime.InteropServices.FieldOffset(0)] public int A; [System.Runtime.InteropServices.FieldOffset(4)] public S0 B; }
    public delegate T D<in U, out T>(U u);
    public static class G { public static T Call<T, U>(T t, U u) where T : I2<U> { t.Get(); return G.Call<T, U>(t, u); } public static S3 Field; public static int[,] Grid(C2<int[]> c) => c.Next.Next == null ? null : new int[1, 2]; }
";

#[test]
fn damaged_tables_give_errors() {
    let options = Options { debug: Debug::None, ..Options::default() };
    let path = testkit::compile("Damaged", &[("Damaged.cs", SOURCE)], &options).unwrap();
    let original = std::fs::read(path).unwrap();
    let mut seen = BTreeSet::new();
    let start = Instant::now();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Damaged.dll");
    let runtime = common::toolchain().framework_dir().to_owned();
    let damaged =
        random_numbers(&original).chain(other_value_types(&original)).chain(random_bytes(&original));
    for bytes in damaged {
        std::fs::write(&file, &bytes).unwrap();
        let probing = types::Probing::for_application(&file, Some(&runtime)).unwrap();
        let u = types::Universe::new(probing);
        if let Ok(a) = u.load(&file) {
            let census = Census::take(&u, a);
            seen.extend(census.errors.iter().map(|error| kind(error).to_owned()));
        }
        // A mapped file must not be overwritten in place.
        std::fs::remove_file(&file).unwrap();
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    let expected =
        ["depends on itself", "it contains itself", "cannot be loaded", "was not found", "is not", "expands"];
    for kind in expected {
        assert!(seen.contains(kind), "no error of the kind `{kind}` among {seen:?}");
    }
}

/// Some numbers of the tables replaced.
fn random_numbers(original: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let tables = tables_stream(original);
    let mut random = Random::new(0x5eed);
    (0..1_200).map(move |_| {
        let mut bytes = original.to_vec();
        for _ in 0..=random.below(2) {
            let at = tables.start + random.below(tables.len() - 2);
            // Small numbers are rows; multiples of four are type definitions where a reference may stand too.
            let value = [random.below(24) * 4, random.below(24), random.below(256), random.below(8) << 8];
            let value = value[random.below(4)] as u16;
            bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
        }
        bytes
    })
}

/// Some bytes of the metadata replaced: names, signatures, values.
fn random_bytes(original: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let root = original.windows(4).position(|w| w == b"BSJB").unwrap();
    let end = tables_stream(original).end.max(original.len() * 3 / 4);
    let mut random = Random::new(0xb17e);
    (0..500).map(move |_| {
        let mut bytes = original.to_vec();
        for _ in 0..=random.below(4) {
            bytes[root + random.below(end - root)] = random.below(256) as u8;
        }
        bytes
    })
}

/// Every signature of a field with a value type, with each definition of the assembly in its place.
fn other_value_types(original: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let places: Vec<usize> =
        (0..original.len() - 2).filter(|at| original[*at..*at + 2] == [0x06, 0x11]).collect();
    places.into_iter().flat_map(move |at| {
        (1..20u8).map(move |row| {
            let mut bytes = original.to_vec();
            bytes[at + 2] = row << 2;
            bytes
        })
    })
}

/// Errors fall into few kinds by their words.
fn kind(error: &str) -> &str {
    let kinds =
        ["depends on itself", "it contains itself", "expands", "cannot be loaded", "was not found", "is not"];
    kinds.into_iter().find(|kind| error.contains(kind)).unwrap_or("other")
}

/// The range of the `#~` stream.
fn tables_stream(file: &[u8]) -> std::ops::Range<usize> {
    let position = |what: &[u8]| file.windows(what.len()).position(|w| w == what).unwrap();
    let root = position(b"BSJB");
    let header = position(b"#~\0\0") - 8;
    let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let start = root + number(header);
    start..start + number(header + 4)
}
