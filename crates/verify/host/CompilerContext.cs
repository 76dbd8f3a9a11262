// Loads the compiler of an SDK, and what it brings along.

using System.IO;
using System.Reflection;
using System.Runtime.Loader;

namespace Cilantro.Verify
{
    sealed class CompilerContext : AssemblyLoadContext
    {
        readonly string folder;

        public CompilerContext(string folder)
        {
            this.folder = folder;
        }

        protected override Assembly Load(AssemblyName name)
        {
            string path = Path.Combine(folder, name.Name + ".dll");
            if (!File.Exists(path))
            {
                return null;
            }
            // What the runtime has as well is taken from the folder only where the runtime's is too old.
            bool isCompiler = name.Name.StartsWith("Microsoft.CodeAnalysis", System.StringComparison.Ordinal);
            return isCompiler || !RuntimeHas(name) ? LoadFromAssemblyPath(path) : null;
        }

        static bool RuntimeHas(AssemblyName name)
        {
            try
            {
                return Default.LoadFromAssemblyName(name) != null;
            }
            catch (IOException)
            {
                return false;
            }
            catch (System.BadImageFormatException)
            {
                return false;
            }
        }
    }
}
