// Type names in reflection style without assemblies: `Ns.Outer+Inner`1[System.Int32][,]&`.

using System;
using System.Collections.Generic;
using System.Linq;

namespace Cilantro.Replay
{
    static class TypeName
    {
        public static string Of(Type type)
        {
            if (type.IsByRef) return Of(type.GetElementType()) + "&";
            if (type.IsPointer) return Of(type.GetElementType()) + "*";
            if (type.IsArray) return Of(type.GetElementType()) + Rank(type);
            if (type.IsGenericParameter) return type.Name;
            if (type.IsGenericType && !type.IsGenericTypeDefinition)
            {
                return type.GetGenericTypeDefinition().FullName + "[" + string.Join(",", type.GetGenericArguments().Select(Of)) + "]";
            }
            return type.FullName ?? type.Name;
        }

        /// Spaces are of no meaning in a name.
        public static string Plain(string name) => name.Replace(" ", "");

        public static Type Resolve(string name, Func<string, Type> definition)
        {
            int at = 0;
            Type type = Parse(name, ref at, definition);
            return at == name.Length ? type : null;
        }

        static string Rank(Type array)
        {
            int rank = array.GetArrayRank();
            if (rank == 1) return array == array.GetElementType().MakeArrayType() ? "[]" : "[*]";
            return "[" + new string(',', rank - 1) + "]";
        }

        static Type Parse(string name, ref int at, Func<string, Type> definition)
        {
            int start = at;
            while (at < name.Length && "[],&*".IndexOf(name[at]) < 0)
            {
                at += name[at] == '\\' ? 2 : 1;
            }
            Type type = definition(name.Substring(start, Math.Min(at, name.Length) - start).Trim());
            if (type == null) return null;
            if (type.IsGenericTypeDefinition && at < name.Length && name[at] == '[')
            {
                var arguments = new List<Type>();
                do
                {
                    at++;
                    Type argument = Parse(name, ref at, definition);
                    if (argument == null) return null;
                    arguments.Add(argument);
                } while (at < name.Length && name[at] == ',');
                at++;
                type = type.MakeGenericType(arguments.ToArray());
            }
            return Suffixes(type, name, ref at);
        }

        static Type Suffixes(Type type, string name, ref int at)
        {
            while (at < name.Length)
            {
                if (name[at] == '&') { type = type.MakeByRefType(); at++; }
                else if (name[at] == '*') { type = type.MakePointerType(); at++; }
                else if (name[at] == '[')
                {
                    int end = name.IndexOf(']', at);
                    if (end < 0) return null;
                    string inside = name.Substring(at + 1, end - at - 1);
                    type = inside == "" ? type.MakeArrayType() : type.MakeArrayType(inside == "*" ? 1 : inside.Length + 1);
                    at = end + 1;
                }
                else break;
            }
            return type;
        }
    }
}
