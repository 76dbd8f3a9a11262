// A stand-in for MSTest: the signatures that generated tests use, with their behaviour.
using System;
using System.Collections;
using System.Collections.Generic;

namespace Microsoft.VisualStudio.TestTools.UnitTesting
{
    [AttributeUsage(AttributeTargets.Class)]
    public class TestClassAttribute : Attribute { }
    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
    public class DoNotParallelizeAttribute : Attribute { }
    [AttributeUsage(AttributeTargets.Method)]
    public class TestMethodAttribute : Attribute { }
    [AttributeUsage(AttributeTargets.Method)]
    public class DataTestMethodAttribute : TestMethodAttribute { }
    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public class DataRowAttribute : Attribute
    {
        public DataRowAttribute(object data) { Data = new[] { data }; }
        public DataRowAttribute(string[] data) { Data = new object[] { data }; }
        public DataRowAttribute(params object[] data) { Data = data; }
        public object[] Data { get; }
        public string DisplayName { get; set; }
    }

    public sealed class CollectionAssert
    {
        public static void AreEqual(ICollection expected, ICollection actual)
        {
            IEnumerator other = actual.GetEnumerator();
            foreach (object item in expected) if (!other.MoveNext() || !Equals(item, other.Current)) throw new Exception("the items differ");
            if (other.MoveNext()) throw new Exception("there are more items");
        }
    }

    public sealed class Assert
    {
        public static void AreEqual<T>(T expected, T actual) { if (!EqualityComparer<T>.Default.Equals(expected, actual)) throw new Exception($"expected {expected}, actual {actual}"); }
        public static void AreEqual(float expected, float actual, float delta) => throw new NotSupportedException();
        public static void AreEqual(double expected, double actual, double delta) => throw new NotSupportedException();
        public static void AreEqual(string expected, string actual, bool ignoreCase) => throw new NotSupportedException();
        public static void IsTrue(bool? condition) => AreEqual(true, condition);
        public static void IsFalse(bool? condition) => AreEqual(false, condition);
        public static void IsNull(object value) { if (value != null) throw new Exception("not null"); }
        public static void IsNotNull(object value) { if (value == null) throw new Exception("null"); }
        public static void AreSame<T>(T expected, T actual) { if (!ReferenceEquals(expected, actual)) throw new Exception("not the same"); }
        public static T ThrowsExactly<T>(Action action, string message = "") where T : Exception => Caught<T>(action);
        public static T ThrowsExactly<T>(Func<object> action, string message = "") where T : Exception => Caught<T>(() => action());
        public static T ThrowsException<T>(Action action) where T : Exception => Caught<T>(action);
        public static T ThrowsException<T>(Func<object> action) where T : Exception => Caught<T>(() => action());

        static T Caught<T>(Action code) where T : Exception
        {
            Exception thrown = null;
            try { code(); } catch (Exception e) { thrown = e; }
            if (thrown?.GetType() != typeof(T)) throw new Exception($"expected {typeof(T)}, thrown {thrown}");
            return (T)thrown;
        }
    }
}
