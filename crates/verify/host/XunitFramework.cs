// xUnit: a new object for every test, data from attributes, fixtures through constructors.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace Cilantro.Verify.Running
{
    sealed class XunitFramework : TestFramework
    {
        public override Fixture Open(Type type) => new XunitFixture(type);

        public override Result Judge(Exception e)
        {
            // `Assert.Skip` of the third version.
            const string mark = "$XunitDynamicSkip$";
            return e.Message != null && e.Message.StartsWith(mark, StringComparison.Ordinal) ? Result.Skipped(e.Message.Substring(mark.Length)) : null;
        }
    }

    sealed class XunitFixture : Fixture
    {
        readonly List<object> fixtures = new List<object>();

        public XunitFixture(Type type) : base(type) { }

        public override Result Begin()
        {
            foreach (Type wanted in FixtureTypes())
            {
                object fixture = Create(wanted);
                fixtures.Add(fixture);
                Lifetime(fixture, "InitializeAsync");
            }
            return Result.Passed;
        }

        public override Result End()
        {
            foreach (object fixture in Enumerable.Reverse(fixtures))
            {
                Leave(fixture);
            }
            return Result.Passed;
        }

        /// Of the class first, then of its collection. Each pass over a class has its own.
        IEnumerable<Type> FixtureTypes()
        {
            var collection = new List<Type>();
            foreach (CustomAttributeData attribute in Attributes.Of(Type, "Xunit.CollectionAttribute", "Xunit.CollectionAttribute`1"))
            {
                collection.AddRange(Definitions(attribute).SelectMany(type => Arguments(type, "Xunit.ICollectionFixture`1")));
            }
            return collection.Concat(Arguments(Type, "Xunit.IClassFixture`1")).Distinct();
        }

        IEnumerable<Type> Definitions(CustomAttributeData attribute)
        {
            object name = Attributes.Positional(attribute).FirstOrDefault() ?? attribute.AttributeType.GetGenericArguments().FirstOrDefault();
            if (name is Type type)
            {
                return new[] { type };
            }
            return Type.Assembly.GetTypes().Where(candidate =>
                Attributes.Of(candidate, "Xunit.CollectionDefinitionAttribute").Any(definition => Equals(Attributes.Positional(definition).FirstOrDefault(), name)));
        }

        static IEnumerable<Type> Arguments(Type type, string definition) =>
            type.GetInterfaces()
                .Where(face => face.IsGenericType && face.GetGenericTypeDefinition().FullName == definition)
                .Select(face => face.GetGenericArguments()[0]);

        protected override IEnumerable<Row> Rows(MethodInfo method)
        {
            CustomAttributeData fact = Attributes.Of(method, "Xunit.FactAttribute").FirstOrDefault();
            if (fact == null)
            {
                throw new InvalidOperationException("The method has no attribute that makes it a test.");
            }
            if (Attributes.Named(fact, "Skip") is string why)
            {
                return new[] { new Row { Skip = why } };
            }
            bool isTheory = Attributes.Is(fact.AttributeType, "Xunit.TheoryAttribute");
            if (!isTheory && method.GetParameters().Length > 0)
            {
                throw new InvalidOperationException("[Fact] methods are not allowed to have parameters");
            }
            return isTheory ? Data(method) : new List<Row> { new Row() };
        }

        List<Row> Data(MethodInfo method)
        {
            int parameters = method.GetParameters().Length;
            var rows = new List<Row>();
            foreach (CustomAttributeData attribute in method.GetCustomAttributesData())
            {
                string skip = Attributes.Named(attribute, "Skip") as string;
                object[] said = Attributes.Positional(attribute);
                var found = new List<Row>();
                if (Attributes.Is(attribute.AttributeType, "Xunit.InlineDataAttribute"))
                {
                    found.Add(new Row { Arguments = said });
                }
                else if (Attributes.Is(attribute.AttributeType, "Xunit.MemberDataAttribute"))
                {
                    var owner = (Type)Attributes.Named(attribute, "MemberType", method.ReflectedType);
                    found.AddRange(DataSources.Member(owner, (string)said[0], said.Skip(1).ToArray()).Cast<object>().Select(item => DataSources.AsRow(item, parameters)));
                }
                else if (Attributes.Is(attribute.AttributeType, "Xunit.ClassDataAttribute", "Xunit.ClassDataAttribute`1"))
                {
                    Type source = said.FirstOrDefault() as Type ?? attribute.AttributeType.GetGenericArguments()[0];
                    found.AddRange(DataSources.Class(source).Cast<object>().Select(item => DataSources.AsRow(item, parameters)));
                }
                foreach (Row row in found)
                {
                    row.Skip ??= skip;
                    rows.Add(row);
                }
            }
            return rows.Count > 0 ? rows : throw new InvalidOperationException("No data found for " + method.DeclaringType + "." + method.Name);
        }

        protected override void Run(MethodInfo method, Row row)
        {
            object instance = method.IsStatic ? null : Create(Type);
            Finally(
                () =>
                {
                    Lifetime(instance, "InitializeAsync");
                    Invocation.Call(method, instance, row.Arguments);
                },
                () => Leave(instance));
        }

        object Create(Type type)
        {
            ConstructorInfo constructor = type.GetConstructors().FirstOrDefault();
            object[] arguments = constructor?.GetParameters().Select(Argument).ToArray() ?? new object[0];
            return Invocation.Create(type, arguments);
        }

        object Argument(ParameterInfo parameter)
        {
            object fixture = fixtures.FirstOrDefault(parameter.ParameterType.IsInstanceOfType);
            if (fixture == null && parameter.ParameterType.IsInterface)
            {
                // An output helper or a message sink: nobody reads what it gets.
                MethodInfo create = typeof(DispatchProxy).GetMethods().First(method => method.Name == "Create" && method.IsGenericMethodDefinition);
                return create.MakeGenericMethod(parameter.ParameterType, typeof(Silent)).Invoke(null, null);
            }
            return fixture ?? (parameter.HasDefaultValue ? parameter.DefaultValue : throw new InvalidOperationException(
                "The following constructor parameters did not have matching fixture data: " + parameter));
        }

        /// `IAsyncLifetime`, whose methods give tasks of one kind or the other.
        static void Lifetime(object instance, string name)
        {
            Type face = instance?.GetType().GetInterface("Xunit.IAsyncLifetime");
            MethodInfo method = face?.GetMethod(name);
            if (method != null)
            {
                Invocation.Call(method, instance);
            }
        }

        static void Leave(object instance)
        {
            Lifetime(instance, "DisposeAsync");
            if (instance is IDisposable disposable)
            {
                disposable.Dispose();
            }
            else if (instance is IAsyncDisposable && instance.GetType().GetInterface("Xunit.IAsyncLifetime") == null)
            {
                Dispose(instance);
            }
        }
    }

    /// Implements an interface by doing nothing.
    public class Silent : DispatchProxy
    {
        protected override object Invoke(MethodInfo method, object[] arguments) =>
            method.ReturnType.IsValueType && method.ReturnType != typeof(void) ? Activator.CreateInstance(method.ReturnType) : null;
    }
}
