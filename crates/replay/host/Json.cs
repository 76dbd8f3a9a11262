// JSON without a library: objects are dictionaries, arrays are lists, numbers are longs (the cases hold no others).

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Cilantro.Replay
{
    static class Json
    {
        public static object Read(string text)
        {
            int at = 0;
            object value = ReadValue(text, ref at);
            SkipSpace(text, ref at);
            if (at != text.Length) throw Bad(at);
            return value;
        }

        public static string Write(object value)
        {
            var to = new StringBuilder();
            WriteValue(to, value);
            return to.ToString();
        }

        /// A list that may be absent.
        public static List<object> List(Dictionary<string, object> from, string name)
        {
            return from.TryGetValue(name, out object list) && list != null ? (List<object>)list : new List<object>();
        }

        static object ReadValue(string text, ref int at)
        {
            SkipSpace(text, ref at);
            switch (Peek(text, at))
            {
                case '{': return ReadObject(text, ref at);
                case '[': return ReadArray(text, ref at);
                case '"': return ReadString(text, ref at);
                case 't': return Word(text, ref at, "true", true);
                case 'f': return Word(text, ref at, "false", false);
                case 'n': return Word(text, ref at, "null", null);
                default: return ReadNumber(text, ref at);
            }
        }

        static Dictionary<string, object> ReadObject(string text, ref int at)
        {
            var members = new Dictionary<string, object>();
            at++;
            SkipSpace(text, ref at);
            if (Take(text, ref at, '}')) return members;
            do
            {
                SkipSpace(text, ref at);
                string name = ReadString(text, ref at);
                SkipSpace(text, ref at);
                Expect(text, ref at, ':');
                members[name] = ReadValue(text, ref at);
                SkipSpace(text, ref at);
            } while (Take(text, ref at, ','));
            Expect(text, ref at, '}');
            return members;
        }

        static List<object> ReadArray(string text, ref int at)
        {
            var items = new List<object>();
            at++;
            SkipSpace(text, ref at);
            if (Take(text, ref at, ']')) return items;
            do
            {
                items.Add(ReadValue(text, ref at));
                SkipSpace(text, ref at);
            } while (Take(text, ref at, ','));
            Expect(text, ref at, ']');
            return items;
        }

        static string ReadString(string text, ref int at)
        {
            Expect(text, ref at, '"');
            var result = new StringBuilder();
            while (true)
            {
                char c = Peek(text, at++);
                if (c == '"') return result.ToString();
                if (c != '\\')
                {
                    result.Append(c);
                    continue;
                }
                char escape = Peek(text, at++);
                switch (escape)
                {
                    case 'n': result.Append('\n'); break;
                    case 't': result.Append('\t'); break;
                    case 'r': result.Append('\r'); break;
                    case 'b': result.Append('\b'); break;
                    case 'f': result.Append('\f'); break;
                    case 'u':
                        if (at + 4 > text.Length) throw Bad(at);
                        result.Append((char)ushort.Parse(text.Substring(at, 4), NumberStyles.HexNumber, CultureInfo.InvariantCulture));
                        at += 4;
                        break;
                    default: result.Append(escape); break;
                }
            }
        }

        static object ReadNumber(string text, ref int at)
        {
            int start = at;
            while (at < text.Length && (char.IsDigit(text[at]) || text[at] == '-')) at++;
            if (!long.TryParse(text.Substring(start, at - start), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number)) throw Bad(start);
            return number;
        }

        static object Word(string text, ref int at, string word, object value)
        {
            if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) throw Bad(at);
            at += word.Length;
            return value;
        }

        static void SkipSpace(string text, ref int at)
        {
            while (at < text.Length && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n')) at++;
        }

        static char Peek(string text, int at)
        {
            if (at >= text.Length) throw Bad(at);
            return text[at];
        }

        static bool Take(string text, ref int at, char c)
        {
            if (at >= text.Length || text[at] != c) return false;
            at++;
            return true;
        }

        static void Expect(string text, ref int at, char c)
        {
            if (!Take(text, ref at, c)) throw Bad(at);
        }

        static Exception Bad(int at) => new FormatException("bad JSON at character " + at);

        static void WriteValue(StringBuilder to, object value)
        {
            switch (value)
            {
                case null: to.Append("null"); break;
                case bool b: to.Append(b ? "true" : "false"); break;
                case string s: WriteString(to, s); break;
                case Dictionary<string, object> members:
                    to.Append('{');
                    bool first = true;
                    foreach (var member in members)
                    {
                        if (!first) to.Append(',');
                        first = false;
                        WriteString(to, member.Key);
                        to.Append(':');
                        WriteValue(to, member.Value);
                    }
                    to.Append('}');
                    break;
                case List<object> items:
                    to.Append('[');
                    for (int i = 0; i < items.Count; i++)
                    {
                        if (i > 0) to.Append(',');
                        WriteValue(to, items[i]);
                    }
                    to.Append(']');
                    break;
                default: to.Append(Convert.ToString(value, CultureInfo.InvariantCulture)); break;
            }
        }

        // A lone surrogate has no place in JSON: it becomes the replacement character.
        static void WriteString(StringBuilder to, string s)
        {
            to.Append('"');
            for (int i = 0; i < s.Length; i++)
            {
                char c = s[i];
                bool paired = char.IsHighSurrogate(c) ? i + 1 < s.Length && char.IsLowSurrogate(s[i + 1])
                    : !char.IsLowSurrogate(c) || (i > 0 && char.IsHighSurrogate(s[i - 1]));
                if (!paired) c = '\ufffd';
                if (c == '"' || c == '\\') to.Append('\\').Append(c);
                else if (c < ' ' || c > '~') to.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
                else to.Append(c);
            }
            to.Append('"');
        }
    }
}
