// Assertions about collections.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Threading.Tasks;
using Xunit.Sdk;

namespace Xunit
{
    public partial class Assert
    {
        public static void All<T>(IEnumerable<T> collection, Action<T> action) => All(collection, (item, _) => action(item));

        public static void All<T>(IEnumerable<T> collection, Action<T, int> action)
        {
            int index = 0;
            foreach (T item in collection)
            {
                try
                {
                    action(item, index);
                }
                catch (Exception e)
                {
                    throw new AllException("Assert.All() Failure: item " + index + " in the collection did not pass: " + Show.Value(item), e);
                }
                index++;
            }
        }

        public static async Task AllAsync<T>(IEnumerable<T> collection, Func<T, Task> action)
        {
            foreach (T item in collection) await action(item);
        }

        public static void Collection<T>(IEnumerable<T> collection, params Action<T>[] elementInspectors)
        {
            List<T> items = collection.ToList();
            if (items.Count != elementInspectors.Length)
                throw new CollectionException("Assert.Collection() Failure: Mismatched item count\nExpected count: " + elementInspectors.Length + "\nActual count:   " + items.Count);
            for (int i = 0; i < items.Count; i++)
            {
                try
                {
                    elementInspectors[i](items[i]);
                }
                catch (Exception e)
                {
                    throw new CollectionException("Assert.Collection() Failure: Item comparison failure at index " + i + ": " + e.Message, e);
                }
            }
        }

        public static async Task CollectionAsync<T>(IEnumerable<T> collection, params Func<T, Task>[] elementInspectors)
        {
            List<T> items = collection.ToList();
            if (items.Count != elementInspectors.Length)
                throw new CollectionException("Assert.Collection() Failure: Mismatched item count\nExpected count: " + elementInspectors.Length + "\nActual count:   " + items.Count);
            for (int i = 0; i < items.Count; i++) await elementInspectors[i](items[i]);
        }

        public static void Contains<T>(T expected, IEnumerable<T> collection)
        {
            // A collection that has its own notion of equality is asked first.
            if (collection is ICollection<T> own && own.Contains(expected)) return;
            if (!collection.Any(item => Comparison.Equal(expected, item)))
                throw new ContainsException("Assert.Contains() Failure: Item not found in collection\nCollection: " + Show.Value(collection) + "\nNot found:  " + Show.Value(expected));
        }

        public static void Contains<T>(T expected, IEnumerable<T> collection, IEqualityComparer<T> comparer)
        {
            if (!collection.Contains(expected, comparer))
                throw new ContainsException("Assert.Contains() Failure: Item not found in collection\nCollection: " + Show.Value(collection) + "\nNot found:  " + Show.Value(expected));
        }

        public static void Contains<T>(IEnumerable<T> collection, Predicate<T> filter)
        {
            if (!collection.Any(item => filter(item)))
                throw new ContainsException("Assert.Contains() Failure: Filter not matched in collection\nCollection: " + Show.Value(collection));
        }

        public static TValue Contains<TKey, TValue>(TKey expected, IDictionary<TKey, TValue> collection) where TKey : notnull =>
            collection.TryGetValue(expected, out TValue? value) ? value : throw new ContainsException("Assert.Contains() Failure: Key not found in dictionary\nNot found: " + Show.Value(expected));

        public static TValue Contains<TKey, TValue>(TKey expected, IReadOnlyDictionary<TKey, TValue> collection) where TKey : notnull =>
            collection.TryGetValue(expected, out TValue? value) ? value : throw new ContainsException("Assert.Contains() Failure: Key not found in dictionary\nNot found: " + Show.Value(expected));

        public static TValue Contains<TKey, TValue>(TKey expected, Dictionary<TKey, TValue> collection) where TKey : notnull => Contains(expected, (IReadOnlyDictionary<TKey, TValue>)collection);

        public static TValue Contains<TKey, TValue>(TKey expected, ConcurrentDictionary<TKey, TValue> collection) where TKey : notnull => Contains(expected, (IReadOnlyDictionary<TKey, TValue>)collection);

        public static TValue Contains<TKey, TValue>(TKey expected, ReadOnlyDictionary<TKey, TValue> collection) where TKey : notnull => Contains(expected, (IReadOnlyDictionary<TKey, TValue>)collection);

        public static void DoesNotContain<T>(T expected, IEnumerable<T> collection)
        {
            bool found = collection is ICollection<T> own && own.Contains(expected) || collection.Any(item => Comparison.Equal(expected, item));
            if (found) throw new DoesNotContainException("Assert.DoesNotContain() Failure: Item found in collection\nCollection: " + Show.Value(collection) + "\nFound:      " + Show.Value(expected));
        }

        public static void DoesNotContain<T>(T expected, IEnumerable<T> collection, IEqualityComparer<T> comparer)
        {
            if (collection.Contains(expected, comparer)) throw new DoesNotContainException("Assert.DoesNotContain() Failure: Item found in collection\nFound: " + Show.Value(expected));
        }

        public static void DoesNotContain<T>(IEnumerable<T> collection, Predicate<T> filter)
        {
            if (collection.Any(item => filter(item))) throw new DoesNotContainException("Assert.DoesNotContain() Failure: Filter matched in collection\nCollection: " + Show.Value(collection));
        }

        public static void DoesNotContain<TKey, TValue>(TKey expected, IDictionary<TKey, TValue> collection) where TKey : notnull => DoesNotContain(expected, collection.Keys);

        public static void DoesNotContain<TKey, TValue>(TKey expected, IReadOnlyDictionary<TKey, TValue> collection) where TKey : notnull => DoesNotContain(expected, collection.Keys);

        public static void DoesNotContain<TKey, TValue>(TKey expected, Dictionary<TKey, TValue> collection) where TKey : notnull => DoesNotContain(expected, (IReadOnlyDictionary<TKey, TValue>)collection);

        public static void Distinct<T>(IEnumerable<T> collection) => Distinct(collection, EqualityComparer<T>.Default);

        public static void Distinct<T>(IEnumerable<T> collection, IEqualityComparer<T> comparer)
        {
            var seen = new HashSet<T>(comparer);
            foreach (T item in collection)
                if (!seen.Add(item)) throw new DistinctException("Assert.Distinct() Failure: Duplicate item found\nItem: " + Show.Value(item));
        }

        public static void Empty(IEnumerable collection)
        {
            if (collection is null) throw new ArgumentNullException(nameof(collection));
            if (collection.GetEnumerator().MoveNext()) throw new EmptyException("Assert.Empty() Failure: Collection was not empty\nCollection: " + Show.Value(collection));
        }

        public static void NotEmpty(IEnumerable collection)
        {
            if (collection is null) throw new ArgumentNullException(nameof(collection));
            if (!collection.GetEnumerator().MoveNext()) throw new NotEmptyException("Assert.NotEmpty() Failure: Collection was empty");
        }

        public static object? Single(IEnumerable collection) => Single(collection.Cast<object?>());

        public static void Single(IEnumerable collection, object? expected) => Single(collection.Cast<object?>(), item => object.Equals(item, expected));

        public static T Single<T>(IEnumerable<T> collection) => Single(collection, _ => true);

        public static T Single<T>(IEnumerable<T> collection, Predicate<T> predicate)
        {
            List<T> found = collection.Where(item => predicate(item)).ToList();
            return found.Count == 1 ? found[0] : throw new SingleException("Assert.Single() Failure: The collection contained " + found.Count + " matching items instead of 1\nCollection: " + Show.Value(collection));
        }

        public static void Subset<T>(ISet<T> expectedSubset, ISet<T>? actual)
        {
            if (actual is null || !actual.IsSubsetOf(expectedSubset)) throw new SubsetException("Assert.Subset() Failure: Value is not a subset\nExpected: " + Show.Value(expectedSubset) + "\nActual:   " + Show.Value(actual));
        }

        public static void ProperSubset<T>(ISet<T> expectedSubset, ISet<T>? actual)
        {
            if (actual is null || !actual.IsProperSubsetOf(expectedSubset)) throw new ProperSubsetException("Assert.ProperSubset() Failure: Value is not a proper subset");
        }

        public static void Superset<T>(ISet<T> expectedSuperset, ISet<T>? actual)
        {
            if (actual is null || !actual.IsSupersetOf(expectedSuperset)) throw new SupersetException("Assert.Superset() Failure: Value is not a superset");
        }

        public static void ProperSuperset<T>(ISet<T> expectedSuperset, ISet<T>? actual)
        {
            if (actual is null || !actual.IsProperSupersetOf(expectedSuperset)) throw new ProperSupersetException("Assert.ProperSuperset() Failure: Value is not a proper superset");
        }
    }
}
