// A working miniature of MSTest, versions 2, 3 (MSTEST3) and 4 (MSTEST3 and MSTEST4): what marks tests and gives them data.
// Signatures and behaviour are MSTest's, as far as they go; the code is not.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using System.Threading;

namespace Microsoft.VisualStudio.TestTools.UnitTesting
{
    [AttributeUsage(AttributeTargets.Class)]
    public class TestClassAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Method)]
    public class TestMethodAttribute : Attribute
    {
#if MSTEST4
        public TestMethodAttribute([System.Runtime.CompilerServices.CallerFilePath] string callerFilePath = "", [System.Runtime.CompilerServices.CallerLineNumber] int callerLineNumber = -1) { }
        public string? DisplayName { get; set; }
#else
        public TestMethodAttribute() { }
        public TestMethodAttribute(string? displayName) => DisplayName = displayName;
        public string? DisplayName { get; }
#endif
    }

    [AttributeUsage(AttributeTargets.Method)]
    public class DataTestMethodAttribute : TestMethodAttribute { }

    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public class DataRowAttribute : Attribute
    {
        public DataRowAttribute() { }
        public DataRowAttribute(object? data) { }
        public DataRowAttribute(string?[]? stringArrayData) { }
        public DataRowAttribute(params object?[]? data) { }
        public string? DisplayName { get; set; }
        public string? IgnoreMessage { get; set; }
    }

    public enum DynamicDataSourceType
    {
        Property = 0,
        Method = 1,
        AutoDetect = 2,
    }

    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public sealed class DynamicDataAttribute : Attribute
    {
#if MSTEST3
        public DynamicDataAttribute(string dynamicDataSourceName, DynamicDataSourceType dynamicDataSourceType = DynamicDataSourceType.AutoDetect) { }
        public DynamicDataAttribute(string dynamicDataSourceName, Type dynamicDataDeclaringType, DynamicDataSourceType dynamicDataSourceType = DynamicDataSourceType.AutoDetect) { }
#else
        public DynamicDataAttribute(string dynamicDataSourceName, DynamicDataSourceType dynamicDataSourceType = DynamicDataSourceType.Property) { }
        public DynamicDataAttribute(string dynamicDataSourceName, Type dynamicDataDeclaringType, DynamicDataSourceType dynamicDataSourceType = DynamicDataSourceType.Property) { }
#endif
        public string? DynamicDataDisplayName { get; set; }
        public Type? DynamicDataDisplayNameDeclaringType { get; set; }
        public string? IgnoreMessage { get; set; }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class TestInitializeAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class TestCleanupAttribute : Attribute { }

    public enum InheritanceBehavior
    {
        None,
        BeforeEachDerivedClass,
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class ClassInitializeAttribute : Attribute
    {
        public ClassInitializeAttribute() { }
        public ClassInitializeAttribute(InheritanceBehavior inheritanceBehavior) { }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class ClassCleanupAttribute : Attribute
    {
        public ClassCleanupAttribute() { }
        public ClassCleanupAttribute(InheritanceBehavior inheritanceBehavior) { }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class AssemblyInitializeAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class AssemblyCleanupAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
    public sealed class IgnoreAttribute : Attribute
    {
        public IgnoreAttribute() { }
        public IgnoreAttribute(string? message) { }
    }

#if !MSTEST4
    [AttributeUsage(AttributeTargets.Method)]
    public sealed class ExpectedExceptionAttribute : Attribute
    {
        public ExpectedExceptionAttribute(Type exceptionType) { }
        public ExpectedExceptionAttribute(Type exceptionType, string noExceptionMessage) { }
        public bool AllowDerivedTypes { get; set; }
    }
#endif

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class TimeoutAttribute : Attribute
    {
        public TimeoutAttribute(int timeout) { }
        public bool CooperativeCancellation { get; set; }
    }

    [AttributeUsage(AttributeTargets.Method | AttributeTargets.Class | AttributeTargets.Assembly, AllowMultiple = true)]
    public sealed class TestCategoryAttribute : Attribute
    {
        public TestCategoryAttribute(string testCategory) { }
    }

    [AttributeUsage(AttributeTargets.Method | AttributeTargets.Class, AllowMultiple = true)]
    public sealed class TestPropertyAttribute : Attribute
    {
        public TestPropertyAttribute(string name, string value) { }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class DescriptionAttribute : Attribute
    {
        public DescriptionAttribute(string? description) { }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class OwnerAttribute : Attribute
    {
        public OwnerAttribute(string? owner) { }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class PriorityAttribute : Attribute
    {
        public PriorityAttribute(int priority) { }
    }

    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public sealed class WorkItemAttribute : Attribute
    {
        public WorkItemAttribute(int id) { }
    }

    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Method, AllowMultiple = true)]
    public sealed class DeploymentItemAttribute : Attribute
    {
        public DeploymentItemAttribute(string? path) { }
        public DeploymentItemAttribute(string? path, string? outputDirectory) { }
    }

    [AttributeUsage(AttributeTargets.Assembly | AttributeTargets.Class | AttributeTargets.Method)]
    public sealed class DoNotParallelizeAttribute : Attribute { }

    public enum ExecutionScope
    {
        ClassLevel,
        MethodLevel,
    }

    [AttributeUsage(AttributeTargets.Assembly)]
    public sealed class ParallelizeAttribute : Attribute
    {
        public int Workers { get; set; }
        public ExecutionScope Scope { get; set; }
    }

    public enum UnitTestOutcome
    {
        Failed,
        Inconclusive,
        Passed,
        InProgress,
        Error,
        Timeout,
        Aborted,
        Unknown,
        NotRunnable,
    }

    public abstract class TestContext
    {
        public abstract IDictionary Properties { get; }
        public virtual string? TestName => null;
        public virtual string? FullyQualifiedTestClassName => null;
        public virtual UnitTestOutcome CurrentTestOutcome => UnitTestOutcome.InProgress;
        public virtual CancellationTokenSource CancellationTokenSource { get; protected set; } = new();
        public virtual CancellationToken CancellationToken => CancellationTokenSource.Token;
        public abstract void WriteLine(string? message);
        public abstract void WriteLine(string format, params object?[] args);
        public abstract void Write(string? message);
        public abstract void Write(string format, params object?[] args);
        public abstract void AddResultFile(string fileName);
    }

    /// What tests get: nobody reads what they write into it.
    internal sealed class WorkingTestContext : TestContext
    {
        public override IDictionary Properties { get; } = new Dictionary<string, object?>();
        public override void WriteLine(string? message) { }
        public override void WriteLine(string format, params object?[] args) { }
        public override void Write(string? message) { }
        public override void Write(string format, params object?[] args) { }
        public override void AddResultFile(string fileName) { }
    }

    public class UnitTestAssertException : Exception
    {
        public UnitTestAssertException() { }
        public UnitTestAssertException(string msg) : base(msg) { }
        public UnitTestAssertException(string msg, Exception? ex) : base(msg, ex) { }
    }

    public class AssertFailedException : UnitTestAssertException
    {
        public AssertFailedException() { }
        public AssertFailedException(string msg) : base(msg) { }
        public AssertFailedException(string msg, Exception? ex) : base(msg, ex) { }
    }

    public class AssertInconclusiveException : UnitTestAssertException
    {
        public AssertInconclusiveException() { }
        public AssertInconclusiveException(string msg) : base(msg) { }
    }
}

namespace Microsoft.VisualStudio.TestTools.UnitTesting.Logging
{
    public class Logger
    {
        public static void LogMessage(string format, params object?[] args) { }
    }
}
