// A stand-in for xUnit: the signatures that generated tests use, with their behaviour.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Xunit
{
    [AttributeUsage(AttributeTargets.Method)]
    public class FactAttribute : Attribute { }
    [AttributeUsage(AttributeTargets.Method)]
    public class TheoryAttribute : FactAttribute { }
    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public class InlineDataAttribute : Attribute
    {
        public InlineDataAttribute(params object[] data) { Data = data; }
        public object[] Data { get; }
    }

    public static class Record { }

    [AttributeUsage(AttributeTargets.Class)]
    public class CollectionAttribute : Attribute { public CollectionAttribute(string name) { } }
    public class CollectionDefinitionAttribute : Attribute { public CollectionDefinitionAttribute(string name) { } public bool DisableParallelization { get; set; } }

    public class Assert
    {
        public static void Equal<T>(T expected, T actual) { if (!Alike(expected, actual)) throw new Exception($"expected {expected}, actual {actual}"); }
        static bool Alike(object expected, object actual)
        {
            if (expected is string || !(expected is IEnumerable items)) return Equals(expected, actual);
            if (!(actual is IEnumerable others)) return false;
            IEnumerator other = others.GetEnumerator();
            foreach (object item in items) if (!other.MoveNext() || !Alike(item, other.Current)) return false;
            return !other.MoveNext();
        }
        public static void Equal(double expected, double actual, int precision) => throw new NotSupportedException();
        public static void Equal(string expected, string actual, bool ignoreCase = false) => Equal<string>(expected, actual);
        public static void Equal<T>(IEnumerable<T> expected, IEnumerable<T> actual) { if (!Alike(expected, actual)) throw new Exception("the items differ"); }
        public static void Equal<T>(T[] expected, T[] actual) { if (!Alike(expected, actual)) throw new Exception("the items differ"); }
        public static void True(bool condition) => Equal(true, condition);
        public static void True(bool? condition) => Equal(true, condition);
        public static void False(bool condition) => Equal(false, condition);
        public static void False(bool? condition) => Equal(false, condition);
        public static void Null(object value) { if (value != null) throw new Exception("not null"); }
        public static void NotNull(object value) { if (value == null) throw new Exception("null"); }
        public static void Same(object expected, object actual) { if (!ReferenceEquals(expected, actual)) throw new Exception("not the same"); }
        public static T Throws<T>(Action code) where T : Exception => Caught<T>(code);
        public static T Throws<T>(Func<object> code) where T : Exception => Caught<T>(() => code());
        [Obsolete("use ThrowsAsync", true)]
        public static T Throws<T>(Func<Task> code) where T : Exception => throw new NotSupportedException();

        static T Caught<T>(Action code) where T : Exception
        {
            Exception thrown = null;
            try { code(); } catch (Exception e) { thrown = e; }
            if (thrown?.GetType() != typeof(T)) throw new Exception($"expected {typeof(T)}, thrown {thrown}");
            return (T)thrown;
        }
    }
}
