// Prints what System.Reflection.Metadata reads from an assembly and its PDB, line by line, for comparison.
using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.IO;
using System.Linq;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Text;

static class Oracle
{
    static readonly StreamWriter Out = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false), 1 << 16) { NewLine = "\n" };

    static void Main(string[] args)
    {
        using var pe = new PEReader(File.OpenRead(args[0]));
        var md = pe.GetMetadataReader();
        foreach (TableIndex table in Enum.GetValues<TableIndex>().Where(t => (int)t <= 0x2c).OrderBy(t => (int)t))
            Out.WriteLine($"table {(int)table:x2} {md.GetTableRowCount(table)}");
        foreach (var h in md.TypeDefinitions) Type(md, h);
        foreach (var h in md.MethodDefinitions) Method(md, pe, h);
        foreach (var h in md.CustomAttributes) Attribute(md, h);
        if (args.Length > 1) Pdb(MetadataReaderProvider.FromPortablePdbStream(File.OpenRead(args[1])).GetMetadataReader());
        Out.Flush();
    }

    static int Token(EntityHandle h) => h.IsNil ? 0 : MetadataTokens.GetToken(h);

    static void Type(MetadataReader md, TypeDefinitionHandle h)
    {
        var t = md.GetTypeDefinition(h);
        var layout = t.GetLayout();
        var interfaces = string.Join(",", t.GetInterfaceImplementations().Select(i => Token(md.GetInterfaceImplementation(i).Interface).ToString("x8")));
        Out.WriteLine($"type {md.GetString(t.Namespace)}.{md.GetString(t.Name)} {(uint)t.Attributes:x} {Token(t.BaseType):x8} in {Token(t.GetDeclaringType()):x8} "
            + $"fields {t.GetFields().Count} methods {t.GetMethods().Count} properties {t.GetProperties().Count} events {t.GetEvents().Count} nested {t.GetNestedTypes().Length} "
            + $"params {t.GetGenericParameters().Count} overrides {t.GetMethodImplementations().Count} layout {layout.Size} {layout.PackingSize} implements [{interfaces}]");
    }

    static void Method(MetadataReader md, PEReader pe, MethodDefinitionHandle h)
    {
        var m = md.GetMethodDefinition(h);
        Out.WriteLine($"method {MetadataTokens.GetToken(h):x8} {md.GetString(m.Name)} {(uint)m.Attributes:x} of {Token(m.GetDeclaringType()):x8} params {m.GetParameters().Count} generic {m.GetGenericParameters().Count}");
        if (m.RelativeVirtualAddress == 0 || ((int)m.ImplAttributes & 3) != 0) return;
        var body = pe.GetMethodBody(m.RelativeVirtualAddress);
        ulong hash = 0xcbf29ce484222325;
        foreach (var b in body.GetILBytes()) hash = (hash ^ b) * 0x100000001b3;
        Out.WriteLine($"  body {body.MaxStack} {(body.LocalVariablesInitialized ? "init" : "raw")} {Token(body.LocalSignature):x8} {hash:x16}");
        foreach (var r in body.ExceptionRegions)
            Out.WriteLine($"  {r.Kind} {r.TryOffset}+{r.TryLength} {r.HandlerOffset}+{r.HandlerLength} {Token(r.CatchType):x8} {Math.Max(r.FilterOffset, 0)}");
    }

    static void Attribute(MetadataReader md, CustomAttributeHandle h)
    {
        var a = md.GetCustomAttribute(h);
        var value = a.DecodeValue(new Names(md));
        var parts = value.FixedArguments.Select(x => Text(x.Value)).Concat(value.NamedArguments.Select(x => $"{x.Kind} {x.Name}={Text(x.Value)}"));
        Out.WriteLine($"attribute {Token(a.Parent):x8} {Token(a.Constructor):x8} {string.Join("; ", parts)}");
    }

    static string Text(object value) => value switch
    {
        null => "null",
        string s => "\"" + s.Replace("\n", "\\n").Replace("\r", "\\r") + "\"",
        bool b => b ? "true" : "false",
        char c => "'" + ((int)c),
        float f => "f" + BitConverter.SingleToUInt32Bits(f).ToString("x8"),
        double d => "d" + BitConverter.DoubleToUInt64Bits(d).ToString("x16"),
        ImmutableArray<CustomAttributeTypedArgument<string>> array => "[" + string.Join(",", array.Select(x => Text(x.Value))) + "]",
        IFormattable n => n.ToString(null, System.Globalization.CultureInfo.InvariantCulture),
        _ => value.ToString(),
    };

    static void Pdb(MetadataReader pdb)
    {
        foreach (var h in pdb.Documents) Out.WriteLine($"document {pdb.GetString(pdb.GetDocument(h).Name)}");
        foreach (var h in pdb.MethodDebugInformation)
        {
            var info = pdb.GetMethodDebugInformation(h);
            var method = h.ToDefinitionHandle();
            Out.WriteLine($"debug {MetadataTokens.GetToken(method):x8} kickoff {Token(info.GetStateMachineKickoffMethod()):x8} locals {Token(info.LocalSignature):x8}");
            foreach (var p in info.GetSequencePoints())
                Out.WriteLine(p.IsHidden ? $"  {p.Offset} hidden" : $"  {p.Offset} {MetadataTokens.GetRowNumber(p.Document)} {p.StartLine}:{p.StartColumn}-{p.EndLine}:{p.EndColumn}");
            foreach (var s in pdb.GetLocalScopes(method))
            {
                var scope = pdb.GetLocalScope(s);
                Out.WriteLine($"  scope {scope.StartOffset}+{scope.Length}");
                foreach (var v in scope.GetLocalVariables()) { var l = pdb.GetLocalVariable(v); Out.WriteLine($"    {l.Index} {pdb.GetString(l.Name)} {(int)l.Attributes}"); }
                foreach (var c in scope.GetLocalConstants()) Out.WriteLine($"    const {pdb.GetString(pdb.GetLocalConstant(c).Name)}");
            }
        }
    }

    /// Types as text: "T" and the row for those defined here, so that their underlying types can be found.
    class Names : ICustomAttributeTypeProvider<string>
    {
        readonly MetadataReader md;
        static Dictionary<string, TypeDefinitionHandle> local;

        public Names(MetadataReader md)
        {
            this.md = md;
            if (local != null) return;
            local = new Dictionary<string, TypeDefinitionHandle>();
            foreach (var h in md.TypeDefinitions) local.TryAdd(FullName(h), h);
        }

        string FullName(TypeDefinitionHandle h)
        {
            var t = md.GetTypeDefinition(h);
            var name = md.GetString(t.Name);
            if (!t.GetDeclaringType().IsNil) return FullName(t.GetDeclaringType()) + "+" + name;
            return t.Namespace.IsNil ? name : md.GetString(t.Namespace) + "." + name;
        }

        public string GetPrimitiveType(PrimitiveTypeCode code) => code.ToString();
        public string GetSystemType() => "System.Type";
        public string GetSZArrayType(string element) => element + "[]";
        public string GetTypeFromDefinition(MetadataReader r, TypeDefinitionHandle h, byte kind) => FullName(h);
        public string GetTypeFromReference(MetadataReader r, TypeReferenceHandle h, byte kind)
        {
            var t = md.GetTypeReference(h);
            return md.GetString(t.Namespace) + "." + md.GetString(t.Name);
        }
        public string GetTypeFromSerializedName(string name) => name;
        public bool IsSystemType(string type) => type == "System.Type";
        public PrimitiveTypeCode GetUnderlyingEnumType(string type)
        {
            if (local.TryGetValue(type, out var h))
                foreach (var f in md.GetTypeDefinition(h).GetFields())
                {
                    var field = md.GetFieldDefinition(f);
                    if ((field.Attributes & System.Reflection.FieldAttributes.Static) == 0) return (PrimitiveTypeCode)md.GetBlobBytes(field.Signature)[1];
                }
            return type.Split(',')[0].EndsWith("EventKeywords") ? PrimitiveTypeCode.Int64 : PrimitiveTypeCode.Int32;
        }
    }
}
