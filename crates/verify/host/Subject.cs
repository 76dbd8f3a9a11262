// The assembly of tests and how everything that it needs is found.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.Loader;
using System.Text.Json;

namespace Cilantro.Verify.Running
{
    sealed class Subject
    {
        readonly string assembly;
        readonly Dictionary<string, string> paths = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        /// What is loaded once, whatever is loaded afresh: the test framework.
        readonly HashSet<string> shared;
        readonly List<(string Type, string Method)> tests;
        readonly Assembly usual;
        public readonly TestFramework Framework;

        public Subject(JsonElement request)
        {
            assembly = request.GetProperty("assembly").GetString();
            foreach (JsonElement path in request.GetProperty("references").EnumerateArray())
            {
                Offer(path.GetString());
            }
            shared = new HashSet<string>(request.GetProperty("shared").EnumerateArray().Select(name => name.GetString()), StringComparer.OrdinalIgnoreCase);
            tests = request.GetProperty("tests").EnumerateArray()
                .Select(test => (test.GetProperty("type").GetString(), test.GetProperty("method").GetString()))
                .ToList();
            Framework = TestFramework.Named(request.GetProperty("framework").GetString());
            AssemblyLoadContext.Default.Resolving += Resolve;
            usual = AssemblyLoadContext.Default.LoadFromAssemblyPath(assembly);
        }

        /// The tests, by number, in the assembly as it is loaded once.
        public Func<int, Test> Usual() => index => Find(usual, index);

        /// The tests in an assembly that is loaded now, with everything it refers to: all static fields are as at the start.
        public Func<int, Test> Afresh(AssemblyLoadContext context)
        {
            Assembly fresh = context.LoadFromAssemblyPath(assembly);
            return index => Find(fresh, index);
        }

        public AssemblyLoadContext NewContext() => new FreshContext(this);

        static readonly BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static;

        Test Find(Assembly within, int index)
        {
            (string typeName, string methodName) = tests[index];
            Type type = within.GetType(typeName, true);
            List<MethodInfo> methods = type.GetMethods(All | BindingFlags.DeclaredOnly).Where(method => method.Name == methodName).ToList();
            if (methods.Count == 0)
            {
                throw new MissingMethodException(typeName, methodName);
            }
            return new Test { Type = type, Methods = methods };
        }

        void Offer(string path)
        {
            string name = Path.GetFileNameWithoutExtension(path);
            if (!paths.ContainsKey(name))
            {
                paths.Add(name, path);
            }
            // What is not named may lie beside what is.
            folders.Add(Path.GetDirectoryName(path));
        }

        readonly HashSet<string> folders = new HashSet<string>();

        string Locate(string name)
        {
            if (paths.TryGetValue(name, out string path))
            {
                return path;
            }
            return folders.Select(folder => Path.Combine(folder, name + ".dll")).FirstOrDefault(File.Exists);
        }

        /// Asked when the runtime itself has no such assembly, or only an older one.
        Assembly Resolve(AssemblyLoadContext context, AssemblyName name)
        {
            string path = Locate(name.Name);
            if (path == null)
            {
                return null;
            }
            try
            {
                return AssemblyLoadContext.Default.LoadFromAssemblyPath(path);
            }
            catch (FileLoadException)
            {
                // The runtime's own, older one is loaded already: the newer one lives beside it.
                return newer.LoadFromAssemblyPath(path);
            }
        }

        readonly AssemblyLoadContext newer = new PlainContext();

        /// What the runtime brings is never loaded twice.
        static readonly HashSet<string> OfRuntime = new HashSet<string>(
            ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES") ?? "").Split(Path.PathSeparator).Select(Path.GetFileNameWithoutExtension),
            StringComparer.OrdinalIgnoreCase);

        sealed class PlainContext : AssemblyLoadContext
        {
            protected override Assembly Load(AssemblyName name) => null;
        }

        sealed class FreshContext : AssemblyLoadContext
        {
            readonly Subject subject;

            public FreshContext(Subject subject) : base(isCollectible: true)
            {
                this.subject = subject;
            }

            protected override Assembly Load(AssemblyName name)
            {
                bool usual = subject.shared.Contains(name.Name) || OfRuntime.Contains(name.Name);
                string path = usual ? null : subject.Locate(name.Name);
                return path == null ? null : LoadFromAssemblyPath(path);
            }
        }
    }
}
