// Uses libraries that others wrote and built.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using CommandLine;
using Humanizer;
using NUnit.Framework;

class Options
{
    [Option('v', "verbose", HelpText = "Say more.")] public bool Verbose { get; set; }
    [Option('n', "name", Required = true)] public string Name { get; set; }
    [Option("sizes", Separator = ',')] public IEnumerable<int> Sizes { get; set; }
    [Value(0)] public string File { get; set; }
}

[Verb("add")] class Add { [Value(0, Required = true)] public double First { get; set; } [Value(1)] public double Second { get; set; } }
[Verb("list")] class List { [Option] public DayOfWeek Day { get; set; } }

static class Program
{
    static void Main()
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        foreach (int n in new[] { 0, 1, 2, 11, 21, 100, 1234567, -5 })
            Console.WriteLine($"{n.ToWords()} {n.ToOrdinalWords()} {n.Ordinalize()} {(n > 0 && n < 3000 ? n.ToRoman() : "")} {"case".ToQuantity(n)}");
        foreach (string s in new[] { "SomeTitleHere", "underscored_words", "a sentence of words", "MAN", "person", "sheep", "" })
            Console.WriteLine($"{s.Humanize()}|{s.Titleize()}|{s.Pascalize()}|{s.Camelize()}|{s.Kebaberize()}|{s.Pluralize()}|{s.Singularize(false)}|{s.Truncate(5)}");
        foreach (double minutes in new[] { 0.5, 1, 65, 60 * 25, 60 * 24 * 800 })
            Console.WriteLine(TimeSpan.FromMinutes(minutes).Humanize(3) + " " + (1000 * minutes).Bytes().Humanize("0.00"));
        Console.WriteLine(new DateTime(2020, 1, 1).Humanize(true, new DateTime(2020, 3, 5)) + " " + DayOfWeek.Friday.Humanize() + " " + new[] { "a", "b", "c" }.Humanize());

        foreach (string line in new[] { "-n me file", "-v --name=you --sizes 1,2,3", "--unknown", "--sizes x -n a", "", "-n" })
        {
            using var parser = new Parser(settings => { settings.HelpWriter = null; });
            var result = parser.ParseArguments<Options>(line.Split(' ', StringSplitOptions.RemoveEmptyEntries));
            result.WithParsed(o => Console.WriteLine($"{o.Verbose} {o.Name} {string.Join("+", o.Sizes)} {o.File}"))
                .WithNotParsed(errors => Console.WriteLine(string.Join(" ", errors.Select(e => e.Tag))));
            Console.WriteLine(Parser.Default.FormatCommandLine(new Options { Name = line, Sizes = new[] { line.Length } }));
        }
        foreach (string line in new[] { "add 1 2", "list --day Monday", "list --day Someday", "none" })
        {
            using var parser = new Parser(settings => { settings.HelpWriter = null; });
            Console.WriteLine(parser.ParseArguments<Add, List>(line.Split(' ')).MapResult((Add a) => a.First + a.Second, (List l) => (double)l.Day, errors => -1.0));
        }

        foreach (Action check in new Action[]
        {
            () => Assert.That(new[] { 1, 2, 3 }, Is.Ordered.And.Contains(2)), () => Assert.That("abc", Does.StartWith("b")), () => Assert.AreEqual(1.0, 1.1, 0.05),
            () => CollectionAssert.AreEquivalent(new[] { 1, 2 }, new[] { 2, 3 }), () => Assert.Throws<ArgumentException>(() => throw new InvalidOperationException("other")),
            () => Assert.That(new Dictionary<string, int> { ["a"] = 1 }, Has.Count.EqualTo(1).And.ContainKey("a")),
        })
            try { using (new NUnit.Framework.Internal.TestExecutionContext.IsolatedContext()) check(); Console.WriteLine("holds"); }
            catch (Exception e) { Console.WriteLine(e.Message.Split("   at ")[0]); }
    }
}
