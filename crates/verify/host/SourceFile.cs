// One file: its text as it came, what was taken out, and its tree now.

using System.Collections.Generic;
using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Cilantro.Verify.Compiling
{
    sealed class SourceFile
    {
        readonly string original;
        readonly CSharpParseOptions options;
        /// Sorted and apart from each other.
        readonly List<TextSpan> removed = new List<TextSpan>();

        public readonly string Path;
        public SyntaxTree Tree { get; private set; }
        public string Text { get; private set; }
        public bool IsGone { get; private set; }

        public SourceFile(string path, string text, CSharpParseOptions options)
        {
            Path = path;
            original = text;
            this.options = options;
            Parse();
        }

        public void Remove(IEnumerable<Item> items)
        {
            foreach (Item item in items)
            {
                IsGone |= item.Kind == "file";
                Remove(item.Cut);
            }
            Parse();
        }

        /// A place of the present text as a place of the text that came.
        public int Original(int position)
        {
            foreach (TextSpan span in removed)
            {
                if (position < span.Start)
                {
                    break;
                }
                position += span.Length;
            }
            return position;
        }

        /// Line and column, from one, of a place of the text that came.
        public (int Line, int Column) Place(int position)
        {
            int line = 1, start = 0;
            for (int i = 0; i < position && i < original.Length; i++)
            {
                if (original[i] == '\n')
                {
                    line++;
                    start = i + 1;
                }
            }
            return (line, position - start + 1);
        }

        /// The present text as a person leaves it: no empty line behind `{` where the first member was.
        public string Tidied()
        {
            if (removed.Count == 0)
            {
                return Text;
            }
            string text = Text;
            var types = Tree.GetRoot().DescendantNodes().OfType<TypeDeclarationSyntax>().ToList();
            types.Reverse();
            foreach (TypeDeclarationSyntax type in types)
            {
                int start = type.OpenBraceToken.FullSpan.End, end = start;
                foreach (SyntaxTrivia trivia in type.OpenBraceToken.GetNextToken().LeadingTrivia)
                {
                    if (trivia.IsKind(SyntaxKind.EndOfLineTrivia))
                    {
                        end = trivia.FullSpan.End;
                    }
                    else if (!trivia.IsKind(SyntaxKind.WhitespaceTrivia))
                    {
                        break;
                    }
                }
                text = text.Remove(start, end - start);
            }
            return text;
        }

        void Remove(TextSpan span)
        {
            var touching = removed.Where(other => other.IntersectsWith(span)).ToList();
            foreach (TextSpan other in touching)
            {
                span = TextSpan.FromBounds(System.Math.Min(span.Start, other.Start), System.Math.Max(span.End, other.End));
                removed.Remove(other);
            }
            removed.Add(span);
            removed.Sort();
        }

        void Parse()
        {
            var text = new StringBuilder();
            int from = 0;
            foreach (TextSpan span in removed)
            {
                text.Append(original, from, span.Start - from);
                from = span.End;
            }
            text.Append(original, from, original.Length - from);
            Text = text.ToString();
            Tree = CSharpSyntaxTree.ParseText(SourceText.From(Text, Encoding.UTF8), options, Path);
        }
    }
}
