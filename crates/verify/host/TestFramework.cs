// What the three families of frameworks have in common: attributes are known by their names, so that the real assemblies
// and the stand-ins are handled alike.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.ExceptionServices;

namespace Cilantro.Verify.Running
{
    abstract class TestFramework
    {
        public static TestFramework Named(string name)
        {
            switch (name)
            {
                case "xunit": return new XunitFramework();
                case "nunit": return new NUnitFramework();
                case "mstest": return new MSTestFramework();
                default: throw new ArgumentException("an unknown framework: " + name);
            }
        }

        public abstract Fixture Open(Type type);

        /// What an exception means that is not simply a failure; null when it is one.
        public virtual Result Judge(Exception e) => null;
    }

    /// A class of tests while its tests run.
    abstract class Fixture
    {
        protected const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static;

        protected readonly Type Type;

        protected Fixture(Type type)
        {
            Type = type;
        }

        public virtual Result Begin() => Result.Passed;

        public virtual Result End() => Result.Passed;

        /// All rows of data must pass.
        public Result Run(Test test)
        {
            Result skipped = null;
            foreach (MethodInfo method in test.Methods)
            {
                foreach (Row row in Rows(method))
                {
                    if (row.Skip != null)
                    {
                        skipped = Result.Skipped(row.Skip);
                        continue;
                    }
                    Run(Invocation.Close(method, row.Arguments), row);
                }
            }
            return skipped ?? Result.Passed;
        }

        protected abstract IEnumerable<Row> Rows(MethodInfo method);

        /// Throws when the test fails.
        protected abstract void Run(MethodInfo method, Row row);

        /// Methods with an attribute, those of base classes first.
        protected IEnumerable<MethodInfo> Marked(params string[] attributes)
        {
            var types = new List<Type>();
            for (Type type = Type; type != null && type != typeof(object); type = type.BaseType)
            {
                types.Insert(0, type);
            }
            // An overridden method is called once, as itself.
            var seen = new HashSet<MethodInfo>();
            foreach (Type type in types)
            {
                foreach (MethodInfo method in type.GetMethods(All | BindingFlags.DeclaredOnly))
                {
                    if (Attributes.Of(method, attributes).Any() && seen.Add(method.GetBaseDefinition()))
                    {
                        yield return method;
                    }
                }
            }
        }

        protected static void Dispose(object instance)
        {
            switch (instance)
            {
                case IAsyncDisposable disposable:
                    disposable.DisposeAsync().AsTask().GetAwaiter().GetResult();
                    break;
                case IDisposable disposable:
                    disposable.Dispose();
                    break;
            }
        }

        /// Does the second part whatever the first one does; the first exception counts.
        protected static void Finally(Action first, Action second)
        {
            ExceptionDispatchInfo thrown = null;
            try
            {
                first();
            }
            catch (Exception e)
            {
                thrown = ExceptionDispatchInfo.Capture(e);
            }
            try
            {
                second();
            }
            catch (Exception) when (thrown != null)
            {
            }
            thrown?.Throw();
        }
    }

    /// One call of a test.
    sealed class Row
    {
        public object[] Arguments = new object[0];
        public string Skip;
        public bool HasExpected;
        public object Expected;
    }
}
