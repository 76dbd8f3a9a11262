// A working miniature of xUnit, versions 2 and 3 (XUNIT3): what marks tests and gives them data.
// Signatures and behaviour are xUnit's, as far as they go; the code is not.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Xunit
{
    [AttributeUsage(AttributeTargets.Method, AllowMultiple = false)]
    public class FactAttribute : Attribute
    {
        public virtual string? DisplayName { get; set; }
        public virtual string? Skip { get; set; }
        public virtual int Timeout { get; set; }
#if XUNIT3
        public bool Explicit { get; set; }
        public Type? SkipType { get; set; }
        public string? SkipUnless { get; set; }
        public string? SkipWhen { get; set; }
        public Type[]? SkipExceptions { get; set; }
#endif
    }

    [AttributeUsage(AttributeTargets.Method, AllowMultiple = false)]
    public class TheoryAttribute : FactAttribute
    {
#if XUNIT3
        public bool DisableDiscoveryEnumeration { get; set; }
        public bool SkipTestWithoutData { get; set; }
#endif
    }

    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public sealed class InlineDataAttribute : Sdk.DataAttribute
    {
        public InlineDataAttribute(params object?[]? data) { }
    }

    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public sealed class MemberDataAttribute : Sdk.DataAttribute
    {
        public MemberDataAttribute(string memberName, params object?[] parameters) => MemberName = memberName;
        public string MemberName { get; }
        public Type? MemberType { get; set; }
        public bool DisableDiscoveryEnumeration { get; set; }
    }

    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public class ClassDataAttribute : Sdk.DataAttribute
    {
        public ClassDataAttribute(Type @class) => Class = @class;
        public Type Class { get; }
    }

    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Method | AttributeTargets.Assembly, AllowMultiple = true)]
    public sealed class TraitAttribute : Attribute
    {
        public TraitAttribute(string name, string value) { }
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class CollectionAttribute : Attribute
    {
        public CollectionAttribute(string name) { }
#if XUNIT3
        public CollectionAttribute(Type type) { }
#endif
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class CollectionDefinitionAttribute : Attribute
    {
#if XUNIT3
        public CollectionDefinitionAttribute() { }
#endif
        public CollectionDefinitionAttribute(string name) { }
        public bool DisableParallelization { get; set; }
    }

    [AttributeUsage(AttributeTargets.Assembly)]
    public sealed class CollectionBehaviorAttribute : Attribute
    {
        public CollectionBehaviorAttribute() { }
        public CollectionBehaviorAttribute(CollectionBehavior collectionBehavior) { }
        public bool DisableTestParallelization { get; set; }
        public int MaxParallelThreads { get; set; }
    }

    public enum CollectionBehavior
    {
        CollectionPerAssembly,
        CollectionPerClass,
    }

    public interface IClassFixture<TFixture> where TFixture : class { }

    public interface ICollectionFixture<TFixture> where TFixture : class { }

#if XUNIT3
    public interface IAsyncLifetime : IAsyncDisposable
    {
        ValueTask InitializeAsync();
    }

    public interface ITestOutputHelper
    {
        string Output { get; }
        void Write(string message);
        void Write(string format, params object[] args);
        void WriteLine(string message);
        void WriteLine(string format, params object[] args);
    }

    public sealed class TestContext
    {
        public static TestContext Current { get; } = new TestContext();
        public CancellationToken CancellationToken => CancellationToken.None;
    }
#else
    public interface IAsyncLifetime
    {
        Task InitializeAsync();
        Task DisposeAsync();
    }
#endif

    /// Rows of data, one array of arguments each.
    public abstract class TheoryData : IEnumerable<object?[]>
    {
        private readonly List<object?[]> rows = new();
        protected void AddRow(params object?[] values) => rows.Add(values);
        public IEnumerator<object?[]> GetEnumerator() => rows.GetEnumerator();
        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    public class TheoryData<T> : TheoryData
    {
        public TheoryData() { }
        public TheoryData(IEnumerable<T> values) { foreach (T value in values) Add(value); }
        public TheoryData(params T[] values) : this((IEnumerable<T>)values) { }
        public void Add(T p) => AddRow(p);
        public void AddRange(params T[] values) { foreach (T value in values) Add(value); }
    }

    public class TheoryData<T1, T2> : TheoryData
    {
        public void Add(T1 p1, T2 p2) => AddRow(p1, p2);
    }

    public class TheoryData<T1, T2, T3> : TheoryData
    {
        public void Add(T1 p1, T2 p2, T3 p3) => AddRow(p1, p2, p3);
    }

    public class TheoryData<T1, T2, T3, T4> : TheoryData
    {
        public void Add(T1 p1, T2 p2, T3 p3, T4 p4) => AddRow(p1, p2, p3, p4);
    }

    public class TheoryData<T1, T2, T3, T4, T5> : TheoryData
    {
        public void Add(T1 p1, T2 p2, T3 p3, T4 p4, T5 p5) => AddRow(p1, p2, p3, p4, p5);
    }
}

namespace Xunit.Sdk
{
    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public abstract class DataAttribute : Attribute
    {
        public virtual string? Skip { get; set; }
    }

    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Method, AllowMultiple = true)]
    public abstract class BeforeAfterTestAttribute : Attribute
    {
        public virtual void Before(MethodInfo methodUnderTest) { }
        public virtual void After(MethodInfo methodUnderTest) { }
    }
}

#if !XUNIT3
namespace Xunit.Abstractions
{
    public interface ITestOutputHelper
    {
        void WriteLine(string message);
        void WriteLine(string format, params object[] args);
    }
}
#endif
