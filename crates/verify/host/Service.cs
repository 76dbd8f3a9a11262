// The compiler service: keeps references, trees and compilations, and answers questions about them.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cilantro.Verify.Compiling
{
    /// Found by its name from the outer load context.
    public sealed class Service
    {
        readonly References references = new References();
        Workspace workspace;

        public string Handle(string line)
        {
            var buffer = new MemoryStream();
            using (var answer = new Utf8JsonWriter(buffer))
            {
                answer.WriteStartObject();
                try
                {
                    using (JsonDocument request = JsonDocument.Parse(line))
                    {
                        Handle(request.RootElement, answer);
                    }
                }
                catch (Exception e)
                {
                    // The compiler has given up on something; what it has said so far is part of an answer nobody reads.
                    return "{\"error\":" + JsonSerializer.Serialize(e.GetType().FullName + ": " + e.Message) + "}";
                }
                answer.WriteEndObject();
            }
            return Encoding.UTF8.GetString(buffer.ToArray());
        }

        void Handle(JsonElement request, Utf8JsonWriter answer)
        {
            switch (request.GetProperty("op").GetString())
            {
                case "open":
                    workspace = new Workspace(request, references);
                    workspace.WriteOutline(answer);
                    answer.WriteString("compiler", typeof(CSharpCompilation).Assembly.GetName().Version.ToString());
                    break;
                case "warm":
                    WarmUp(request);
                    break;
                case "check":
                    workspace.WriteDiagnostics(answer, workspace.Check(Numbers(request, "files")));
                    break;
                case "remove":
                    workspace.Remove(Numbers(request, "items"));
                    break;
                case "users":
                    WriteNumbers(answer, "users", workspace.Users(Numbers(request, "items")));
                    break;
                case "emit":
                    workspace.WriteDiagnostics(answer, workspace.Emit(request.GetProperty("path").GetString(), request.GetProperty("all").GetBoolean()));
                    break;
                case "texts":
                    workspace.WriteTexts(answer);
                    break;
                default:
                    throw new ArgumentException("an unknown request");
            }
        }

        /// The compiler is slow at first, so it compiles something before anybody waits for it.
        void WarmUp(JsonElement request)
        {
            const string sample =
                "using System; using System.Collections.Generic; using System.Linq;" +
                "class Sample { int field; public string Text(IEnumerable<int> items, Func<int, bool> chosen) {" +
                " var all = new List<string>(); foreach (var item in items.Where(chosen)) { try { all.Add($\"{item + field}\"); } catch (Exception e) { all.Add(e.Message); } }" +
                " return string.Join(\",\", all); } public void Run() => Console.WriteLine(Text(new[] { 1, 2 }, i => i > field)); }";
            List<string> framework = request.GetProperty("framework").EnumerateArray().Select(path => path.GetString()).ToList();
            var compilation = CSharpCompilation.Create(
                "Sample", new[] { CSharpSyntaxTree.ParseText(sample) }, references.Load(framework, new List<string>()),
                new CSharpCompilationOptions(Microsoft.CodeAnalysis.OutputKind.DynamicallyLinkedLibrary));
            compilation.Emit(new MemoryStream());
        }

        static List<int> Numbers(JsonElement request, string name) =>
            request.GetProperty(name).EnumerateArray().Select(number => number.GetInt32()).ToList();

        static void WriteNumbers(Utf8JsonWriter answer, string name, IEnumerable<int> numbers)
        {
            answer.WriteStartArray(name);
            foreach (int number in numbers)
            {
                answer.WriteNumberValue(number);
            }
            answer.WriteEndArray();
        }
    }
}
