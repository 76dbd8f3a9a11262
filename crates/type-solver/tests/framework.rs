//! Queries over the real framework.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::World;
use expect_test::expect;
use type_solver::{Kinds, Query};

fn world() -> World {
    World::compile(
        "TypeSolverFramework",
        "using System; using System.Collections.Generic; using System.Linq; using System.IO;
         public class Range : IEnumerable<int> {
             public IEnumerator<int> GetEnumerator() { yield return 1; }
             System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
         }
         public class ByLength : IComparer<string> { public int Compare(string a, string b) => a.Length - b.Length; }
         public class Handle : IDisposable { public void Dispose() { } }",
    )
}

#[test]
fn collections() {
    let w = world();
    expect![[r#"
        Range
        System.Int32[]
        System.Collections.Generic.List`1[System.Int32]
        System.Collections.Generic.HashSet`1[System.Int32]
        System.Collections.Generic.Queue`1[System.Int32]
        System.Collections.Generic.Stack`1[System.Int32]
        System.Collections.Generic.LinkedList`1[System.Int32]
        System.Collections.Generic.SortedSet`1[System.Int32]
        System.Collections.ObjectModel.Collection`1[System.Int32]
        System.Collections.ObjectModel.ReadOnlyCollection`1[System.Int32]
        System.Collections.ObjectModel.ObservableCollection`1[System.Int32]
        System.IO.Enumeration.FileSystemEnumerable`1[System.Int32]
        ...
    "#]]
    .assert_eq(&w.show(&w.object(&["IEnumerable<int>"]), 12));
    expect![[r#"
        ByLength
        System.Collections.Generic.GenericComparer`1[System.String]
        System.Collections.Generic.ObjectComparer`1[System.String]
        System.CultureAwareComparer
        System.OrdinalComparer
        System.Resources.FastResourceComparer
        System.Resources.FastResourceComparer
        System.Collections.Generic.ComparisonComparer`1[System.String]
        System.OrdinalCaseSensitiveComparer
        System.OrdinalIgnoreCaseComparer
        System.Collections.Generic.ObjectComparer`1[System.Object]
        System.Collections.Generic.ComparisonComparer`1[System.Object]
        ...
    "#]]
    .assert_eq(&w.show(&w.object(&["IComparer<string>"]), 12));
    expect![[r#"
        System.Collections.Generic.Dictionary`2[System.String,System.Collections.Generic.List`1[System.Int32]]
        System.Collections.Generic.SortedDictionary`2[System.String,System.Collections.Generic.List`1[System.Int32]]
        System.Collections.ObjectModel.ReadOnlyDictionary`2[System.String,System.Collections.Generic.List`1[System.Int32]]
        System.Collections.Concurrent.ConcurrentDictionary`2[System.String,System.Collections.Generic.List`1[System.Int32]]
        System.Collections.Generic.OrderedDictionary`2[System.String,System.Collections.Generic.List`1[System.Int32]]
        System.Collections.Generic.SortedList`2[System.String,System.Collections.Generic.List`1[System.Int32]]
        System.Collections.Immutable.ImmutableDictionary`2[System.String,System.Collections.Generic.List`1[System.Int32]]
        System.Collections.Immutable.ImmutableDictionary`2+Builder[System.String,System.Collections.Generic.List`1[System.Int32]]
        System.Collections.Immutable.ImmutableSortedDictionary`2[System.String,System.Collections.Generic.List`1[System.Int32]]
        System.Collections.Immutable.ImmutableSortedDictionary`2+Builder[System.String,System.Collections.Generic.List`1[System.Int32]]
        System.Collections.Frozen.DenseIntegralFrozenDictionary+WithFullValues`3[System.String,System.Int32,System.Collections.Generic.List`1[System.Int32]]
        System.Collections.Frozen.DenseIntegralFrozenDictionary+WithOptionalValues`3[System.String,System.Int32,System.Collections.Generic.List`1[System.Int32]]
        ...
    "#]].assert_eq(&w.show(&w.object(&["IDictionary<string, List<int>>"]), 12));
    expect![[r#"
        System.Object[]
        System.Collections.Generic.List`1[System.Object]
        System.Collections.Generic.HashSet`1[System.Object]
        System.Collections.Generic.Queue`1[System.Object]
        System.Collections.Generic.Stack`1[System.Object]
        System.Collections.Generic.LinkedList`1[System.Object]
        System.Collections.Generic.SortedSet`1[System.Object]
        System.Collections.ObjectModel.Collection`1[System.Object]
        System.Collections.ObjectModel.ReadOnlyCollection`1[System.Object]
        System.Collections.ObjectModel.ObservableCollection`1[System.Object]
        System.Security.Principal.IdentityReferenceCollection
        System.Security.Cryptography.X509Certificates.X509Certificate2Collection
        ...
    "#]]
    .assert_eq(&w.show(&w.object(&["IEnumerable<object>"]), 12));
    expect![[r#"
        Range
        System.Int32[]
        System.String
        System.Collections.Generic.List`1[System.Int32]
        System.Collections.Generic.Dictionary`2[System.Int32,System.Int32]
        System.Collections.Generic.HashSet`1[System.Int32]
        System.Collections.Generic.Queue`1[System.Int32]
        System.Collections.Generic.Stack`1[System.Int32]
        System.Collections.Generic.LinkedList`1[System.Int32]
        System.Collections.Generic.SortedDictionary`2[System.Int32,System.Int32]
        System.Collections.Generic.SortedSet`1[System.Int32]
        System.Collections.ObjectModel.Collection`1[System.Int32]
        ...
    "#]]
    .assert_eq(&w.show(&w.object(&["IEnumerable"]), 12));
}

#[test]
fn classes() {
    let w = world();
    expect![[r#"
        System.IO.MemoryStream
        System.IO.BufferedStream
        System.IO.FileStream
        System.IO.UnmanagedMemoryStream
        System.IO.IsolatedStorage.IsolatedStorageFileStream
        System.Security.Cryptography.CryptoStream
        System.IO.Compression.DeflateStream
        System.IO.Compression.GZipStream
        System.IO.Compression.ZLibStream
        System.IO.MemoryMappedFiles.MemoryMappedViewStream
        System.Reflection.PortableExecutable.DebugDirectoryBuilder+BlobBuilderStream
        System.IO.Compression.ZipArchiveEntry+DirectToArchiveWriterStream
        ...
    "#]]
    .assert_eq(&w.show(&w.object(&["Stream"]), 12));
    expect![[r#"
        Handle
        System.IO.MemoryStream
        System.IO.StringReader
        System.IO.StringWriter
        Microsoft.Win32.SafeHandles.SafeFileHandle
        Microsoft.Win32.SafeHandles.SafeWaitHandle
        System.Security.SecureString
        System.Resources.ResourceReader
        System.Resources.ResourceSet
        System.CodeDom.Compiler.IndentedTextWriter
        System.Threading.Mutex
        System.Threading.AutoResetEvent
        ...
    "#]]
    .assert_eq(&w.show(&w.object(&["IDisposable"]), 12));
    expect![[r#"
        System.String
        - all
    "#]]
    .assert_eq(&w.show(&w.object(&["IEquatable<string>"]), 12));
    expect![[r#"
        System.Object
        Range
        ByLength
        Handle
        System.Int32[]
        System.String
        System.Int32
        System.Boolean
        System.Double
        System.Int64
        System.Char
        System.Byte
        ...
    "#]]
    .assert_eq(&w.show(&w.object(&["object"]), 12));
    expect![[r#"
        System.Int32[]
        System.UInt32[]
        - all
    "#]]
    .assert_eq(&w.show(&w.object(&["int[]"]), 12));
}

#[test]
fn values() {
    let w = world();
    expect![[r#"
        System.Int32
        - all
    "#]]
    .assert_eq(&w.show(&w.object(&["int?"]), 3));
    expect![[r#"
        System.Int32
        - all
    "#]]
    .assert_eq(&w.show(&w.object(&["int"]), 3));
    expect![[r#"
        System.DayOfWeek
        System.Environment+SpecialFolder
        ...
    "#]]
    .assert_eq(&w.show(&w.object(&["Enum"]), 2));
    expect![[r#"
        System.Int32
        - all
    "#]]
    .assert_eq(&w.show(&w.object(&["ValueType", "IComparable<int>"]), 3));
    expect![[r#"
        System.Int32[,]
        System.UInt32[,]
        - all
    "#]]
    .assert_eq(&w.show(&w.object(&["int[,]"]), 3));
    expect![[r#"
        System.Object[]
        System.String[]
        Range[]
        ByLength[]
        Handle[]
        ...
    "#]]
    .assert_eq(&w.show(&w.object(&["object[]"]), 5));
    expect![[r#"
        System.String[][]
        System.Collections.Generic.List`1[System.String[]]
        System.Collections.ObjectModel.Collection`1[System.String[]]
        ...
    "#]]
    .assert_eq(&w.show(&w.object(&["IList<string[]>"]), 3));
    let nullables = Query { kinds: Kinds::NULLABLES, ..Query::argument() };
    expect![[r#"
        System.Nullable`1[System.Int32]
        System.Nullable`1[System.Boolean]
        System.Nullable`1[System.Double]
        ...
    "#]]
    .assert_eq(&w.show(&w.solver.candidates(&w.universe, &nullables), 3));
    let delegates = Query { kinds: Kinds::DELEGATES, ..Query::argument() };
    expect![[r#"
        System.Action
        System.Func`1[System.Int32]
        System.Func`2[System.Int32,System.Int32]
        ...
    "#]]
    .assert_eq(&w.show(&w.solver.candidates(&w.universe, &delegates), 3));
    let above =
        Query { must_contain: w.types(&["List<string>"]), kinds: Kinds::ABSTRACT, ..Query::argument() };
    expect![[r#"
        System.Collections.ICollection
        System.Collections.IEnumerable
        System.Collections.IList
        System.Collections.Generic.ICollection`1[System.String]
        System.Collections.Generic.IList`1[System.String]
        System.Collections.Generic.IEnumerable`1[System.String]
        System.Collections.Generic.IReadOnlyCollection`1[System.String]
        System.Collections.Generic.IReadOnlyList`1[System.String]
        System.Collections.Generic.IEnumerable`1[System.Object]
        System.Collections.Generic.IReadOnlyCollection`1[System.Object]
        System.Collections.Generic.IReadOnlyList`1[System.Object]
        System.Collections.Generic.IEnumerable`1[System.ICloneable]
        System.Collections.Generic.IReadOnlyCollection`1[System.ICloneable]
        System.Collections.Generic.IReadOnlyList`1[System.ICloneable]
        System.Collections.Generic.IEnumerable`1[System.IComparable]
        System.Collections.Generic.IReadOnlyCollection`1[System.IComparable]
        System.Collections.Generic.IReadOnlyList`1[System.IComparable]
        System.Collections.Generic.IEnumerable`1[System.IConvertible]
        System.Collections.Generic.IReadOnlyCollection`1[System.IConvertible]
        System.Collections.Generic.IReadOnlyList`1[System.IConvertible]
        System.Collections.Generic.IEnumerable`1[System.Collections.IEnumerable]
        System.Collections.Generic.IReadOnlyCollection`1[System.Collections.IEnumerable]
        System.Collections.Generic.IReadOnlyList`1[System.Collections.IEnumerable]
        System.Collections.Generic.IEnumerable`1[System.IEquatable`1[System.String]]
        System.Collections.Generic.IReadOnlyCollection`1[System.IEquatable`1[System.String]]
        System.Collections.Generic.IReadOnlyList`1[System.IEquatable`1[System.String]]
        System.Collections.Generic.IEnumerable`1[System.IParsable`1[System.String]]
        System.Collections.Generic.IReadOnlyCollection`1[System.IParsable`1[System.String]]
        System.Collections.Generic.IReadOnlyList`1[System.IParsable`1[System.String]]
        System.Collections.Generic.IEnumerable`1[System.ISpanParsable`1[System.String]]
        System.Collections.Generic.IReadOnlyCollection`1[System.ISpanParsable`1[System.String]]
        System.Collections.Generic.IReadOnlyList`1[System.ISpanParsable`1[System.String]]
        System.Collections.Generic.IEnumerable`1[System.Collections.Generic.IEnumerable`1[System.Char]]
        System.Collections.Generic.IReadOnlyCollection`1[System.Collections.Generic.IEnumerable`1[System.Char]]
        System.Collections.Generic.IReadOnlyList`1[System.Collections.Generic.IEnumerable`1[System.Char]]
        System.Collections.Generic.IEnumerable`1[System.IComparable`1[System.String]]
        System.Collections.Generic.IReadOnlyCollection`1[System.IComparable`1[System.String]]
        System.Collections.Generic.IReadOnlyList`1[System.IComparable`1[System.String]]
        - all
    "#]].assert_eq(&w.show(&w.solver.candidates(&w.universe, &above), 40));
}
