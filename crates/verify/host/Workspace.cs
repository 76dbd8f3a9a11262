// The files of one project and their compilations: the same trees under every setting that a user's project may have.

using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Emit;

namespace Cilantro.Verify.Compiling
{
    sealed partial class Workspace
    {
        readonly List<SourceFile> files = new List<SourceFile>();
        readonly List<Item> items = new List<Item>();
        readonly List<string> unreadable = new List<string>();
        readonly List<CSharpCompilation> compilations = new List<CSharpCompilation>();
        readonly CSharpParseOptions parseOptions;
        readonly Analyzers analyzers;

        public Workspace(JsonElement request, References references)
        {
            parseOptions = ParseOptions(request.GetProperty("language").GetString(), Texts(request, "defines"));
            foreach (JsonElement file in request.GetProperty("files").EnumerateArray())
            {
                var source = new SourceFile(file.GetProperty("path").GetString(), file.GetProperty("text").GetString(), parseOptions);
                Outline.Add(files.Count, (CompilationUnitSyntax)source.Tree.GetRoot(), Texts(file, "tests"), items);
                files.Add(source);
            }
            // A framework's pack is full of references to itself; what stands beside one of its assemblies is in it anyway.
            List<MetadataReference> all = references.Load(Texts(request, "framework"), new List<string>());
            all.AddRange(references.Load(Texts(request, "references"), unreadable));
            analyzers = new Analyzers(Texts(request, "analyzers"));
            foreach (JsonElement setting in request.GetProperty("settings").EnumerateArray())
            {
                compilations.Add(Create(request, setting, all));
            }
        }

        CSharpCompilation Create(JsonElement request, JsonElement setting, List<MetadataReference> references)
        {
            CSharpCompilation compilation = CSharpCompilation.Create(
                request.GetProperty("name").GetString(), files.Select(file => file.Tree), references, Options(request, setting));
            // Languages before C# 10 have no global usings, and no project that wants them.
            bool global = (int)parseOptions.LanguageVersion >= 1000;
            string usings = global ? ImplicitUsings(Texts(setting, "usings"), compilation) : "";
            return usings.Length == 0
                ? compilation
                : compilation.AddSyntaxTrees(CSharpSyntaxTree.ParseText(usings, parseOptions, "GlobalUsings.g.cs", Encoding.UTF8));
        }

        static CSharpParseOptions ParseOptions(string language, IEnumerable<string> defines)
        {
            // A project of a target newer than the compiler does not exist; the newest language of the compiler is next to it.
            LanguageVersion version = LanguageVersionFacts.TryParse(language, out LanguageVersion known) ? known : LanguageVersion.Latest;
            return new CSharpParseOptions(version, DocumentationMode.None, SourceCodeKind.Regular, defines);
        }

        static CSharpCompilationOptions Options(JsonElement request, JsonElement setting)
        {
            var suppressed = Texts(request, "nowarn").ToDictionary(id => id, id => ReportDiagnostic.Suppress);
            var options = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary)
                .WithOptimizationLevel(OptimizationLevel.Debug)
                .WithAllowUnsafe(request.GetProperty("unsafe").GetBoolean())
                .WithOverflowChecks(request.GetProperty("checked").GetBoolean())
                .WithWarningLevel(WarningLevel(request.GetProperty("warnings").GetInt32()))
                .WithSpecificDiagnosticOptions(suppressed)
                .WithNullableContextOptions(setting.GetProperty("nullable").GetBoolean() ? NullableContextOptions.Enable : NullableContextOptions.Disable)
                .WithAssemblyIdentityComparer(DesktopAssemblyIdentityComparer.Default);
            string key = request.GetProperty("public_key").GetString();
            return key == null ? options : options.WithCryptoPublicKey(Bytes(key)).WithPublicSign(true);
        }

        /// Compilers before C# 9 know four levels.
        static int WarningLevel(int wanted)
        {
            Version version = typeof(CSharpCompilation).Assembly.GetName().Version;
            return version < new Version(3, 8) ? Math.Min(wanted, 4) : wanted;
        }

        string ImplicitUsings(IEnumerable<string> namespaces, CSharpCompilation compilation)
        {
            var text = new StringBuilder();
            foreach (string name in namespaces.Where(name => Exists(compilation, name)))
            {
                text.Append("global using global::").Append(name).Append(";\n");
            }
            return text.ToString();
        }

        static bool Exists(CSharpCompilation compilation, string name)
        {
            INamespaceSymbol space = compilation.GlobalNamespace;
            foreach (string part in name.Split('.'))
            {
                space = space?.GetNamespaceMembers().FirstOrDefault(inner => inner.Name == part);
            }
            return space != null;
        }

        public void Remove(IEnumerable<int> ids)
        {
            foreach (var group in ids.Select(id => items[id]).GroupBy(item => item.File))
            {
                SourceFile file = files[group.Key];
                SyntaxTree before = file.Tree;
                file.Remove(group);
                for (int i = 0; i < compilations.Count; i++)
                {
                    compilations[i] = compilations[i].ReplaceSyntaxTree(before, file.Tree);
                }
            }
        }

        /// Errors and warnings of some files; of everything when none is named.
        public IEnumerable<Found> Check(List<int> some)
        {
            foreach (CSharpCompilation compilation in compilations)
            {
                IEnumerable<Diagnostic> found = some.SelectMany(file => compilation.GetSemanticModel(files[file].Tree).GetDiagnostics());
                found = some.Count == 0 ? compilation.GetDiagnostics() : found;
                foreach (Diagnostic diagnostic in found)
                {
                    yield return Describe(diagnostic);
                }
            }
            foreach (Diagnostic diagnostic in analyzers.Run(compilations[0], some.Select(file => files[file].Tree).ToList()))
            {
                yield return Describe(diagnostic);
            }
        }

        /// Writes the assembly with its symbols; what the first setting or any of them has to say comes back.
        public List<Found> Emit(string path, bool allSettings)
        {
            var all = new List<Found>();
            using (var image = new MemoryStream())
            using (var symbols = new MemoryStream())
            {
                var options = new EmitOptions(debugInformationFormat: DebugInformationFormat.PortablePdb, pdbFilePath: Path.ChangeExtension(path, ".pdb"));
                EmitResult result = compilations[0].Emit(image, symbols, options: options);
                all.AddRange(result.Diagnostics.Select(Describe));
                if (result.Success)
                {
                    File.WriteAllBytes(path, image.ToArray());
                    File.WriteAllBytes(Path.ChangeExtension(path, ".pdb"), symbols.ToArray());
                }
            }
            if (allSettings)
            {
                foreach (CSharpCompilation other in compilations.Skip(1))
                {
                    all.AddRange(other.GetDiagnostics().Select(Describe));
                }
                all.AddRange(analyzers.Run(compilations[0], new List<SyntaxTree>()).Select(Describe));
            }
            return all;
        }

        public void WriteTexts(Utf8JsonWriter answer)
        {
            answer.WriteStartArray("texts");
            foreach (SourceFile file in files)
            {
                if (file.IsGone)
                {
                    answer.WriteNullValue();
                }
                else
                {
                    answer.WriteStringValue(file.Tidied());
                }
            }
            answer.WriteEndArray();
        }

        static ImmutableArray<byte> Bytes(string hex) =>
            Enumerable.Range(0, hex.Length / 2).Select(i => Convert.ToByte(hex.Substring(2 * i, 2), 16)).ToImmutableArray();

        static List<string> Texts(JsonElement element, string name) =>
            element.GetProperty(name).EnumerateArray().Select(text => text.GetString()).ToList();
    }
}
