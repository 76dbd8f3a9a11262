//! `inspect` as a user sees it: one small library, every view.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;

use cilantro::args::InspectFormat;
use cilantro::inspect::{Options, show};
use engine::Selection;
use expect_test::{Expect, expect};
use testkit::Toolchain;
use types::{Probing, Universe};

const SOURCE: &str = r#"using System;
namespace Shop
{
    public interface IPriced { int Price(int amount); string Label() => "priced"; }
    public struct Point { public byte X; public int Y; }
    public enum Color : byte { Red, Green }
    public class Item : IPriced
    {
        public string Name;
        protected bool sold;
        public static int Count;
        public virtual int Price(int amount) => amount switch { 0 => 1, 1 => 5, 2 => 7, _ => 100 / amount };
    }
    public sealed class Gift : Item
    {
        byte wrap;
        Point where;
        public override int Price(int amount)
        {
            int total = 0;
            try
            {
                if (amount > 10) total = base.Price(amount);
            }
            catch (DivideByZeroException)
            {
                Console.WriteLine("free \"gift\"");
            }
            return total + where.Y;
        }
    }
    public class Box<T> { public T Value; }
    static class Tools { public static extern int Native(int x); }
}
"#;

#[test]
fn the_assembly() {
    check(
        &[],
        &[],
        Options { cfg: false, format: InspectFormat::Text },
        expect![[r#"
        Inspected 0.0.0.0
          file       <app>/Inspected.dll
          symbols    yes
          framework  Microsoft.NETCore.App <version>  <framework>

        References
          System.Private.CoreLib  <assembly version>  ->  <assembly version>  <framework>/System.Private.CoreLib.dll
          System.Console          <assembly version>  ->  <assembly version>  <framework>/System.Console.dll

        Types (7)
          interface     Shop.IPriced            0 fields, 2 methods
          struct        Shop.Point    8 bytes   2 fields, 0 methods
          enum          Shop.Color    1 bytes   3 fields, 0 methods
          class         Shop.Item     9 bytes   3 fields, 2 methods
          class         Shop.Gift     20 bytes  2 fields, 2 methods
          class         Shop.Box`1              1 fields, 1 methods
          static class  Shop.Tools              0 fields, 1 methods
    "#]],
    );
}

#[test]
fn a_type() {
    check(
        &["Gift"],
        &[],
        Options { cfg: false, format: InspectFormat::Text },
        expect![[r#"
        public sealed class Shop.Gift : Shop.Item  0x02000006
          20 bytes, aligned to 8, auto layout, holds references

          Fields
            offset  size  name   type
            0       8     Name   System.String   from Shop.Item
            8       1     sold   System.Boolean  from Shop.Item
            9       1     wrap   System.Byte
            12      8     where  Shop.Point

          Virtual slots
            0  System.Object::Finalize()
            1  System.Object::ToString()
            2  System.Object::Equals(System.Object)
            3  System.Object::GetHashCode()
            4  Shop.Item::Price(System.Int32)        -> Shop.Gift::Price(System.Int32)

          Interfaces
            Shop.IPriced
              Shop.IPriced::Price(System.Int32)  -> Shop.Gift::Price(System.Int32)
              Shop.IPriced::Label()              -> Shop.IPriced::Label()

          Methods
            0x06000005  public virtual  Price(System.Int32)  44 bytes  Inspected.cs:20
            0x06000006  public          .ctor()              7 bytes
    "#]],
    );
    check(
        &["Point", "Box"],
        &[],
        Options { cfg: false, format: InspectFormat::Text },
        expect![[r#"
        public struct Shop.Point : System.ValueType  0x02000003
          8 bytes, aligned to 4, sequential layout

          Fields
            offset  size  name  type
            0       1     X     System.Byte
            4       4     Y     System.Int32

          Virtual slots
            0  System.Object::Finalize()
            1  System.Object::ToString()             -> System.ValueType::ToString()
            2  System.Object::Equals(System.Object)  -> System.ValueType::Equals(System.Object)
            3  System.Object::GetHashCode()          -> System.ValueType::GetHashCode()

        public class Shop.Box`1 <T> : System.Object  0x02000007

          Fields
            offset  size  name   type
                          Value  T

          Virtual slots
            0  System.Object::Finalize()
            1  System.Object::ToString()
            2  System.Object::Equals(System.Object)
            3  System.Object::GetHashCode()

          Methods
            0x06000007  public  .ctor()  7 bytes
    "#]],
    );
}

#[test]
fn a_method() {
    check(
        &[],
        &["Gift.Price"],
        Options { cfg: false, format: InspectFormat::Text },
        expect![[r#"
        Shop.Gift::Price(System.Int32)  0x06000005
          public virtual System.Int32 Price(System.Int32 amount)
          44 bytes of CIL, stack of 2
          locals
            0: System.Int32 total

          // Inspected.cs:20
            IL_0000  ldc.i4.0
            IL_0001  stloc.0      (total)
          // Inspected.cs:23
            IL_0002  ldarg.1      (amount)
            IL_0003  ldc.i4.s     10
            IL_0005  ble.s        IL_000f
          // Inspected.cs:23
            IL_0007  ldarg.0      (this)
            IL_0008  ldarg.1      (amount)
            IL_0009  call         Shop.Item::Price(System.Int32)
            IL_000e  stloc.0      (total)
          // Inspected.cs:24
            IL_000f  leave.s      IL_001e
          // Inspected.cs:25
            IL_0011  pop
          // Inspected.cs:27
            IL_0012  ldstr        "free \"gift\""
            IL_0017  call         System.Console::WriteLine(System.String)
          // Inspected.cs:28
            IL_001c  leave.s      IL_001e
          // Inspected.cs:29
            IL_001e  ldloc.0      (total)
            IL_001f  ldarg.0      (this)
            IL_0020  ldflda       Shop.Gift::where
            IL_0025  ldfld        Shop.Point::Y
            IL_002a  add
            IL_002b  ret

          try IL_0002..IL_0011 catch System.DivideByZeroException IL_0011..IL_001e
    "#]],
    );
    check(
        &[],
        &["IPriced.Price", "Native"],
        Options { cfg: false, format: InspectFormat::Text },
        expect![[r#"
        Shop.IPriced::Price(System.Int32)  0x06000001
          public abstract System.Int32 Price(System.Int32 amount)
          no body

        Shop.Tools::Native(System.Int32)  0x06000008
          public static System.Int32 Native(System.Int32 x)
          no body
    "#]],
    );
}

#[test]
fn a_graph() {
    check(
        &[],
        &["Gift.Price"],
        Options { cfg: true, format: InspectFormat::Text },
        expect![[r#"
        Shop.Gift::Price(System.Int32)  0x06000005
          block 0
            // Inspected.cs:20
            IL_0000  ldc.i4.0
            IL_0001  stloc.0      (total)
            -> block 1
          block 1
            // Inspected.cs:23
            IL_0002  ldarg.1      (amount)
            IL_0003  ldc.i4.s     10
            IL_0005  ble.s        IL_000f
            -> block 3  taken
            -> block 2  else
          block 2
            // Inspected.cs:23
            IL_0007  ldarg.0      (this)
            IL_0008  ldarg.1      (amount)
            IL_0009  call         Shop.Item::Price(System.Int32)
            IL_000e  stloc.0      (total)
            -> block 3
            -> block 4  exception
          block 3
            // Inspected.cs:24
            IL_000f  leave.s      IL_001e
            -> block 5  leave
          block 4  try IL_0002..IL_0011 catch System.DivideByZeroException IL_0011..IL_001e
            // Inspected.cs:25
            IL_0011  pop
            IL_0012  ldstr        "free \"gift\""
            IL_0017  call         System.Console::WriteLine(System.String)
            IL_001c  leave.s      IL_001e
            -> block 5  leave
          block 5
            // Inspected.cs:29
            IL_001e  ldloc.0      (total)
            IL_001f  ldarg.0      (this)
            IL_0020  ldflda       Shop.Gift::where
            IL_0025  ldfld        Shop.Point::Y
            IL_002a  add
            IL_002b  ret
    "#]],
    );
    check(
        &[],
        &["Item.Price"],
        Options { cfg: true, format: InspectFormat::Dot },
        expect![[r#"
        digraph cfg {
          node [shape=box, fontname="monospace", fontsize=10];
          edge [fontname="monospace", fontsize=9];
          subgraph cluster_0 {
            label="Shop.Item::Price(System.Int32)";
            m0_b0 [label="block 0  IL_0000  Inspected.cs:12\lIL_0000  ldarg.1      (amount)\lIL_0001  switch       (IL_0014, IL_0018, IL_001c)\l"];
            m0_b1 [label="block 1  IL_0012  Inspected.cs:12\lIL_0012  br.s         IL_0020\l"];
            m0_b2 [label="block 2  IL_0014  Inspected.cs:12\lIL_0014  ldc.i4.1\lIL_0015  stloc.0\lIL_0016  br.s         IL_0025\l"];
            m0_b3 [label="block 3  IL_0018  Inspected.cs:12\lIL_0018  ldc.i4.5\lIL_0019  stloc.0\lIL_001a  br.s         IL_0025\l"];
            m0_b4 [label="block 4  IL_001c  Inspected.cs:12\lIL_001c  ldc.i4.7\lIL_001d  stloc.0\lIL_001e  br.s         IL_0025\l"];
            m0_b5 [label="block 5  IL_0020  Inspected.cs:12\lIL_0020  ldc.i4.s     100\lIL_0022  ldarg.1      (amount)\lIL_0023  div\lIL_0024  stloc.0\l"];
            m0_b6 [label="block 6  IL_0025  Inspected.cs:12\lIL_0025  ldloc.0\lIL_0026  ret\l"];
            m0_b0 -> m0_b2 [label="case 0"];
            m0_b0 -> m0_b3 [label="case 1"];
            m0_b0 -> m0_b4 [label="case 2"];
            m0_b0 -> m0_b1 [label="else"];
            m0_b1 -> m0_b5 [label=""];
            m0_b2 -> m0_b6 [label=""];
            m0_b3 -> m0_b6 [label=""];
            m0_b4 -> m0_b6 [label=""];
            m0_b5 -> m0_b6 [label=""];
          }
        }
    "#]],
    );
}

#[test]
fn json() {
    check(
        &["Point"],
        &[],
        Options { cfg: false, format: InspectFormat::Json },
        expect![[r#"
        {
          "schema": "cilantro/inspect@1",
          "types": [
            {
              "name": "Shop.Point",
              "token": "0x02000003",
              "kind": "struct",
              "modifiers": [
                "public"
              ],
              "base": "System.ValueType",
              "generic_parameters": [],
              "layout": {
                "kind": "sequential",
                "size": 8,
                "align": 4,
                "contains_references": false
              },
              "fields": [
                {
                  "offset": 0,
                  "size": 1,
                  "type": "System.Byte",
                  "name": "X",
                  "is_static": false
                },
                {
                  "offset": 4,
                  "size": 4,
                  "type": "System.Int32",
                  "name": "Y",
                  "is_static": false
                }
              ],
              "slots": [
                {
                  "declared": "System.Object::Finalize()",
                  "implementation": "System.Object::Finalize()"
                },
                {
                  "declared": "System.Object::ToString()",
                  "implementation": "System.ValueType::ToString()"
                },
                {
                  "declared": "System.Object::Equals(System.Object)",
                  "implementation": "System.ValueType::Equals(System.Object)"
                },
                {
                  "declared": "System.Object::GetHashCode()",
                  "implementation": "System.ValueType::GetHashCode()"
                }
              ],
              "interfaces": [],
              "methods": [],
              "errors": []
            }
          ]
        }
    "#]],
    );
}

#[test]
fn what_is_not_there() {
    let failed = |types: &[&str], methods: &[&str], cfg| {
        let options = Options { cfg, format: InspectFormat::Text };
        inspect(types, methods, options).unwrap_err()
    };
    expect!["type `Gifd` was not found in Inspected.dll; did you mean Shop.Gift?"].assert_eq(&failed(
        &["Gifd"],
        &[],
        false,
    ));
    expect!["no selected method has a body"].assert_eq(&failed(&[], &["IPriced.Price"], true));
}

/// Whatever the bytes are: an answer, or an error, but no panic.
#[test]
fn damaged_assemblies() {
    let original = std::fs::read(library()).unwrap();
    let start = original.windows(4).position(|w| w == b"BSJB").unwrap();
    let runtime = Toolchain::locate().unwrap().framework_dir().to_owned();
    let folder = tempfile::tempdir().unwrap();
    let mut random = random::Random::new(7);
    let mut shown = 0;
    for case in 0..200 {
        let mut bytes = original.clone();
        for _ in 0..3 {
            bytes[start + random.below(original.len() - start)] = random.below(256) as u8;
        }
        let path = folder.path().join(format!("Damaged{case}.dll"));
        std::fs::write(&path, &bytes).unwrap();
        let universe = Universe::new(Probing::for_application(&path, Some(&runtime)).unwrap());
        let Ok(assembly) = universe.load(&path) else { continue };
        let nothing = Selection::default();
        let everything =
            Selection { types: vec!["Gift".into(), "Item".into(), "Box".into()], ..Selection::default() };
        let methods = Selection { methods: vec!["Price".into(), ".ctor".into()], ..Selection::default() };
        for (selection, cfg) in [(&nothing, false), (&everything, false), (&methods, false), (&methods, true)]
        {
            let options = Options { cfg, format: InspectFormat::Text };
            shown += usize::from(show(&universe, assembly, selection, options, &mut Vec::new()).is_ok());
        }
    }
    assert!(shown > 100, "only {shown} answers");
}

fn check(types: &[&str], methods: &[&str], options: Options, expected: Expect) {
    expected.assert_eq(&inspect(types, methods, options).unwrap());
}

fn inspect(types: &[&str], methods: &[&str], options: Options) -> Result<String, String> {
    let path = library();
    let toolchain = Toolchain::locate().unwrap();
    let probing = Probing::for_application(&path, Some(toolchain.runtime_root())).unwrap();
    let universe = Universe::new(probing);
    let assembly = universe.load(&path).unwrap();
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let selection = Selection { types: owned(types), methods: owned(methods), namespaces: vec![] };
    let mut out = Vec::new();
    show(&universe, assembly, &selection, options, &mut out).map_err(|error| error.to_string())?;
    // Folders and versions are those of this machine.
    let text = String::from_utf8(out).unwrap();
    let text = text.replace(&*path.parent().unwrap().to_string_lossy(), "<app>");
    let text = text.replace(&*toolchain.framework_dir().to_string_lossy(), "<framework>");
    let text = text.replace("10.0.0.0", "<assembly version>");
    Ok(text.replace(&format!(" {} ", toolchain.runtime_version()), " <version> "))
}

fn library() -> PathBuf {
    let options = testkit::Options::default();
    testkit::compile("Inspected", &[("Inspected.cs", SOURCE)], &options).unwrap()
}
