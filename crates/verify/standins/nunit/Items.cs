// Constraints on collections, and on what code throws.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;

namespace NUnit.Framework.Constraints
{
    internal sealed class ItemsConstraint(string word, Constraint inner, Func<int, int, bool> enough) : Constraint
    {
        public override string Description => word + " " + inner.Description;

        internal override bool Holds(object? actual)
        {
            int hits = 0, count = 0;
            foreach (object? item in Items.Of(actual))
            {
                count++;
                if (inner.Holds(item)) hits++;
            }
            return enough(hits, count);
        }
    }

    internal static class Items
    {
        public static IEnumerable<object?> Of(object? actual) =>
            actual is IEnumerable items ? items.Cast<object?>() : throw new ArgumentException("The actual value must be an IEnumerable", nameof(actual));
    }

    public class SomeItemsConstraint(EqualConstraint inner) : Constraint
    {
        public override string Description => "some item equal to " + inner.Description;

        internal override bool Holds(object? actual) => Items.Of(actual).Any(inner.Holds);

        public SomeItemsConstraint Using<T>(IEqualityComparer<T> comparer)
        {
            inner.Using(comparer);
            return this;
        }
    }

    /// Of a string or of a collection.
    public class ContainsConstraint(string? expected) : Constraint
    {
        bool ignoreCase;

        public override string Description => "containing " + Show.Value(expected);

        public ContainsConstraint IgnoreCase
        {
            get
            {
                ignoreCase = true;
                return this;
            }
        }

        internal override bool Holds(object? actual)
        {
            if (actual is string text) return text.IndexOf(expected ?? throw new ArgumentNullException(nameof(expected)), ignoreCase ? StringComparison.CurrentCultureIgnoreCase : StringComparison.CurrentCulture) >= 0;
            var equality = new Equality { IgnoreCase = ignoreCase };
            return Items.Of(actual).Any(item => equality.Equal(expected, item));
        }
    }

    public class DictionaryContainsKeyConstraint(object expected) : Constraint
    {
        public override string Description => "dictionary containing key " + Show.Value(expected);
        internal override bool Holds(object? actual)
        {
            if (actual is IDictionary dictionary) return dictionary.Contains(expected);
            var method = actual?.GetType().GetMethods().FirstOrDefault(m => m.Name == "ContainsKey" && m.GetParameters().Length == 1 && m.GetParameters()[0].ParameterType.IsInstanceOfType(expected));
            return method is null ? throw new ArgumentException("The actual value must have a ContainsKey method.", nameof(actual)) : (bool)method.Invoke(actual, new[] { expected })!;
        }

        public DictionaryContainsKeyValuePairConstraint WithValue(object? value) => new DictionaryContainsKeyValuePairConstraint(expected, value);
    }

    public class DictionaryContainsKeyValuePairConstraint(object key, object? value) : Constraint
    {
        public override string Description => "dictionary containing entry [" + Show.Value(key) + ", " + Show.Value(value) + "]";
        internal override bool Holds(object? actual) => actual is IDictionary dictionary && dictionary.Contains(key) && new Equality().Equal(value, dictionary[key]);
    }

    public class DictionaryContainsValueConstraint(object? expected) : Constraint
    {
        public override string Description => "dictionary containing value " + Show.Value(expected);
        internal override bool Holds(object? actual) => actual is IDictionary dictionary && dictionary.Values.Cast<object?>().Any(item => new Equality().Equal(expected, item));
    }

    public class EmptyConstraint : Constraint
    {
        public override string Description => "<empty>";

        internal override bool Holds(object? actual, Type type) => actual is null && type == typeof(string) ? false : Holds(actual);

        internal override bool Holds(object? actual)
        {
            switch (actual)
            {
                case string text: return text.Length == 0;
                case Guid guid: return guid == Guid.Empty;
                case IEnumerable items: return !items.GetEnumerator().MoveNext();
                default: throw new ArgumentException("The actual value must be a string, a collection or a Guid.", nameof(actual));
            }
        }
    }

    public class UniqueItemsConstraint : Constraint
    {
        readonly Equality equality = new();

        public override string Description => "all items unique";

        public UniqueItemsConstraint IgnoreCase
        {
            get
            {
                equality.IgnoreCase = true;
                return this;
            }
        }

        internal override bool Holds(object? actual)
        {
            List<object?> items = Items.Of(actual).ToList();
            return !items.Where((item, at) => items.Skip(at + 1).Any(other => equality.Equal(item, other))).Any();
        }
    }

    public abstract class CollectionItemsEqualConstraint(IEnumerable expected, string word) : Constraint
    {
        readonly Equality equality = new();

        public override string Description => word + " " + Show.Value(expected);

        /// How many items of each side find no partner on the other.
        protected (int Missing, int Extra) Tally(object? actual)
        {
            List<object?> left = Items.Of(actual).ToList();
            int missing = 0;
            foreach (object? item in expected)
            {
                int at = left.FindIndex(other => equality.Equal(item, other));
                if (at < 0) missing++;
                else left.RemoveAt(at);
            }
            return (missing, left.Count);
        }

        protected void SetIgnoreCase() => equality.IgnoreCase = true;

        protected void SetOwn<T>(Func<T, T, bool> comparer) => equality.Own.Add((x, y) => x is T one && y is T other ? comparer(one, other) : null);
    }

    public class CollectionEquivalentConstraint(IEnumerable expected) : CollectionItemsEqualConstraint(expected, "equivalent to")
    {
        internal override bool Holds(object? actual) => Tally(actual) == (0, 0);

        public CollectionEquivalentConstraint IgnoreCase
        {
            get
            {
                SetIgnoreCase();
                return this;
            }
        }

        public CollectionEquivalentConstraint Using<T>(IEqualityComparer<T> comparer)
        {
            SetOwn<T>(comparer.Equals);
            return this;
        }

        public CollectionEquivalentConstraint Using<T>(Func<T, T, bool> comparer)
        {
            SetOwn(comparer);
            return this;
        }
    }

    public class CollectionSubsetConstraint(IEnumerable expected) : CollectionItemsEqualConstraint(expected, "subset of")
    {
        internal override bool Holds(object? actual) => Tally(actual).Extra == 0;
    }

    public class CollectionSupersetConstraint(IEnumerable expected) : CollectionItemsEqualConstraint(expected, "superset of")
    {
        internal override bool Holds(object? actual) => Tally(actual).Missing == 0;
    }

    public class CollectionOrderedConstraint : Constraint
    {
        bool descending;
        string? property;

        public override string Description => "collection ordered";

        public CollectionOrderedConstraint Ascending => this;

        public CollectionOrderedConstraint Descending
        {
            get
            {
                descending = true;
                return this;
            }
        }

        public CollectionOrderedConstraint By(string propertyName)
        {
            property = propertyName;
            return this;
        }

        internal override bool Holds(object? actual)
        {
            object? Key(object? item) => property is null ? item : item!.GetType().GetProperty(property)!.GetValue(item);
            List<object?> keys = Items.Of(actual).Select(Key).ToList();
            return keys.Zip(keys.Skip(1), (one, next) => Numbers.Order(one, next, null)).All(order => descending ? order >= 0 : order <= 0);
        }
    }

    internal static class Code
    {
        /// What code throws, awaited if it can be.
        public static Exception? Thrown(object? code)
        {
            try
            {
                switch (code)
                {
                    case TestDelegate plain:
                        plain();
                        return null;
                    case AsyncTestDelegate task:
                        task().GetAwaiter().GetResult();
                        return null;
                    case Delegate other when other.Method.GetParameters().Length == 0:
                        object? result = other.Method.Invoke(other.Target, System.Reflection.BindingFlags.DoNotWrapExceptions, null, null, null);
                        (result as Task)?.GetAwaiter().GetResult();
                        return null;
                    default:
                        throw new InvalidOperationException("The actual value must be a TestDelegate or AsyncTestDelegate but was " + code?.GetType().Name);
                }
            }
            catch (Exception e) when (!(e is InvalidOperationException && e.Message.StartsWith("The actual value must be a TestDelegate", StringComparison.Ordinal)))
            {
                return e;
            }
        }
    }

    public class ThrowsConstraint(Constraint inner) : Constraint
    {
        public override string Description => inner.Description;
        internal override bool IsAboutCode => true;
        internal override bool Holds(object? actual) => Code.Thrown(actual) is Exception thrown && inner.Holds(thrown);
    }

    public class ThrowsExceptionConstraint : Constraint
    {
        public override string Description => "an exception to be thrown";
        internal override bool IsAboutCode => true;
        internal override bool Holds(object? actual) => Code.Thrown(actual) != null;
    }

    public class ThrowsNothingConstraint : Constraint
    {
        public override string Description => "No Exception to be thrown";
        internal override bool IsAboutCode => true;
        internal override bool Holds(object? actual) => Code.Thrown(actual) is null;
    }
}
