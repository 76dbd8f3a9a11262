// When two values are equal for NUnit: numbers by value whatever their types, arrays by shape, collections item by item, the rest by what
// the types say.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace NUnit.Framework.Constraints
{
    internal sealed class Equality
    {
        public bool IgnoreCase;
        public bool AsCollection;
        public bool SameOffset;
        public Tolerance? Within;
        public readonly List<Func<object, object, bool?>> Own = new();
        readonly HashSet<(object, object)> open = new();

        public bool Equal(object? x, object? y, bool top = true)
        {
            if (x is null || y is null) return x is null && y is null;
            if (ReferenceEquals(x, y)) return true;
            foreach (Func<object, object, bool?> own in Own)
                if (own(x, y) is bool decided) return decided;
            if (x is Array xArray && y is Array yArray && !(AsCollection && top)) return Arrays(xArray, yArray);
            if (x is IDictionary xDictionary && y is IDictionary yDictionary) return Dictionaries(xDictionary, yDictionary);
            if (x is DictionaryEntry xEntry && y is DictionaryEntry yEntry) return Equal(xEntry.Key, yEntry.Key, false) && Equal(xEntry.Value, yEntry.Value, false);
            if (Is(x, typeof(KeyValuePair<,>)) && Is(y, typeof(KeyValuePair<,>))) return Part("Key", x, y) && Part("Value", x, y);
            if (x is string xText && y is string yText) return IgnoreCase ? xText.ToLower().Equals(yText.ToLower()) : xText.Equals(yText);
            if (x is char xChar && y is char yChar) return IgnoreCase ? char.ToLower(xChar) == char.ToLower(yChar) : xChar == yChar;
            if (Numbers.IsNumeric(x) && Numbers.IsNumeric(y)) return Numbers.Equal(x, y, Within);
            if (x is DateTimeOffset xOffset && y is DateTimeOffset yOffset && Offsets(xOffset, yOffset) is bool same) return same;
            if (Within?.Amount is TimeSpan span && Times(x, y, span) is bool near) return near;
            if (IsTuple(x) && IsTuple(y) && x.GetType().Name == y.GetType().Name) return Tuples((ITuple)x, (ITuple)y);
            if (!(AsCollection && top) && Equatable(x, y) is bool equal) return equal;
            if (x is IEnumerable xItems && y is IEnumerable yItems) return Sequences(xItems, yItems);
            return x.Equals(y);
        }

        bool Arrays(Array x, Array y)
        {
            if (x.Rank != y.Rank) return false;
            for (int rank = 0; rank < x.Rank; rank++)
                if (x.GetLength(rank) != y.GetLength(rank)) return false;
            return Sequences(x, y);
        }

        bool Sequences(IEnumerable x, IEnumerable y)
        {
            // Collections that contain themselves.
            if (!open.Add((x, y))) return false;
            IEnumerator xItems = x.GetEnumerator(), yItems = y.GetEnumerator();
            try
            {
                while (true)
                {
                    bool more = xItems.MoveNext();
                    if (more != yItems.MoveNext()) return false;
                    if (!more) return true;
                    if (!Equal(xItems.Current, yItems.Current, false)) return false;
                }
            }
            finally
            {
                open.Remove((x, y));
                (xItems as IDisposable)?.Dispose();
                (yItems as IDisposable)?.Dispose();
            }
        }

        bool Dictionaries(IDictionary x, IDictionary y)
        {
            if (x.Count != y.Count) return false;
            List<object> keys = y.Keys.Cast<object>().ToList();
            foreach (object key in x.Keys.Cast<object>())
            {
                int at = keys.FindIndex(other => Equal(key, other, false));
                if (at < 0) return false;
                keys.RemoveAt(at);
            }
            return x.Keys.Cast<object>().All(key => y.Contains(key) && Equal(x[key], y[key], false));
        }

        bool? Offsets(DateTimeOffset x, DateTimeOffset y)
        {
            if (Within?.Amount is TimeSpan span)
            {
                return (x - y).Duration() <= span && (!SameOffset || x.Offset == y.Offset);
            }
            return SameOffset ? x.Equals(y) && x.Offset == y.Offset : null;
        }

        static bool? Times(object x, object y, TimeSpan span)
        {
            if (x is DateTime xDate && y is DateTime yDate) return (xDate - yDate).Duration() <= span;
            return x is TimeSpan xSpan && y is TimeSpan ySpan ? (xSpan - ySpan).Duration() <= span : (bool?)null;
        }

        static bool IsTuple(object value) => value is ITuple && (value.GetType().FullName!.StartsWith("System.Tuple`", StringComparison.Ordinal) || value.GetType().FullName!.StartsWith("System.ValueTuple`", StringComparison.Ordinal));

        bool Tuples(ITuple x, ITuple y) => x.Length == y.Length && Enumerable.Range(0, x.Length).All(i => Equal(x[i], y[i], false));

        bool Part(string name, object x, object y) => Equal(x.GetType().GetProperty(name)!.GetValue(x), y.GetType().GetProperty(name)!.GetValue(y), false);

        static bool Is(object value, Type definition) => value.GetType().IsGenericType && value.GetType().GetGenericTypeDefinition() == definition;

        static bool? Equatable(object x, object y) => Equates(x, y) ?? (x.GetType() != y.GetType() ? Equates(y, x) : null);

        static bool? Equates(object x, object y)
        {
            // The interface for the closest type that it is declared for.
            for (Type? type = y.GetType(); type != null; type = type.BaseType)
            {
                Type face = typeof(IEquatable<>).MakeGenericType(type);
                if (face.IsInstanceOfType(x)) return (bool)face.GetMethod("Equals")!.Invoke(x, BindingFlags.DoNotWrapExceptions, null, new[] { y }, null)!;
            }
            return null;
        }
    }

    internal static class Show
    {
        public static string Value(object? value, int depth = 0)
        {
            try
            {
                return Text(value, depth);
            }
            catch (Exception e)
            {
                return "<" + e.GetType().Name + ">";
            }
        }

        static string Text(object? value, int depth)
        {
            switch (value)
            {
                case null: return "null";
                case string text: return "\"" + text + "\"";
                case char c: return "'" + c + "'";
                case IFormattable number: return number.ToString(null, System.Globalization.CultureInfo.InvariantCulture);
                case IEnumerable items when depth < 3: return "< " + string.Join(", ", items.Cast<object?>().Take(10).Select(item => Value(item, depth + 1))) + " >";
                default: return "<" + value + ">";
            }
        }
    }
}
