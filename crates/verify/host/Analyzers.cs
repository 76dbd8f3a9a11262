// The analyzers that a test framework's packages bring: their warnings are warnings of the user's project.

using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.Loader;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Cilantro.Verify.Compiling
{
    sealed class Analyzers
    {
        readonly ImmutableArray<DiagnosticAnalyzer> all;

        public Analyzers(List<string> paths)
        {
            var loader = new Loader();
            all = paths.SelectMany(path => new AnalyzerFileReference(path, loader).GetAnalyzers(LanguageNames.CSharp)).ToImmutableArray();
        }

        /// About some trees; about all when none is named.
        public IEnumerable<Diagnostic> Run(CSharpCompilation compilation, List<SyntaxTree> some)
        {
            if (all.IsEmpty)
            {
                return Enumerable.Empty<Diagnostic>();
            }
            var options = new CompilationWithAnalyzersOptions(new AnalyzerOptions(ImmutableArray<AdditionalText>.Empty), null, true, false);
            var analysis = new CompilationWithAnalyzers(compilation, all, options);
            IEnumerable<Diagnostic> found = some.Count == 0 ? analysis.GetAnalyzerDiagnosticsAsync().Result : some.SelectMany(tree => About(analysis, compilation, tree));
            // An analyzer that fails says nothing about the tests.
            return found.Where(diagnostic => diagnostic.Id != "AD0001").ToList();
        }

        static IEnumerable<Diagnostic> About(CompilationWithAnalyzers analysis, CSharpCompilation compilation, SyntaxTree tree)
        {
            ImmutableArray<Diagnostic> syntax = analysis.GetAnalyzerSyntaxDiagnosticsAsync(tree, CancellationToken.None).Result;
            ImmutableArray<Diagnostic> semantic = analysis.GetAnalyzerSemanticDiagnosticsAsync(compilation.GetSemanticModel(tree), null, CancellationToken.None).Result;
            return syntax.Concat(semantic);
        }

        /// Beside the compiler, whose types they use.
        sealed class Loader : IAnalyzerAssemblyLoader
        {
            readonly AssemblyLoadContext context = AssemblyLoadContext.GetLoadContext(Assembly.GetExecutingAssembly());
            readonly HashSet<string> folders = new HashSet<string>();

            public Loader()
            {
                context.Resolving += (_, name) =>
                    folders.Select(folder => Path.Combine(folder, name.Name + ".dll")).Where(File.Exists).Select(context.LoadFromAssemblyPath).FirstOrDefault();
            }

            public void AddDependencyLocation(string fullPath) => folders.Add(Path.GetDirectoryName(fullPath));

            public Assembly LoadFromPath(string fullPath)
            {
                AddDependencyLocation(fullPath);
                return context.LoadFromAssemblyPath(fullPath);
            }
        }
    }
}
