// Metadata of the assemblies that tests refer to, read once however many compilations want it.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection.Metadata;
using Microsoft.CodeAnalysis;

namespace Cilantro.Verify.Compiling
{
    sealed class References
    {
        readonly Dictionary<string, (DateTime Written, AssemblyMetadata Metadata)> known =
            new Dictionary<string, (DateTime, AssemblyMetadata)>();

        /// The named assemblies, and those beside them that they need. What is no assembly is left out.
        public List<MetadataReference> Load(IEnumerable<string> paths, List<string> unreadable)
        {
            var found = new Dictionary<string, MetadataReference>(StringComparer.OrdinalIgnoreCase);
            var open = new Queue<string>(paths);
            var result = new List<MetadataReference>();
            var named = new HashSet<string>(open.Select(Path.GetFileNameWithoutExtension), StringComparer.OrdinalIgnoreCase);
            while (open.Count > 0)
            {
                string path = open.Dequeue();
                AssemblyMetadata metadata = Read(path);
                if (metadata == null)
                {
                    unreadable.Add(path);
                    continue;
                }
                result.Add(metadata.GetReference(filePath: path));
                foreach (string beside in Beside(path, metadata).Where(other => named.Add(Path.GetFileNameWithoutExtension(other))))
                {
                    open.Enqueue(beside);
                }
            }
            return result;
        }

        AssemblyMetadata Read(string path)
        {
            try
            {
                DateTime written = File.GetLastWriteTimeUtc(path);
                if (known.TryGetValue(path, out var before) && before.Written == written)
                {
                    return before.Metadata;
                }
                // Not mapped: the file may be built anew while we look at it.
                AssemblyMetadata metadata = AssemblyMetadata.CreateFromImage(File.ReadAllBytes(path));
                if (!metadata.GetModules()[0].GetMetadataReader().IsAssembly)
                {
                    return null;
                }
                known[path] = (written, metadata);
                return metadata;
            }
            catch (Exception e) when (e is IOException || e is BadImageFormatException || e is UnauthorizedAccessException)
            {
                return null;
            }
        }

        static IEnumerable<string> Beside(string path, AssemblyMetadata metadata)
        {
            MetadataReader reader = metadata.GetModules()[0].GetMetadataReader();
            string folder = Path.GetDirectoryName(path);
            foreach (AssemblyReferenceHandle handle in reader.AssemblyReferences)
            {
                string other = Path.Combine(folder, reader.GetString(reader.GetAssemblyReference(handle).Name) + ".dll");
                if (File.Exists(other))
                {
                    yield return other;
                }
            }
        }
    }
}
