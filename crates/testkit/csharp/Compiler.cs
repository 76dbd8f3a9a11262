// The C# compiler of the tests: Roslyn's libraries behind a small command line.
//
// Usage: csc12 JOB...   Each JOB is a file with one ordinary C# compiler option or source per line.
// All jobs are compiled in this one process, because starting Roslyn costs more than compiling a
// small file. A job's diagnostics are written to JOB.log; the exit code is the number of failed jobs.
//
// Written in C# 8, since the older compiler of the 3.1 SDK builds it.

using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.IO;
using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Emit;
using Microsoft.CodeAnalysis.Text;

static class Compiler
{
    static readonly Dictionary<string, AssemblyMetadata> s_metadata = new Dictionary<string, AssemblyMetadata>();

    static int Main(string[] jobs) => jobs.Count(job => !Compile(job));

    static bool Compile(string job)
    {
        var log = new StringBuilder();
        bool ok;
        try
        {
            ok = Compile(CSharpCommandLineParser.Default.Parse(File.ReadAllLines(job), Path.GetDirectoryName(Path.GetFullPath(job)), null), log);
        }
        catch (Exception e)
        {
            log.AppendLine(e.ToString());
            ok = false;
        }
        File.WriteAllText(job + ".log", log.ToString());
        return ok;
    }

    static bool Compile(CSharpCommandLineArguments arguments, StringBuilder log)
    {
        if (Report(arguments.Errors, log)) return false;

        string name = arguments.CompilationName ?? Path.GetFileNameWithoutExtension(arguments.OutputFileName);
        var compilation = CSharpCompilation.Create(
            name,
            arguments.SourceFiles.Select(file => Parse(file.Path, arguments.ParseOptions)),
            arguments.MetadataReferences.Select(Reference),
            arguments.CompilationOptions);

        string output = Path.Combine(arguments.OutputDirectory, arguments.OutputFileName ?? name + ".dll");
        bool separatePdb = arguments.EmitPdb && arguments.EmitOptions.DebugInformationFormat == DebugInformationFormat.PortablePdb;
        using var image = new MemoryStream();
        using var symbols = separatePdb ? new MemoryStream() : null;
        var options = arguments.EmitOptions.WithPdbFilePath(Path.GetFileName(Path.ChangeExtension(output, ".pdb")));
        var result = compilation.Emit(image, symbols, options: options);
        Report(result.Diagnostics, log);
        if (!result.Success) return false;

        File.WriteAllBytes(output, image.ToArray());
        if (symbols != null) File.WriteAllBytes(Path.ChangeExtension(output, ".pdb"), symbols.ToArray());
        return true;
    }

    // The path in the symbols must not depend on the folder the tests happen to run in.
    static SyntaxTree Parse(string path, CSharpParseOptions options)
    {
        byte[] bytes = File.ReadAllBytes(path);
        var text = SourceText.From(bytes, bytes.Length, Encoding.UTF8, SourceHashAlgorithm.Sha256);
        return CSharpSyntaxTree.ParseText(text, options, "/_/" + Path.GetFileName(path));
    }

    static MetadataReference Reference(CommandLineReference reference)
    {
        string path = Path.GetFullPath(reference.Reference);
        if (!s_metadata.TryGetValue(path, out var metadata))
            s_metadata[path] = metadata = AssemblyMetadata.CreateFromFile(path);
        return metadata.GetReference(filePath: path, aliases: reference.Properties.Aliases);
    }

    static bool Report(ImmutableArray<Diagnostic> diagnostics, StringBuilder log)
    {
        foreach (var diagnostic in diagnostics.Where(d => d.Severity >= DiagnosticSeverity.Warning))
            log.AppendLine(diagnostic.ToString());
        return diagnostics.Any(d => d.Severity == DiagnosticSeverity.Error);
    }
}
