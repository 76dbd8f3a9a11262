// The assembly under test: loading it beside its dependencies, and finding types and methods in it.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.Loader;

namespace Cilantro.Replay
{
    sealed class Subject
    {
        const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

        public readonly Assembly Assembly;
        readonly Dictionary<string, Type> types = new Dictionary<string, Type>();

        Subject(Assembly assembly)
        {
            Assembly = assembly;
        }

        /// With a copy, its code is what runs; everything else is looked for beside the original.
        public static Subject Load(string path, string copy)
        {
            path = Path.GetFullPath(path);
            var context = new FolderContext(Path.GetDirectoryName(path));
            AssemblyName name = AssemblyName.GetAssemblyName(path);
            // A library of the framework is already chosen by the runtime: a second copy would be another library.
            bool framework = context.FrameworkPath(name.Name) is string known && Path.GetFullPath(known) == path;
            return new Subject(framework || name.Name == "System.Private.CoreLib" ? AssemblyLoadContext.Default.LoadFromAssemblyName(name) : context.LoadFromAssemblyPath(copy ?? path));
        }

        /// The method of a case: by token, and by name and parameters when the token means something else by now.
        public MethodBase FindMethod(Dictionary<string, object> method)
        {
            Type owner = FindType((string)method["type"]);
            string name = (string)method["name"];
            var parameters = Json.List(method, "parameters").Select(p => TypeName.Plain((string)((Dictionary<string, object>)p)["type"])).ToList();
            var arguments = Json.List(method, "generic_arguments").Select(a => FindType((string)a)).ToArray();
            int token = Convert.ToInt32(((string)method["token"]).Substring(2), 16);

            MethodBase found = Instantiate(ByToken(owner, token), arguments);
            if (found == null || !Matches(found, name, parameters))
            {
                found = owner.GetMethods(Declared).Cast<MethodBase>().Concat(owner.GetConstructors(Declared))
                    .Select(m => Instantiate(m, arguments)).FirstOrDefault(m => m != null && Matches(m, name, parameters));
            }
            return found ?? throw new CannotRun("the assembly has no method " + method["id"]);
        }

        public Type FindType(string name)
        {
            if (!types.TryGetValue(name, out Type type))
            {
                type = TypeName.Resolve(name, FindDefinition) ?? throw new CannotRun("there is no type " + name);
                types[name] = type;
            }
            return type;
        }

        Type FindDefinition(string name)
        {
            return Assembly.GetType(name) ?? typeof(object).Assembly.GetType(name)
                ?? References().Select(a => a.GetType(name)).FirstOrDefault(t => t != null);
        }

        /// Everything the assembly refers to, nearest first.
        IEnumerable<Assembly> References()
        {
            var seen = new HashSet<string>();
            var queue = new Queue<Assembly>();
            queue.Enqueue(Assembly);
            AssemblyLoadContext context = AssemblyLoadContext.GetLoadContext(Assembly);
            while (queue.Count > 0)
            {
                foreach (AssemblyName name in queue.Dequeue().GetReferencedAssemblies())
                {
                    if (!seen.Add(name.Name)) continue;
                    Assembly next = null;
                    try { next = context.LoadFromAssemblyName(name); }
                    catch (Exception e) when (e is IOException || e is BadImageFormatException) { }
                    if (next == null) continue;
                    yield return next;
                    queue.Enqueue(next);
                }
            }
        }

        MethodBase ByToken(Type owner, int token)
        {
            try
            {
                MethodBase open = owner.Module.ResolveMethod(token);
                if (open.DeclaringType == null) return open;
                Type definition = owner.IsGenericType ? owner.GetGenericTypeDefinition() : owner;
                return open.DeclaringType == definition ? MethodBase.GetMethodFromHandle(open.MethodHandle, owner.TypeHandle) : null;
            }
            catch (Exception e) when (e is ArgumentException || e is BadImageFormatException)
            {
                return null;
            }
        }

        static MethodBase Instantiate(MethodBase method, Type[] arguments)
        {
            if (method == null || !method.IsGenericMethodDefinition) return arguments.Length == 0 ? method : null;
            return method.GetGenericArguments().Length == arguments.Length ? ((MethodInfo)method).MakeGenericMethod(arguments) : null;
        }

        static bool Matches(MethodBase method, string name, List<string> parameters)
        {
            return method.Name == name
                && method.GetParameters().Select(p => TypeName.Of(p.ParameterType.IsByRef ? p.ParameterType.GetElementType() : p.ParameterType)).SequenceEqual(parameters);
        }
    }

    /// Dependencies come from the folder of the assembly or from the framework, whichever has the newer version.
    sealed class FolderContext : AssemblyLoadContext
    {
        readonly string folder;
        readonly Dictionary<string, string> framework = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);

        public FolderContext(string folder) : base("replay")
        {
            this.folder = folder;
            foreach (string path in ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES") ?? "").Split(Path.PathSeparator))
            {
                if (path.Length > 0) framework[Path.GetFileNameWithoutExtension(path)] = path;
            }
        }

        public string FrameworkPath(string name) => framework.TryGetValue(name, out string path) ? path : null;

        protected override Assembly Load(AssemblyName name)
        {
            // Resources in a language: the runtime would look for them beside the copy.
            if (!string.IsNullOrEmpty(name.CultureName))
            {
                string resources = Path.Combine(folder, name.CultureName, name.Name + ".dll");
                return File.Exists(resources) ? LoadFromAssemblyPath(resources) : null;
            }
            string near = Path.Combine(folder, name.Name + ".dll");
            if (!File.Exists(near)) near = Path.Combine(folder, name.Name + ".exe");
            if (!File.Exists(near)) return null;
            string known = FrameworkPath(name.Name);
            return known == null || Version(near) > Version(known) ? LoadFromAssemblyPath(near) : null;
        }

        static Version Version(string path)
        {
            try { return AssemblyName.GetAssemblyName(path).Version ?? new Version(); }
            catch (Exception e) when (e is IOException || e is BadImageFormatException) { return new Version(); }
        }

        protected override IntPtr LoadUnmanagedDll(string name)
        {
            foreach (string file in new[] { name, name + ".so", "lib" + name + ".so", name + ".dll", "lib" + name + ".dylib" })
            {
                string path = Path.Combine(folder, file);
                if (File.Exists(path)) return LoadUnmanagedDllFromPath(path);
            }
            return IntPtr.Zero;
        }
    }
}
