// MSTest: a new object for every test; static methods around a class and around the assembly.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace Cilantro.Verify.Running
{
    sealed class MSTestFramework : TestFramework
    {
        public const string Space = "Microsoft.VisualStudio.TestTools.UnitTesting.";
        readonly HashSet<Assembly> begun = new HashSet<Assembly>();

        public override Fixture Open(Type type) => new MSTestFixture(type, begun.Add(type.Assembly));

        public override Result Judge(Exception e) =>
            e.GetType().FullName == Space + "AssertInconclusiveException" ? Result.Skipped(e.Message) : null;
    }

    sealed class MSTestFixture : Fixture
    {
        const string Space = MSTestFramework.Space;
        readonly bool isFirst;

        public MSTestFixture(Type type, bool isFirst) : base(type)
        {
            this.isFirst = isFirst;
        }

        public override Result Begin()
        {
            if (Attributes.Of(Type, Space + "IgnoreAttribute").FirstOrDefault() is CustomAttributeData ignored)
            {
                return Result.Skipped(Attributes.Positional(ignored).FirstOrDefault() as string);
            }
            if (!Attributes.Of(Type, Space + "TestClassAttribute").Any())
            {
                throw new InvalidOperationException("The class has no attribute that makes it a class of tests.");
            }
            if (isFirst)
            {
                CallStatic(Type.Assembly.GetTypes().SelectMany(type => type.GetMethods(All)).Where(method => Attributes.Of(method, Space + "AssemblyInitializeAttribute").Any()));
            }
            CallStatic(Marked(Space + "ClassInitializeAttribute").Where(method => method.DeclaringType == Type || IsInherited(method)));
            return Result.Passed;
        }

        static bool IsInherited(MethodInfo method) =>
            Attributes.Of(method, Space + "ClassInitializeAttribute").Any(attribute => Attributes.Positional(attribute).FirstOrDefault()?.ToString() == "BeforeEachDerivedClass");

        public override Result End()
        {
            CallStatic(Marked(Space + "ClassCleanupAttribute").Where(method => method.DeclaringType == Type));
            return Result.Passed;
        }

        void CallStatic(IEnumerable<MethodInfo> methods)
        {
            foreach (MethodInfo method in methods)
            {
                Invocation.Call(method, null, method.GetParameters().Length == 0 ? new object[0] : new[] { Context(method.GetParameters()[0].ParameterType) });
            }
        }

        protected override IEnumerable<Row> Rows(MethodInfo method)
        {
            CustomAttributeData test = Attributes.Of(method, Space + "TestMethodAttribute").FirstOrDefault();
            if (test == null)
            {
                throw new InvalidOperationException("The method has no attribute that makes it a test.");
            }
            if (Attributes.Of(method, Space + "IgnoreAttribute").FirstOrDefault() is CustomAttributeData ignored)
            {
                return new[] { new Row { Skip = Attributes.Positional(ignored).FirstOrDefault() as string ?? "" } };
            }
            int parameters = method.GetParameters().Length;
            var rows = new List<Row>();
            foreach (CustomAttributeData attribute in method.GetCustomAttributesData())
            {
                object[] said = Attributes.Positional(attribute);
                if (Attributes.Is(attribute.AttributeType, Space + "DataRowAttribute"))
                {
                    rows.Add(new Row { Arguments = said, Skip = Attributes.Named(attribute, "IgnoreMessage") as string });
                }
                else if (Attributes.Is(attribute.AttributeType, Space + "DynamicDataAttribute"))
                {
                    Type owner = said.OfType<Type>().FirstOrDefault() ?? method.DeclaringType;
                    object[] arguments = said.OfType<object[]>().FirstOrDefault() ?? new object[0];
                    rows.AddRange(DataSources.Member(owner, (string)said[0], arguments).Cast<object>().Select(item => DataSources.AsRow(item, parameters)));
                }
            }
            return rows.Count > 0 ? rows : parameters == 0 ? new List<Row> { new Row() } : throw new InvalidOperationException("The test has parameters and no data.");
        }

        protected override void Run(MethodInfo method, Row row)
        {
            object instance = method.IsStatic ? null : Invocation.Create(Type);
            PropertyInfo context = Type.GetProperty("TestContext", All);
            if (context != null && context.CanWrite && instance != null)
            {
                context.SetValue(instance, Context(context.PropertyType));
            }
            Finally(
                () =>
                {
                    CallAll(Marked(Space + "TestInitializeAttribute"), instance);
                    Expecting(method, () => Invocation.Call(method, instance, row.Arguments));
                },
                () => Finally(
                    () => CallAll(Marked(Space + "TestCleanupAttribute").Reverse(), instance),
                    () => Dispose(instance)));
        }

        static void Expecting(MethodInfo method, Action call)
        {
            CustomAttributeData expected = Attributes.Of(method, Space + "ExpectedExceptionAttribute").FirstOrDefault();
            if (expected == null)
            {
                call();
                return;
            }
            var type = (Type)Attributes.Positional(expected)[0];
            bool derived = Attributes.Named(expected, "AllowDerivedTypes") is true;
            try
            {
                call();
            }
            catch (Exception e) when (e.GetType() == type || (derived && type.IsInstanceOfType(e)))
            {
                return;
            }
            throw new InvalidOperationException("Test method did not throw expected exception " + type.FullName + ".");
        }

        /// The stand-in brings a context that works; the real one is made by its own runner only.
        static object Context(Type type)
        {
            Type working = type.Assembly.GetType(Space + "WorkingTestContext");
            return working == null ? null : Activator.CreateInstance(working, true);
        }

        static void CallAll(IEnumerable<MethodInfo> methods, object on)
        {
            foreach (MethodInfo method in methods)
            {
                Invocation.Call(method, on);
            }
        }
    }
}
