// The attacker: calls the methods of an assembly with inputs of its own making, and watches for what was claimed to be impossible.
//
// It shares no code with the engine or the replay host on purpose. Lines with tabs come on stdin (the probes, the copy, the
// claims) and go to the real stdout. The parent keeps the time of a call: it kills a process that hangs or dies, and knows by
// the last `try` which method it was.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Runtime.Loader;
using System.Threading;

namespace Cilantro.Attack;

/// What is claimed of one method.
sealed class Claim
{
    public MethodBase Method;
    public int Token;
    /// No other exceptions than these leave it.
    public bool IsComplete;
    public HashSet<string> Exceptions = new();
    /// Probes on edges that nothing reaches, in the method or in its parts.
    public int[] Impossible = Array.Empty<int>();
    public Constants Constants;
    public long Calls;
    /// Of those with a result, not refused by the way the attacker makes its inputs.
    public long Returned;
    public readonly HashSet<string> Told = new();
}

static unsafe class Program
{
    public static byte* Probes;
    public static int ProbeCount;
    static StreamWriter output;
    static readonly Dictionary<int, (Claim Claim, string[] Parts)> Claims = new();

    static void Main()
    {
        output = new StreamWriter(Console.OpenStandardOutput()) { AutoFlush = true };
        var input = new StreamReader(Console.OpenStandardInput());
        Console.SetOut(TextWriter.Null);
        Console.SetError(TextWriter.Null);
        Console.SetIn(TextReader.Null);
        var claims = new List<Claim>();
        Subject subject = null;
        string line;
        while ((line = input.ReadLine()) != null)
        {
            var parts = line.Split('\t');
            switch (parts[0])
            {
                case "probes":
                    ProbeCount = int.Parse(parts[1], CultureInfo.InvariantCulture);
                    Probes = (byte*)Marshal.AllocHGlobal(Math.Max(ProbeCount, 1));
                    new Span<byte>(Probes, ProbeCount).Clear();
                    output.WriteLine("address\t" + ((long)Probes).ToString("x", CultureInfo.InvariantCulture));
                    break;
                case "load":
                    subject = Subject.Load(parts[1], parts[2]);
                    output.WriteLine("loaded\t" + subject.Assembly.FullName);
                    break;
                case "claim":
                    if (Read(subject, parts) is Claim claim) claims.Add(claim);
                    break;
                case "go":
                    Go(subject, claims, int.Parse(parts[1], CultureInfo.InvariantCulture), int.Parse(parts[2], CultureInfo.InvariantCulture));
                    return;
            }
        }
    }

    /// Token, completeness, exceptions, probes.
    static Claim Read(Subject subject, string[] parts)
    {
        int token = Convert.ToInt32(parts[1], 16);
        MethodBase method;
        try { method = subject.Assembly.ManifestModule.ResolveMethod(token); }
        catch (Exception) { return null; }
        if (method == null || method.Name == ".cctor") return null;
        return new Claim
        {
            Method = method,
            Token = token,
            IsComplete = parts[2] == "1",
            Exceptions = parts[3].Split(';', StringSplitOptions.RemoveEmptyEntries).ToHashSet(),
            Impossible = parts[4].Split(',', StringSplitOptions.RemoveEmptyEntries).Select(number => int.Parse(number, CultureInfo.InvariantCulture)).ToArray(),
            Constants = Constants.Of(method),
        };
    }

    static void Go(Subject subject, List<Claim> claims, int seed, int milliseconds)
    {
        const int InARow = 40;
        var random = new Random(seed);
        var clock = Stopwatch.StartNew();
        if (claims.Count > 0)
        {
            for (int at = random.Next(claims.Count); clock.ElapsedMilliseconds < milliseconds; at++)
            {
                var claim = claims[at % claims.Count];
                output.WriteLine("try\t" + claim.Token.ToString("x8", CultureInfo.InvariantCulture));
                for (int n = 0; n < InARow && clock.ElapsedMilliseconds < milliseconds; n++)
                {
                    new Attempt(subject, claim, random.Next()).Run();
                }
            }
        }
        foreach (var claim in claims)
        {
            output.WriteLine(string.Join('\t', "calls", claim.Token.ToString("x8", CultureInfo.InvariantCulture), claim.Calls, claim.Returned));
        }
        output.WriteLine("done");
        output.Flush();
        // Threads of the program may still run.
        Process.GetCurrentProcess().Kill();
    }

    /// Says once what has happened that should not.
    public static void Tell(Claim claim, string kind, string what, string how)
    {
        lock (claim)
        {
            if (!claim.Told.Add(kind + what)) return;
            output.WriteLine(string.Join('\t', kind, claim.Token.ToString("x8", CultureInfo.InvariantCulture), what, Line(how)));
        }
    }

    static string Line(string text)
    {
        text = new string(text.Select(c => char.IsControl(c) || char.IsSurrogate(c) ? '?' : c).ToArray());
        return text.Length > 600 ? text.Substring(0, 600) : text;
    }
}

/// The assembly under attack.
sealed class Subject
{
    public Assembly Assembly;
    /// All that can be loaded.
    public Type[] Types;
    /// Static members that anybody can change, or change something behind.
    public MemberInfo[] Statics;

    public static Subject Load(string path, string copy)
    {
        var context = new Context(Path.GetDirectoryName(path));
        var subject = new Subject { Assembly = context.LoadFromAssemblyPath(copy) };
        try { subject.Types = subject.Assembly.GetTypes(); }
        catch (ReflectionTypeLoadException some) { subject.Types = some.Types.Where(type => type != null).ToArray(); }
        subject.Statics = subject.Types.Where(type => type.IsVisible && !type.ContainsGenericParameters)
            .SelectMany(type => type.GetMembers(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly))
            .Where(member => member is FieldInfo { IsLiteral: false } || member is PropertyInfo property && property.GetIndexParameters().Length == 0)
            .ToArray();
        return subject;
    }

    sealed class Context : AssemblyLoadContext
    {
        readonly string folder;

        public Context(string folder) : base("attack") => this.folder = folder;

        protected override Assembly Load(AssemblyName name)
        {
            string near = Path.Combine(folder, name.Name + ".dll");
            var framework = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES") ?? "").Split(Path.PathSeparator);
            bool isKnown = framework.Any(path => Path.GetFileNameWithoutExtension(path) == name.Name);
            return !isKnown && string.IsNullOrEmpty(name.CultureName) && File.Exists(near) ? LoadFromAssemblyPath(near) : null;
        }
    }
}
