// NUnit: one object for all tests of a class, unless it says otherwise.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace Cilantro.Verify.Running
{
    sealed class NUnitFramework : TestFramework
    {
        public override Fixture Open(Type type) => new NUnitFixture(type);

        public override Result Judge(Exception e)
        {
            switch (e.GetType().FullName)
            {
                case "NUnit.Framework.SuccessException": return Result.Passed;
                case "NUnit.Framework.IgnoreException":
                case "NUnit.Framework.InconclusiveException": return Result.Skipped(e.Message);
                default: return null;
            }
        }
    }

    sealed class NUnitFixture : Fixture
    {
        const string Space = "NUnit.Framework.";
        object instance;

        public NUnitFixture(Type type) : base(type) { }

        bool IsPerTest =>
            Attributes.Of(Type, Space + "FixtureLifeCycleAttribute").Any(attribute => Attributes.Positional(attribute).FirstOrDefault()?.ToString() == "InstancePerTestCase");

        public override Result Begin()
        {
            CustomAttributeData ignored = Attributes.Of(Type, Space + "IgnoreAttribute", Space + "ExplicitAttribute").FirstOrDefault();
            if (ignored != null)
            {
                return Result.Skipped(Attributes.Positional(ignored).FirstOrDefault() as string);
            }
            if (!IsPerTest && !(Type.IsAbstract && Type.IsSealed))
            {
                instance = Create();
            }
            CallAll(Marked(Space + "OneTimeSetUpAttribute"), instance);
            return Result.Passed;
        }

        public override Result End()
        {
            Finally(
                () => CallAll(Marked(Space + "OneTimeTearDownAttribute").Reverse(), instance),
                () => Dispose(instance));
            return Result.Passed;
        }

        object Create()
        {
            CustomAttributeData fixture = Attributes.Of(Type, Space + "TestFixtureAttribute").FirstOrDefault(attribute => Attributes.Positional(attribute).Length > 0);
            return Invocation.Create(Type, fixture == null ? new object[0] : Attributes.Positional(fixture));
        }

        protected override IEnumerable<Row> Rows(MethodInfo method)
        {
            CustomAttributeData ignored = Attributes.Of(method, Space + "IgnoreAttribute", Space + "ExplicitAttribute").FirstOrDefault();
            if (ignored != null)
            {
                return new[] { new Row { Skip = Attributes.Positional(ignored).FirstOrDefault() as string ?? "" } };
            }
            var rows = new List<Row>();
            foreach (CustomAttributeData attribute in method.GetCustomAttributesData())
            {
                AddRows(method, attribute, rows);
            }
            bool isTest = Attributes.Of(method, Space + "TestAttribute", Space + "TheoryAttribute").Any();
            if (rows.Count == 0 && method.GetParameters().Length > 0)
            {
                rows.AddRange(Combinations(method));
            }
            if (rows.Count == 0 && isTest)
            {
                rows.Add(Expecting(new Row(), Attributes.Of(method, Space + "TestAttribute").First()));
            }
            return rows.Count > 0 ? rows : throw new InvalidOperationException("The method has no attribute that makes it a test.");
        }

        void AddRows(MethodInfo method, CustomAttributeData attribute, List<Row> rows)
        {
            if (Attributes.Is(attribute.AttributeType, Space + "TestCaseAttribute"))
            {
                var skip = Attributes.Named(attribute, "Ignore") as string ?? Attributes.Named(attribute, "IgnoreReason") as string;
                rows.Add(Expecting(new Row { Arguments = Attributes.Positional(attribute), Skip = skip }, attribute));
            }
            else if (Attributes.Is(attribute.AttributeType, Space + "TestCaseSourceAttribute"))
            {
                int parameters = method.GetParameters().Length;
                rows.AddRange(Source(attribute).Cast<object>().Select(item => DataSources.AsRow(item, parameters)));
            }
        }

        System.Collections.IEnumerable Source(CustomAttributeData attribute)
        {
            object[] said = Attributes.Positional(attribute);
            Type owner = said.OfType<Type>().FirstOrDefault() ?? Type;
            string name = said.OfType<string>().FirstOrDefault();
            object[] arguments = said.OfType<object[]>().FirstOrDefault() ?? new object[0];
            return name == null ? DataSources.Class(owner) : DataSources.Member(owner, name, arguments);
        }

        static Row Expecting(Row row, CustomAttributeData attribute)
        {
            row.HasExpected = Attributes.Says(attribute, "ExpectedResult");
            row.Expected = Attributes.Named(attribute, "ExpectedResult");
            return row;
        }

        /// Every combination of the values at the parameters.
        IEnumerable<Row> Combinations(MethodInfo method)
        {
            IEnumerable<object[]> rows = new[] { new object[0] };
            foreach (ParameterInfo parameter in method.GetParameters())
            {
                List<object> values = Values(parameter);
                rows = rows.SelectMany(row => values.Select(value => row.Concat(new[] { value }).ToArray())).ToList();
            }
            return rows.Select(row => new Row { Arguments = row });
        }

        List<object> Values(ParameterInfo parameter)
        {
            Type type = parameter.ParameterType;
            CustomAttributeData values = Attributes.Of(parameter, Space + "ValuesAttribute").FirstOrDefault();
            object[] said = values == null ? new object[0] : Attributes.Positional(values);
            if (said.Length > 0)
            {
                return said.Select(value => Invocation.Converted(value, type)).ToList();
            }
            if (values != null && type == typeof(bool))
            {
                return new List<object> { true, false };
            }
            if (values != null && type.IsEnum)
            {
                return Enum.GetValues(type).Cast<object>().ToList();
            }
            CustomAttributeData range = Attributes.Of(parameter, Space + "RangeAttribute").FirstOrDefault();
            if (range != null)
            {
                return Range(Attributes.Positional(range)).Select(value => Invocation.Converted(value, type)).ToList();
            }
            CustomAttributeData source = Attributes.Of(parameter, Space + "ValueSourceAttribute").FirstOrDefault();
            return source != null ? Source(source).Cast<object>().ToList() : throw new InvalidOperationException("No arguments were provided");
        }

        static IEnumerable<object> Range(object[] said)
        {
            decimal from = Convert.ToDecimal(said[0]), to = Convert.ToDecimal(said[1]);
            decimal step = said.Length > 2 ? Convert.ToDecimal(said[2]) : Math.Sign(to - from);
            for (decimal value = from; step >= 0 ? value <= to : value >= to; value += step == 0 ? 1 : step)
            {
                yield return value;
            }
        }

        protected override void Run(MethodInfo method, Row row)
        {
            object on = IsPerTest ? Create() : instance;
            Finally(
                () =>
                {
                    CallAll(Marked(Space + "SetUpAttribute"), on);
                    object result = Invocation.Call(method, on, row.Arguments);
                    if (row.HasExpected)
                    {
                        Compare(row.Expected, result);
                    }
                },
                () => Finally(
                    () => CallAll(Marked(Space + "TearDownAttribute").Reverse(), on),
                    () =>
                    {
                        if (IsPerTest)
                        {
                            Dispose(on);
                        }
                    }));
        }

        /// By the framework's own notion of equality.
        void Compare(object expected, object actual)
        {
            Type attribute = Type.GetMethods(All).SelectMany(method => method.GetCustomAttributesData()).Select(data => data.AttributeType)
                .First(type => Attributes.Is(type, Space + "TestAttribute", Space + "TestCaseAttribute", Space + "TestCaseSourceAttribute"));
            while (attribute.Namespace != "NUnit.Framework")
            {
                attribute = attribute.BaseType;
            }
            Assembly framework = attribute.Assembly;
            MethodInfo equalTo = framework.GetType(Space + "Is").GetMethods().First(method => method.Name == "EqualTo" && !method.IsGenericMethod && method.GetParameters()[0].ParameterType == typeof(object));
            object constraint = equalTo.Invoke(null, new[] { expected });
            MethodInfo apply = constraint.GetType().GetMethods().First(method => method.Name == "ApplyTo" && method.GetParameters()[0].ParameterType.IsGenericParameter);
            object result = apply.MakeGenericMethod(typeof(object)).Invoke(constraint, new[] { actual });
            if (!(bool)result.GetType().GetProperty("IsSuccess").GetValue(result))
            {
                throw new InvalidOperationException("Expected: " + (expected ?? "null") + " But was: " + (actual ?? "null"));
            }
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
