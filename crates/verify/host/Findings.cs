// What the compiler says, by the parts that it says it about.

using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Cilantro.Verify.Compiling
{
    sealed class Found
    {
        public Diagnostic Diagnostic;
        /// Null: about the project.
        public Item Item;
        public int Line, Column, EndLine, EndColumn;
    }

    sealed partial class Workspace
    {
        public void WriteOutline(Utf8JsonWriter answer)
        {
            answer.WriteStartArray("items");
            foreach (Item item in items)
            {
                answer.WriteStartObject();
                answer.WriteNumber("file", item.File);
                answer.WriteString("kind", item.Kind);
                answer.WriteString("name", item.Name);
                answer.WriteString("type", item.Type);
                if (item.Parent != null)
                {
                    answer.WriteNumber("parent", item.Parent.Id);
                }
                WriteTexts(answer, "mentions", Mentioned(item));
                WriteTexts(answer, "declares", item.Declares.OrderBy(name => name, System.StringComparer.Ordinal));
                answer.WriteEndObject();
            }
            answer.WriteEndArray();
            WriteTexts(answer, "unreadable", unreadable);
        }

        /// Only names of helpers and classes of these files are of interest.
        IEnumerable<string> Mentioned(Item item)
        {
            declared ??= new HashSet<string>(items.SelectMany(other => other.Declares));
            return item.Mentions.Where(declared.Contains).OrderBy(name => name, System.StringComparer.Ordinal);
        }

        HashSet<string> declared;

        public void WriteDiagnostics(Utf8JsonWriter answer, IEnumerable<Found> all)
        {
            answer.WriteStartArray("diagnostics");
            foreach (Found found in all.Where(found => found.Diagnostic.Severity >= DiagnosticSeverity.Warning && !found.Diagnostic.IsSuppressed))
            {
                answer.WriteStartObject();
                answer.WriteString("id", found.Diagnostic.Id);
                answer.WriteBoolean("error", found.Diagnostic.Severity == DiagnosticSeverity.Error);
                answer.WriteString("message", found.Diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture));
                if (found.Item != null)
                {
                    answer.WriteNumber("item", found.Item.Id);
                    answer.WriteNumber("line", found.Line);
                    answer.WriteNumber("column", found.Column);
                    answer.WriteNumber("end_line", found.EndLine);
                    answer.WriteNumber("end_column", found.EndColumn);
                }
                answer.WriteEndObject();
            }
            answer.WriteEndArray();
        }

        Found Describe(Diagnostic diagnostic)
        {
            var found = new Found { Diagnostic = diagnostic };
            int index = files.FindIndex(file => file.Tree == diagnostic.Location.SourceTree);
            if (index >= 0)
            {
                SourceFile file = files[index];
                TextSpan span = diagnostic.Location.SourceSpan;
                int start = file.Original(span.Start), end = file.Original(span.End);
                (found.Line, found.Column) = file.Place(start);
                (found.EndLine, found.EndColumn) = file.Place(end);
                found.Item = Innermost(index, start);
            }
            return found;
        }

        Item Innermost(int file, int position)
        {
            Item best = null;
            foreach (Item item in items.Where(item => item.File == file))
            {
                bool inside = item.Kind == "file" || (item.Whole.Start <= position && position < item.Whole.End);
                if (inside && (best == null || item.Whole.Length <= best.Whole.Length))
                {
                    best = item;
                }
            }
            return best;
        }

        /// The parts whose code refers to a declaration inside one of the given parts.
        public List<int> Users(List<int> of)
        {
            var wanted = of.Select(id => items[id]).ToList();
            var names = new HashSet<string>(wanted.SelectMany(item => item.Declares));
            var users = new List<int>();
            foreach (Item item in items.Where(item => (item.Kind == "test" || item.Kind == "helper") && !wanted.Contains(item)))
            {
                if (item.Mentions.Overlaps(names) && Refers(item, names, wanted))
                {
                    users.Add(item.Id);
                }
            }
            return users;
        }

        bool Refers(Item item, HashSet<string> names, List<Item> wanted)
        {
            SourceFile file = files[item.File];
            SemanticModel model = compilations[0].GetSemanticModel(file.Tree);
            var mentions = file.Tree.GetRoot().DescendantNodes().OfType<SimpleNameSyntax>().Where(name =>
                names.Contains(name.Identifier.ValueText) && Innermost(item.File, file.Original(name.SpanStart)) == item);
            foreach (SimpleNameSyntax name in mentions)
            {
                SymbolInfo info = model.GetSymbolInfo(name);
                List<ISymbol> meant = info.CandidateSymbols.ToList();
                if (info.Symbol != null)
                {
                    meant.Add(info.Symbol);
                }
                // Where the compiler does not know what is meant, it may well be this.
                if (meant.Count == 0 || meant.Any(symbol => IsDeclaredIn(symbol.OriginalDefinition, wanted)))
                {
                    return true;
                }
            }
            return false;
        }

        bool IsDeclaredIn(ISymbol symbol, List<Item> wanted) =>
            symbol.DeclaringSyntaxReferences.Any(reference =>
            {
                int index = files.FindIndex(file => file.Tree == reference.SyntaxTree);
                if (index < 0)
                {
                    return false;
                }
                int place = files[index].Original(reference.Span.Start);
                return wanted.Any(item => item.File == index && item.Whole.Start <= place && place < item.Whole.End);
            });

        static void WriteTexts(Utf8JsonWriter answer, string name, IEnumerable<string> texts)
        {
            answer.WriteStartArray(name);
            foreach (string text in texts)
            {
                answer.WriteStringValue(text);
            }
            answer.WriteEndArray();
        }
    }
}
