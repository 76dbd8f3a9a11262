// A working miniature of NUnit, versions 3 and 4 (NUNIT4): what marks tests and gives them data.
// Signatures and behaviour are NUnit's, as far as they go; the code is not.

using System;
using System.Collections;
using System.Collections.Generic;

namespace NUnit.Framework
{
    [AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
    public class TestFixtureAttribute : Attribute
    {
        public TestFixtureAttribute() { }
        public TestFixtureAttribute(params object?[] arguments) { }
        public string? Author { get; set; }
        public string? Category { get; set; }
        public string? Description { get; set; }
        public string? Ignore { get; set; }
        public string? Reason { get; set; }
        public string? TestName { get; set; }
        public Type[]? TypeArgs { get; set; }
        public Type? TestOf { get; set; }
        public bool Explicit { get; set; }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public class TestAttribute : Attribute
    {
        public string? Author { get; set; }
        public string? Description { get; set; }
        public object? ExpectedResult { get; set; }
        public Type? TestOf { get; set; }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public class TheoryAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public class TestCaseAttribute : Attribute
    {
        public TestCaseAttribute(params object?[]? arguments) { }
        public TestCaseAttribute(object? arg) { }
        public TestCaseAttribute(object? arg1, object? arg2) { }
        public TestCaseAttribute(object? arg1, object? arg2, object? arg3) { }
        public string? Author { get; set; }
        public string? Category { get; set; }
        public string? Description { get; set; }
        public object? ExpectedResult { get; set; }
        public bool Explicit { get; set; }
        public string? Ignore { get; set; }
        public string? IgnoreReason { get; set; }
        public string? Reason { get; set; }
        public string? TestName { get; set; }
        public Type? TestOf { get; set; }
    }

    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public class TestCaseSourceAttribute : Attribute
    {
        public TestCaseSourceAttribute(string sourceName) { }
        public TestCaseSourceAttribute(Type sourceType) { }
        public TestCaseSourceAttribute(Type sourceType, string sourceName) { }
        public TestCaseSourceAttribute(Type sourceType, string sourceName, object?[]? methodParams) { }
        public TestCaseSourceAttribute(string sourceName, object?[]? methodParams) { }
        public string? Category { get; set; }
    }

    public class TestCaseData
    {
        public TestCaseData(params object?[]? args) => Arguments = args ?? new object?[] { null };
        public object?[] Arguments { get; }
        public object? ExpectedResult { get; private set; }
        public bool HasExpectedResult { get; private set; }
        public TestCaseData Returns(object? result)
        {
            ExpectedResult = result;
            HasExpectedResult = true;
            return this;
        }
        public TestCaseData SetName(string? name) => this;
        public TestCaseData SetArgDisplayNames(params string[]? displayNames) => this;
        public TestCaseData SetDescription(string description) => this;
        public TestCaseData SetCategory(string category) => this;
    }

    [AttributeUsage(AttributeTargets.Parameter)]
    public class ValuesAttribute : Attribute
    {
        public ValuesAttribute() { }
        public ValuesAttribute(object? arg1) { }
        public ValuesAttribute(object? arg1, object? arg2) { }
        public ValuesAttribute(object? arg1, object? arg2, object? arg3) { }
        public ValuesAttribute(params object?[]? args) { }
    }

    [AttributeUsage(AttributeTargets.Parameter)]
    public class RangeAttribute : Attribute
    {
        public RangeAttribute(int from, int to) { }
        public RangeAttribute(int from, int to, int step) { }
        public RangeAttribute(long from, long to) { }
        public RangeAttribute(double from, double to, double step) { }
    }

    [AttributeUsage(AttributeTargets.Parameter)]
    public class ValueSourceAttribute : Attribute
    {
        public ValueSourceAttribute(string sourceName) { }
        public ValueSourceAttribute(Type sourceType, string sourceName) { }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public class CombinatorialAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Method)]
    public class SetUpAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Method)]
    public class TearDownAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Method)]
    public class OneTimeSetUpAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Method)]
    public class OneTimeTearDownAttribute : Attribute { }

    public enum LifeCycle
    {
        SingleInstance,
        InstancePerTestCase,
    }

    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly)]
    public class FixtureLifeCycleAttribute : Attribute
    {
        public FixtureLifeCycleAttribute(LifeCycle lifeCycle) { }
    }

    [AttributeUsage(AttributeTargets.Assembly | AttributeTargets.Class | AttributeTargets.Method, AllowMultiple = true)]
    public class CategoryAttribute : Attribute
    {
        public CategoryAttribute(string name) { }
    }

    [AttributeUsage(AttributeTargets.Assembly | AttributeTargets.Class | AttributeTargets.Method)]
    public class DescriptionAttribute : Attribute
    {
        public DescriptionAttribute(string description) { }
    }

    [AttributeUsage(AttributeTargets.Assembly | AttributeTargets.Class | AttributeTargets.Method)]
    public class IgnoreAttribute : Attribute
    {
        public IgnoreAttribute(string reason) { }
        public string? Until { get; set; }
    }

    [AttributeUsage(AttributeTargets.Assembly | AttributeTargets.Class | AttributeTargets.Method)]
    public class ExplicitAttribute : Attribute
    {
        public ExplicitAttribute() { }
        public ExplicitAttribute(string reason) { }
    }

    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
    public class OrderAttribute : Attribute
    {
        public OrderAttribute(int order) { }
    }

    [AttributeUsage(AttributeTargets.Assembly | AttributeTargets.Class | AttributeTargets.Method)]
    public class NonParallelizableAttribute : Attribute { }

    [Flags]
    public enum ParallelScope
    {
        Default = 0,
        Self = 1,
        None = 2,
        Children = 256,
        Fixtures = 512,
        All = Self + Children,
    }

    [AttributeUsage(AttributeTargets.Assembly | AttributeTargets.Class | AttributeTargets.Method)]
    public class ParallelizableAttribute : Attribute
    {
        public ParallelizableAttribute() { }
        public ParallelizableAttribute(ParallelScope scope) { }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public class RepeatAttribute : Attribute
    {
        public RepeatAttribute(int count) { }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public class RetryAttribute : Attribute
    {
        public RetryAttribute(int tryCount) { }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public class MaxTimeAttribute : Attribute
    {
        public MaxTimeAttribute(int milliseconds) { }
    }

#if NUNIT4
    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Method | AttributeTargets.Assembly)]
    public class CancelAfterAttribute : Attribute
    {
        public CancelAfterAttribute(int timeout) { }
    }
#else
    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Method | AttributeTargets.Assembly)]
    public class TimeoutAttribute : Attribute
    {
        public TimeoutAttribute(int timeout) { }
    }
#endif

    [AttributeUsage(AttributeTargets.Assembly | AttributeTargets.Class | AttributeTargets.Method, AllowMultiple = true)]
    public class PropertyAttribute : Attribute
    {
        public PropertyAttribute(string propertyName, string propertyValue) { }
        public PropertyAttribute(string propertyName, int propertyValue) { }
    }

    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Method, AllowMultiple = true)]
    public class TestOfAttribute : Attribute
    {
        public TestOfAttribute(Type type) { }
        public TestOfAttribute(string typeName) { }
    }

    public class TestContext
    {
        public static TestContext CurrentContext { get; } = new TestContext();
        public static System.IO.TextWriter Out => System.IO.TextWriter.Null;
        public static readonly System.IO.TextWriter Progress = System.IO.TextWriter.Null;
        public static void WriteLine(string? value) { }
        public static void WriteLine(string format, params object?[] args) { }
        public string TestDirectory => AppContext.BaseDirectory;
        public string WorkDirectory => AppContext.BaseDirectory;
    }

    public abstract class ResultStateException : Exception
    {
        protected ResultStateException(string message, Exception? inner = null) : base(message, inner) { }
    }

    public class AssertionException : ResultStateException
    {
        public AssertionException(string message) : base(message) { }
        public AssertionException(string message, Exception? inner) : base(message, inner) { }
    }

    public class MultipleAssertException : AssertionException
    {
        public MultipleAssertException(string message) : base(message) { }
    }

    public class SuccessException : ResultStateException
    {
        public SuccessException(string message) : base(message) { }
    }

    public class IgnoreException : ResultStateException
    {
        public IgnoreException(string message) : base(message) { }
    }

    public class InconclusiveException : ResultStateException
    {
        public InconclusiveException(string message) : base(message) { }
    }

    public delegate void TestDelegate();

    public delegate System.Threading.Tasks.Task AsyncTestDelegate();
}
