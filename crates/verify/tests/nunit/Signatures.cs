// What the stand-in offers and the real framework does not: nothing, or tests would compile here and not there.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

static class Program
{
    const BindingFlags Declared = BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    static void Main(string[] args)
    {
        Assembly real = Assembly.LoadFrom(args[0]), standin = Assembly.LoadFrom(args[1]);
        int compared = 0;
        foreach (Type type in standin.GetExportedTypes())
        {
            Type other = real.GetType(type.FullName);
            if (other == null)
            {
                Console.WriteLine("no type " + type);
                continue;
            }
            var theirs = new HashSet<string>(Members(other));
            foreach (string member in type.GetMembers(Declared).Where(IsOffered).Select(Signature))
            {
                compared++;
                if (!theirs.Contains(member)) Console.WriteLine(type + ": " + member);
            }
        }
        Console.WriteLine("compared " + (compared > 300 ? "many" : "few"));
    }

    // Base classes may be cut differently.
    static IEnumerable<string> Members(Type type)
    {
        for (; type != null; type = type.BaseType)
            foreach (string member in type.GetMembers(Declared).Select(Signature)) yield return member;
    }

    static bool IsOffered(MemberInfo member) => !(member is ConstructorInfo) && !(member is MethodInfo method && (method.IsSpecialName || method.IsVirtual)) && !(member is PropertyInfo property && property.Name is "Description");

    static string Signature(MemberInfo member)
    {
        switch (member)
        {
            case MethodInfo method: return method.Name + (method.IsGenericMethod ? "<" + method.GetGenericArguments().Length + ">" : "") + "(" + string.Join(", ", method.GetParameters().Select(Parameter)) + ")";
            default: return member.MemberType + " " + member.Name;
        }
    }

    static string Name(Type type) =>
        type.IsGenericParameter ? "#" + type.GenericParameterPosition
        : type.IsGenericType ? type.Name + "[" + string.Join(",", type.GetGenericArguments().Select(Name)) + "]" : type.ToString();

    static string Parameter(ParameterInfo parameter) => Name(parameter.ParameterType) + (parameter.IsOptional ? "?" : "");
}
