// What the host needs of `AssemblyLoadContext`, for Mono, which has none: all assemblies share the application domain,
// which asks the context for those that the runtime does not find.

using System.IO;
using System.Reflection;

namespace System.Runtime.Loader
{
    abstract class AssemblyLoadContext
    {
        sealed class OfTheRuntime : AssemblyLoadContext
        {
            public OfTheRuntime() : base("Default") { }
        }

        public static readonly AssemblyLoadContext Default = new OfTheRuntime();
        static AssemblyLoadContext latest = Default;

        protected AssemblyLoadContext(string name)
        {
            AppDomain.CurrentDomain.AssemblyResolve += (sender, wanted) => Load(new AssemblyName(wanted.Name));
            latest = this;
        }

        public static AssemblyLoadContext GetLoadContext(Assembly assembly) => latest;

        public Assembly LoadFromAssemblyPath(string path) => Assembly.LoadFrom(path);

        public Assembly LoadFromAssemblyName(AssemblyName name) => Assembly.Load(name);

        protected virtual Assembly Load(AssemblyName name) => null;

        protected virtual IntPtr LoadUnmanagedDll(string name) => IntPtr.Zero;

        protected IntPtr LoadUnmanagedDllFromPath(string path) => IntPtr.Zero;

        public IDisposable EnterContextualReflection() => new MemoryStream();
    }
}
