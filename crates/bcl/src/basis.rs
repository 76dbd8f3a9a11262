//! What a call of the class library takes for granted, by its name.
//!
//! The machine runs the class library in a laboratory: one thread, a fresh process, some culture. What a method answers is
//! the same everywhere only if these tables say so: a method of the framework that the program calls and that is in none of
//! them is an assumption. So something forgotten costs a proof and never makes a false one.

use types::{FieldId, MethodId, Universe};
use verdict::Assumption::{self, MemoryLayout, UsualEnvironment, UsualInputs, UsualText};
use vm::models::{Basis, Receiver};

/// Answers that depend on the world whoever asks for them, the class library included.
const SOURCES: &[(&str, &str, Assumption)] = &[
    ("System.Globalization.CultureInfo", "get_CurrentCulture", UsualText),
    ("System.Globalization.CultureInfo", "get_CurrentUICulture", UsualText),
    ("System.Globalization.CultureInfo", "get_InstalledUICulture", UsualText),
    ("System.Globalization.NumberFormatInfo", "get_CurrentInfo", UsualText),
    ("System.Globalization.DateTimeFormatInfo", "get_CurrentInfo", UsualText),
    ("System.Globalization.CompareInfo", "IcuCompareString", UsualText),
    ("System.Globalization.CompareInfo", "InvariantModeCompare*", UsualText),
    ("System.TimeZoneInfo", "get_Local", UsualEnvironment),
    ("System.TimeZoneInfo", "GetLocalUtcOffset", UsualEnvironment),
    ("System.TimeZoneInfo", "GetDateTimeNowUtcOffsetFromUtc", UsualEnvironment),
    ("System.TimeZoneInfo+CachedData", "get_Local", UsualEnvironment),
];

/// Methods of the types below that are not exact. A star stands for any end of a name.
const EXCEPTIONS: &[(&str, &str, Assumption)] = &[
    ("System.Array", "GetValue", UsualInputs),
    ("System.Array", "GetEnumerator", UsualInputs),
    ("System.Array", "SetValue", UsualInputs),
    ("System.Collections.Generic.List`1", "get_Capacity", UsualInputs),
    ("System.Collections.Generic.List`1", "EnsureCapacity", UsualInputs),
    ("System.Collections.Generic.List`1", "TrimExcess", UsualInputs),
    ("System.Runtime.InteropServices.CollectionsMarshal", "*", UsualInputs),
    ("System.Runtime.InteropServices.MemoryMarshal", "AsBytes", UsualInputs),
    ("System.Runtime.InteropServices.MemoryMarshal", "Cast", UsualInputs),
    ("System.MemoryExtensions", "Overlaps", UsualInputs),
    ("System.Span`1", "op_Equality", UsualInputs),
    ("System.Span`1", "op_Inequality", UsualInputs),
    ("System.ReadOnlySpan`1", "op_Equality", UsualInputs),
    ("System.ReadOnlySpan`1", "op_Inequality", UsualInputs),
    ("System.Runtime.CompilerServices.Unsafe", "AreSame", UsualInputs),
    ("System.Runtime.CompilerServices.Unsafe", "IsNullRef", UsualInputs),
    ("System.Runtime.CompilerServices.Unsafe", "IsAddress*", MemoryLayout),
    ("System.Runtime.CompilerServices.Unsafe", "ByteOffset", MemoryLayout),
    ("System.Runtime.CompilerServices.Unsafe", "AsPointer", MemoryLayout),
    ("System.Runtime.CompilerServices.RuntimeHelpers", "EnsureSufficientExecutionStack", UsualEnvironment),
    ("System.Runtime.CompilerServices.RuntimeHelpers", "TryEnsureSufficientExecutionStack", UsualEnvironment),
    ("System.Runtime.CompilerServices.RuntimeFeature", "*", UsualEnvironment),
    ("System.Numerics.Vector", "get_IsHardwareAccelerated", UsualEnvironment),
    ("System.Numerics.Vector`1", "get_Count", UsualEnvironment),
    ("System.Text.Encoding", "GetEncoding*", UsualEnvironment),
    ("System.Text.RegularExpressions.Regex", "get_CacheSize", UsualEnvironment),
    ("System.Threading.Tasks.Sources.ManualResetValueTaskSourceCore`1", "OnCompleted", UsualEnvironment),
    ("System.Threading.Tasks.Task", "get_Id", UsualEnvironment),
    ("System.Threading.Tasks.Task", "get_CurrentId", UsualEnvironment),
    ("System.Threading.Tasks.Task`1", "get_Id", UsualEnvironment),
    ("System.Type", "GetType", UsualEnvironment),
    ("System.Delegate", "get_Method", UsualEnvironment),
    ("System.Exception", "get_StackTrace", UsualEnvironment),
    ("System.Exception", "get_TargetSite", UsualEnvironment),
    ("System.Exception", "ToString", UsualText),
    ("System.Diagnostics.Debug", "get_*", UsualEnvironment),
    ("System.String", "ToLower", UsualText),
    ("System.String", "ToUpper", UsualText),
    ("System.String", "Normalize", UsualText),
    ("System.String", "IsNormalized", UsualText),
    ("System.Char", "ToLower", UsualText),
    ("System.Char", "ToUpper", UsualText),
    ("System.Runtime.CompilerServices.ConditionalWeakTable`2", "*", UsualEnvironment),
    ("System.Runtime.CompilerServices.DependentHandle", "*", UsualEnvironment),
    ("System.HashCode", "*", UsualEnvironment),
    ("System.BitConverter", "IsLittleEndian", UsualEnvironment),
    ("System.IntPtr", "get_Size", UsualEnvironment),
    ("System.UIntPtr", "get_Size", UsualEnvironment),
    ("System.Diagnostics.Debugger", "*", UsualEnvironment),
    ("System.String", "GetHashCode", UsualEnvironment),
];

/// Types whose methods answer the same in every world, but for those above; by their full names, or by what their names
/// begin with if there is a star.
const EXACT: &[&str] = &[
    "System.Object",
    "System.ValueType",
    "System.String",
    "System.Boolean",
    "System.Char",
    "System.SByte",
    "System.Byte",
    "System.Int16",
    "System.UInt16",
    "System.Int32",
    "System.UInt32",
    "System.Int64",
    "System.UInt64",
    "System.Int128",
    "System.UInt128",
    "System.IntPtr",
    "System.UIntPtr",
    "System.Half",
    "System.Single",
    "System.Double",
    "System.Decimal",
    "System.Math",
    "System.MathF",
    "System.Array",
    "System.ArrayEnumerator",
    "System.SZArrayHelper",
    "System.SZGenericArrayEnumerator*",
    "System.CharEnumerator",
    "System.Enum",
    "System.Delegate",
    "System.MulticastDelegate",
    "System.Action*",
    "System.Func*",
    "System.Predicate`1",
    "System.Comparison`1",
    "System.Converter`2",
    "System.EventHandler*",
    "System.EventArgs",
    "System.Tuple*",
    "System.ValueTuple*",
    "System.Nullable*",
    "System.Lazy`1",
    "System.Type",
    "System.RuntimeType",
    "System.RuntimeTypeHandle",
    "System.RuntimeFieldHandle",
    "System.RuntimeMethodHandle",
    "System.Attribute",
    "System.Guid",
    "System.DateTime*",
    "System.DateOnly",
    "System.TimeOnly",
    "System.TimeSpan",
    "System.Random",
    "System.HashCode",
    "System.Convert",
    "System.BitConverter",
    "System.Buffer",
    "System.Index",
    "System.Range",
    "System.Span`1*",
    "System.ReadOnlySpan`1*",
    "System.Memory`1",
    "System.ReadOnlyMemory`1",
    "System.MemoryExtensions*",
    "System.ArraySegment`1*",
    "System.StringComparer",
    "System.Version",
    "System.IDisposable",
    "System.Threading.Interlocked",
    "System.Threading.Volatile",
    "System.Threading.Monitor",
    "System.Threading.Lock*",
    "System.Threading.CancellationToken*",
    "System.Threading.Tasks.Sources.ManualResetValueTaskSourceCore`1",
    "System.Threading.Tasks.Task",
    "System.Threading.Tasks.Task`1",
    "System.Threading.Tasks.TaskCompletionSource*",
    "System.Threading.Tasks.TaskExtensions",
    "System.Threading.Tasks.ValueTask*",
    "System.Runtime.CompilerServices.*",
    "System.Runtime.InteropServices.MemoryMarshal",
    "System.Runtime.InteropServices.CollectionsMarshal",
    "System.Runtime.ExceptionServices.ExceptionDispatchInfo",
    "System.Collections.*",
    "System.Linq.*",
    "System.Text.StringBuilder*",
    "System.Text.Rune",
    "System.Text.Encoding",
    "System.Text.ASCIIEncoding",
    "System.Text.UTF8Encoding*",
    "System.Text.UnicodeEncoding",
    "System.Text.RegularExpressions.*",
    "System.Numerics.*",
    "System.Security.Cryptography.RandomNumberGenerator",
    "System.Globalization.CharUnicodeInfo",
    "System.IO.MemoryStream",
    "System.IO.Stream",
    "System.IO.StringReader",
    "System.IO.StringWriter",
    "System.IO.TextReader",
    "System.IO.TextWriter",
    "System.Diagnostics.Debug*",
    "System.Diagnostics.Contracts.*",
    "System.Diagnostics.UnreachableException",
];

/// Methods of other types that are exact.
const EXACT_METHODS: &[(&str, &str)] = &[
    ("System.Console", "Write*"),
    ("System.GC", "KeepAlive"),
    ("System.GC", "SuppressFinalize"),
    ("System.Environment", "get_TickCount*"),
    ("System.Environment", "get_CurrentManagedThreadId"),
    ("System.Environment", "get_ProcessorCount"),
    ("System.Environment", "get_ExitCode"),
    ("System.Environment", "set_ExitCode"),
    ("System.Threading.Thread", "get_CurrentThread"),
    ("System.Diagnostics.Stopwatch", "*"),
    ("System.Globalization.CultureInfo", "get_InvariantCulture"),
    ("System.Globalization.CultureInfo", "get_Name"),
    ("System.Globalization.NumberFormatInfo", "get_InvariantInfo"),
    ("System.Globalization.DateTimeFormatInfo", "get_InvariantInfo"),
];

/// Methods that are not exact but, like properties, throw nothing and change nothing that a program sees.
const ANSWERS: &[(&str, &str)] = &[
    ("System.AppContext", "GetData"),
    ("System.AppDomain", "GetData"),
    ("System.Threading.ExecutionContext", "IsFlowSuppressed"),
    ("System.GC", "CollectionCount"),
    ("System.Runtime.InteropServices.Marshal", "GetLastPInvokeError"),
    ("System.Runtime.InteropServices.Marshal", "GetLastSystemError"),
];

/// Methods that compute with addresses, classes and lengths, and look at nothing that somebody could change.
const ADDRESSES: &[(&str, &str)] = &[
    ("System.Runtime.CompilerServices.Unsafe", "A*"),
    ("System.Runtime.CompilerServices.Unsafe", "ByteOffset"),
    ("System.Runtime.CompilerServices.Unsafe", "Is*"),
    ("System.Runtime.CompilerServices.Unsafe", "S*"),
    ("System.Runtime.CompilerServices.RuntimeHelpers", "Is*"),
    ("System.Runtime.CompilerServices.RuntimeHelpers", "GetMethodTable"),
    ("System.Runtime.InteropServices.MemoryMarshal", "GetArrayDataReference"),
    ("System.Runtime.InteropServices.MemoryMarshal", "GetReference"),
    ("System.Object", ".ctor"),
    ("System.Object", "GetType"),
    ("System.Object", "ReferenceEquals"),
    ("System.Array", "get_Length"),
    ("System.Array", "get_LongLength"),
    ("System.Array", "get_Rank"),
    ("System.Array", "GetLength"),
    ("System.Array", "GetLowerBound"),
    ("System.Array", "GetUpperBound"),
    ("System.GC", "KeepAlive"),
    ("System.GC", "SuppressFinalize"),
];

/// Types whose methods only see what is passed to them: an assumption about inputs, if there is one, is about these.
const OF_RECEIVER: &[&str] = &[
    "System.Array",
    "System.Collections.Generic.List`1",
    "System.Runtime.InteropServices.CollectionsMarshal",
];

pub(crate) fn of(universe: &Universe, method: MethodId) -> Basis {
    let info = universe.method(method);
    let owner = universe.type_name(universe.definition(info.owner));
    let name = &*info.name;
    let source = find(SOURCES, &owner, name);
    let asked = source.or_else(|| assumed_by_asking(&owner, name));
    let receiver = match &*owner {
        _ if OF_RECEIVER.contains(&&*owner) => Receiver::Input,
        "System.Threading.Monitor" if !matches!(name, "Enter" | "Exit") => Receiver::Shared,
        "System.Threading.Interlocked" => Receiver::Shared,
        _ => Receiver::Any,
    };
    let only_answers =
        asked == Some(UsualEnvironment) && (name.starts_with("get_") || ANSWERS.contains(&(&*owner, name)));
    let looks_at_nothing = ADDRESSES.iter().any(|(ty, method)| *ty == owner && is_named(method, name));
    Basis { is_framework: true, source, asked, receiver, only_answers, looks_at_nothing }
}

/// A static field is like a method that answers; constants are not read at all.
pub(crate) fn of_field(universe: &Universe, field: FieldId) -> Option<Assumption> {
    let info = universe.field(field);
    assumed_by_asking(&universe.type_name(universe.definition(info.owner)), &info.name)
}

fn find(table: &[(&str, &str, Assumption)], owner: &str, name: &str) -> Option<Assumption> {
    let line = table.iter().find(|(ty, member, _)| *ty == owner && is_named(member, name));
    line.map(|(.., assumption)| *assumption)
}

/// What a program takes for granted that uses a member.
fn assumed_by_asking(owner: &str, name: &str) -> Option<Assumption> {
    // What is inside of a type is a part of how it works.
    let outer = owner.split('+').next().unwrap_or(owner);
    find(EXCEPTIONS, owner, name).or_else(|| {
        let is_exact = EXACT.iter().any(|ty| is_named(ty, owner) || is_named(ty, outer))
            || EXACT_METHODS.iter().any(|(ty, method)| *ty == owner && is_named(method, name))
            || owner.ends_with("Exception");
        (!is_exact).then_some(UsualEnvironment)
    })
}

fn is_named(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => pattern == name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_between_machines_is_never_exact() {
        let asked = [
            ("System.IntPtr", "get_Size"),
            ("System.BitConverter", "IsLittleEndian"),
            ("System.IO.Path", "DirectorySeparatorChar"),
            ("System.Diagnostics.Debugger", "get_IsAttached"),
            ("System.Numerics.Vector", "get_IsHardwareAccelerated"),
            ("Some.New.Type", "Method"),
        ];
        for (owner, name) in asked {
            assert_eq!(assumed_by_asking(owner, name), Some(UsualEnvironment), "{owner}.{name}");
        }
        assert_eq!(assumed_by_asking("System.String", "Empty"), None);
        assert_eq!(assumed_by_asking("System.Diagnostics.Debug", "Assert"), None);
    }
}
