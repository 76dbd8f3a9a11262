// What a file consists of: the parts that can be taken out of it, as a tree.
//
// A test is a part, so is every helper beside the tests; a class that stands for something (a stub) is one part,
// because half of it would be another class. The parts are numbered over all files, and their places are those
// of the text as it came: taking one out never renumbers the others.

using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Cilantro.Verify.Compiling
{
    sealed class Item
    {
        public int Id;
        public Item Parent;
        public int File;
        /// file, using, group (a class that holds tests), test, helper
        public string Kind;
        public string Name = "";
        /// The class of a test as reflection names it.
        public string Type = "";
        /// With the comments that belong to it.
        public TextSpan Whole;
        /// What goes when it is taken out.
        public TextSpan Cut;
        /// Every name that it declares.
        public readonly HashSet<string> Declares = new HashSet<string>();
        /// Every name that occurs in it.
        public readonly HashSet<string> Mentions = new HashSet<string>();
    }

    sealed class Outline
    {
        readonly HashSet<string> tests;
        readonly int file;
        readonly List<Item> items;
        readonly bool hasTests;

        Outline(int file, HashSet<string> tests, List<Item> items, CompilationUnitSyntax root)
        {
            this.file = file;
            this.tests = tests;
            this.items = items;
            hasTests = HoldsTest(root);
        }

        /// Adds the parts of a file to the list; the first one is the file itself.
        public static void Add(int file, CompilationUnitSyntax root, IEnumerable<string> tests, List<Item> items)
        {
            var outline = new Outline(file, new HashSet<string>(tests), items, root);
            Item whole = outline.New(null, "file", root);
            whole.Whole = root.FullSpan;
            whole.Cut = root.FullSpan;
            outline.Usings(whole, root.Usings);
            outline.Members(whole, root.Members);
        }

        void Members(Item parent, SyntaxList<MemberDeclarationSyntax> members)
        {
            foreach (MemberDeclarationSyntax member in members)
            {
                Member(parent, member);
            }
        }

        void Member(Item parent, MemberDeclarationSyntax member)
        {
            switch (member)
            {
                case TypeDeclarationSyntax type when HoldsTest(type) || (!hasTests && IsStatic(type)):
                    Item group = New(parent, "group", type);
                    group.Name = type.Identifier.ValueText;
                    group.Declares.Add(group.Name);
                    Members(group, type.Members);
                    break;
                case MethodDeclarationSyntax method when tests.Contains(method.Identifier.ValueText) && IsDirect(method):
                    Item test = New(parent, "test", method);
                    test.Name = method.Identifier.ValueText;
                    test.Type = ReflectedName((TypeDeclarationSyntax)method.Parent);
                    break;
                case GlobalStatementSyntax _:
                    break;
                default:
                    // Namespaces have two forms of syntax in new compilers, and old ones know only one: they are known by what
                    // they contain.
                    if (member.ChildNodes().OfType<MemberDeclarationSyntax>().Any() && !(member is BaseTypeDeclarationSyntax))
                    {
                        Usings(parent, member.ChildNodes().OfType<UsingDirectiveSyntax>());
                        foreach (MemberDeclarationSyntax inner in member.ChildNodes().OfType<MemberDeclarationSyntax>())
                        {
                            Member(parent, inner);
                        }
                        break;
                    }
                    Item helper = New(parent, "helper", member);
                    foreach (string name in DeclaredNames(member))
                    {
                        helper.Declares.Add(name);
                        helper.Name = helper.Name.Length == 0 ? name : helper.Name + ", " + name;
                    }
                    break;
            }
        }

        void Usings(Item parent, IEnumerable<UsingDirectiveSyntax> usings)
        {
            foreach (UsingDirectiveSyntax directive in usings)
            {
                Item item = New(parent, "using", directive);
                item.Name = directive.Name?.ToString() ?? directive.ToString();
            }
        }

        Item New(Item parent, string kind, SyntaxNode node)
        {
            var item = new Item { Id = items.Count, Parent = parent, File = file, Kind = kind, Whole = node.FullSpan, Cut = Removable(node) };
            if (kind == "test" || kind == "helper")
            {
                foreach (SyntaxToken token in node.DescendantTokens().Where(token => token.IsKind(SyntaxKind.IdentifierToken)))
                {
                    item.Mentions.Add(token.ValueText);
                }
            }
            items.Add(item);
            return item;
        }

        bool HoldsTest(SyntaxNode node) =>
            node.DescendantNodes(inner => !(inner is BaseMethodDeclarationSyntax))
                .OfType<MethodDeclarationSyntax>()
                .Any(method => tests.Contains(method.Identifier.ValueText) && IsDirect(method));

        static bool IsDirect(MethodDeclarationSyntax method) => method.Parent is TypeDeclarationSyntax;

        static bool IsStatic(TypeDeclarationSyntax type) => type.Modifiers.Any(SyntaxKind.StaticKeyword);

        /// From behind the last directive before it, since `#if` and `#region` come in pairs.
        static TextSpan Removable(SyntaxNode node)
        {
            int start = node.FullSpan.Start;
            foreach (SyntaxTrivia trivia in node.GetLeadingTrivia().Where(trivia => trivia.IsDirective))
            {
                start = trivia.FullSpan.End;
            }
            return TextSpan.FromBounds(start, node.FullSpan.End);
        }

        static IEnumerable<string> DeclaredNames(MemberDeclarationSyntax member)
        {
            switch (member)
            {
                case BaseTypeDeclarationSyntax type:
                    return new[] { type.Identifier.ValueText };
                case DelegateDeclarationSyntax type:
                    return new[] { type.Identifier.ValueText };
                case MethodDeclarationSyntax method:
                    return new[] { method.Identifier.ValueText };
                case PropertyDeclarationSyntax property:
                    return new[] { property.Identifier.ValueText };
                case EventDeclarationSyntax property:
                    return new[] { property.Identifier.ValueText };
                case BaseFieldDeclarationSyntax field:
                    return field.Declaration.Variables.Select(variable => variable.Identifier.ValueText);
                default:
                    return Enumerable.Empty<string>();
            }
        }

        static string ReflectedName(TypeDeclarationSyntax type)
        {
            string name = type.Identifier.ValueText;
            int arity = type.TypeParameterList?.Parameters.Count ?? 0;
            if (arity > 0)
            {
                name += "`" + arity;
            }
            if (type.Parent is TypeDeclarationSyntax outer)
            {
                return ReflectedName(outer) + "+" + name;
            }
            string space = string.Join(".", type.Ancestors().Select(NamespaceName).Where(part => part != null).Reverse());
            return space.Length == 0 ? name : space + "." + name;
        }

        static string NamespaceName(SyntaxNode node)
        {
            bool isNamespace = node is MemberDeclarationSyntax && !(node is BaseTypeDeclarationSyntax);
            NameSyntax name = isNamespace ? node.ChildNodes().OfType<NameSyntax>().FirstOrDefault() : null;
            return name?.ToString().Replace("@", "").Replace(" ", "");
        }
    }
}
