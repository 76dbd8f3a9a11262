// Assertions of every kind, compiled and run against the real NUnit and against the stand-in: what passes with one passes with the other.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;

static class Program
{
    static int failures;

    static void Try(string name, Action code)
    {
        // Each in a context of its own, as tests are.
        System.Threading.ExecutionContext.Run(System.Threading.ExecutionContext.Capture(), _ =>
        {
            string result;
            try
            {
                code();
                result = "passes";
            }
            catch (ResultStateException e)
            {
                result = e.GetType().Name;
            }
            catch (Exception e)
            {
                result = "throws " + e.GetType().Name;
            }
            Console.WriteLine(name + ": " + result);
        }, null);
    }

    sealed class Money : IEquatable<Money>
    {
        public int Amount;
        public Money(int amount) => Amount = amount;
        public bool Equals(Money other) => other != null && other.Amount == Amount;
        public override bool Equals(object obj) => obj is Money other && Equals(other);
        public override int GetHashCode() => Amount;
        public override string ToString() => "Money " + Amount;
    }

    class Plain { public int Number { get; set; } public string Name { get; set; } internal int Hidden => 3; }

    sealed class Derived : Plain { }

    struct Point { public int X, Y; }

    sealed class Shy { public override string ToString() => throw new InvalidOperationException(); }

    sealed class Ordered : IComparable { public int Rank; public int CompareTo(object other) => Rank.CompareTo(((Ordered)other).Rank); }

    enum Color { Red, Green }

    static IEnumerable<int> Lazy(params int[] items) { foreach (int item in items) yield return item; }

    static void Main()
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        Equal();
        Numbers();
        Collections();
        Dates();
        Constraints();
        Texts();
        Throwing();
        Classic();
        Combined();
    }

    static void Same(string name, object expected, object actual) => Try("equal " + name, () => Assert.That(actual, Is.EqualTo(expected)));

    static void Equal()
    {
        Same("null null", null, null);
        Same("null 1", null, 1);
        Same("1 null", 1, null);
        Same("strings", "a", "a");
        Same("strings case", "a", "A");
        Same("string \\0", "a", "a\0");
        Same("soft hyphen", "a", "a\u00ad");
        Same("composed", "\u00e9", "e\u0301");
        Same("chars", 'a', 'a');
        Same("char int", 'a', 97);
        Same("char string", 'a', "a");
        Same("bools", true, true);
        Same("bool int", true, 1);
        Same("enums", Color.Red, Color.Red);
        Same("enum int", Color.Red, 0);
        Same("equatable", new Money(1), new Money(1));
        Same("equatable differs", new Money(1), new Money(2));
        Same("plain", new Plain(), new Plain());
        Same("struct", new Point { X = 1 }, new Point { X = 1 });
        Same("struct differs", new Point { X = 1 }, new Point { Y = 1 });
        Same("tuple", Tuple.Create(1, "a"), Tuple.Create(1, "a"));
        Same("tuple of numbers", Tuple.Create(1, 2), Tuple.Create(1L, 2L));
        Same("value tuple", (1, "a"), (1, "a"));
        Same("value tuple differs", (1, "a"), (1, "b"));
        Same("value tuple of arrays", (new[] { 1 }, 2), (new[] { 1 }, 2));
        Same("pair", new KeyValuePair<int, int[]>(1, new[] { 2 }), new KeyValuePair<int, int[]>(1, new[] { 2 }));
        Same("guid", Guid.Empty, new Guid());
        Same("type", typeof(int), typeof(int));
        Same("nullable", (int?)1, 1);
        Same("uri", new Uri("http://a/b"), new Uri("http://a/b"));
        Same("version", new Version(1, 2), new Version(1, 2));
        Same("nan", double.NaN, double.NaN);
        Same("decimal scale", 1.0m, 1.00m);
        var shared = new Plain();
        Try("same", () => Assert.That(shared, Is.SameAs(shared)));
        Try("not same", () => Assert.That(new Plain(), Is.Not.SameAs(shared)));
        var shy = new Shy();
        Try("shy same", () => Assert.That(shy, Is.SameAs(shy)));
        Try("shy equal", () => Assert.That(shy, Is.EqualTo(shy)));
        Try("shy in list", () => Assert.That(new[] { shy }, Has.Member(shy)));
        Try("same boxed", () => Assert.That((object)1, Is.SameAs((object)1)));
        Try("ignore case", () => Assert.That("ABC", Is.EqualTo("abc").IgnoreCase));
        Try("ignore case in array", () => Assert.That(new[] { "A" }, Is.EqualTo(new[] { "a" }).IgnoreCase));
        Try("using", () => Assert.That(3, Is.EqualTo(13).Using<int>((x, y) => x % 10 == y % 10)));
        Try("using comparer", () => Assert.That("a", Is.EqualTo("A").Using((IComparer)StringComparer.OrdinalIgnoreCase)));
        Try("using in list", () => Assert.That(new[] { 3, 4 }, Is.EqualTo(new[] { 13, 14 }).Using<int>((x, y) => x % 10 == y % 10)));
    }

    static void Numbers()
    {
        Same("int long", 1, 1L);
        Same("int byte", 1, (byte)1);
        Same("int double", 1, 1.0);
        Same("int decimal", 1, 1m);
        Same("int uint", -1, uint.MaxValue);
        Same("ulong long", ulong.MaxValue, -1L);
        Same("ulong max", ulong.MaxValue, ulong.MaxValue);
        Same("float double", 0.1f, 0.1);
        Same("float float", 0.1f, 0.1f);
        Same("zero negative zero", 0.0, -0.0);
        Same("infinity", double.PositiveInfinity, double.PositiveInfinity);
        Same("infinities", double.PositiveInfinity, double.NegativeInfinity);
        Same("nan float", float.NaN, float.NaN);
        Same("nan 1", double.NaN, 1.0);
        Same("nint", (IntPtr)1, (IntPtr)1);
        Try("within", () => Assert.That(1.05, Is.EqualTo(1.0).Within(0.1)));
        Try("within too far", () => Assert.That(1.25, Is.EqualTo(1.0).Within(0.1)));
        Try("within int", () => Assert.That(12, Is.EqualTo(10).Within(2)));
        Try("within int too far", () => Assert.That(13, Is.EqualTo(10).Within(2)));
        Try("within percent", () => Assert.That(105, Is.EqualTo(100).Within(5).Percent));
        Try("within percent too far", () => Assert.That(106, Is.EqualTo(100).Within(5).Percent));
        Try("within percent double", () => Assert.That(1.04, Is.EqualTo(1.0).Within(5).Percent));
        Try("within ulps", () => Assert.That(1.0000000000000002, Is.EqualTo(1.0).Within(1).Ulps));
        Try("within ulps too far", () => Assert.That(1.0000000000000009, Is.EqualTo(1.0).Within(1).Ulps));
        Try("within decimal", () => Assert.That(1.05m, Is.EqualTo(1m).Within(0.1m)));
        Try("within array", () => Assert.That(new[] { 1.05, 2 }, Is.EqualTo(new[] { 1.0, 2 }).Within(0.1)));
        Try("within infinity", () => Assert.That(double.PositiveInfinity, Is.EqualTo(double.PositiveInfinity).Within(1)));
        Try("within infinity 1", () => Assert.That(1.0, Is.EqualTo(double.PositiveInfinity).Within(1)));
        Try("within nan", () => Assert.That(double.NaN, Is.EqualTo(double.NaN).Within(1)));
        Try("greater", () => Assert.That(2, Is.GreaterThan(1)));
        Try("greater mixed", () => Assert.That(2.5, Is.GreaterThan(2)));
        Try("greater equal", () => Assert.That(2, Is.GreaterThan(2)));
        Try("at least", () => Assert.That(2, Is.AtLeast(2)));
        Try("less", () => Assert.That(1L, Is.LessThan(2)));
        Try("at most", () => Assert.That(3, Is.AtMost(2)));
        Try("less than null", () => Assert.That((object)null, Is.LessThan(2)));
        Try("greater strings", () => Assert.That("b", Is.GreaterThan("a")));
        Try("greater comparable", () => Assert.That(new Ordered { Rank = 2 }, Is.GreaterThan(new Ordered { Rank = 1 })));
        Try("greater incomparable", () => Assert.That(new Plain(), Is.GreaterThan(new Plain())));
        Try("compare int uint", () => Assert.That(-1, Is.LessThan(1u)));
        Try("compare long ulong", () => Assert.That(1L, Is.LessThan(2ul)));
        Try("compare decimal double", () => Assert.That(1.5m, Is.LessThan(2.0)));
        Try("compare char", () => Assert.That('b', Is.GreaterThan('a')));
        Try("compare char int", () => Assert.That('b', Is.GreaterThan(97)));
        Try("compare bool", () => Assert.That(true, Is.GreaterThan(false)));
        Try("compare enum", () => Assert.That(Color.Green, Is.GreaterThan(Color.Red)));
        Try("compare nan", () => Assert.That(double.NaN, Is.LessThan(1.0)));
        Try("compare string int", () => Assert.That("1", Is.GreaterThan(0)));
        Try("greater within", () => Assert.That(1.05, Is.GreaterThan(1.0).Within(0.1)));
        Try("at least within", () => Assert.That(0.95, Is.AtLeast(1.0).Within(0.1)));
        Try("in range", () => Assert.That(2, Is.InRange(1, 3)));
        Try("not in range", () => Assert.That(4, Is.InRange(1, 3)));
        Try("positive", () => Assert.That(1, Is.Positive));
        Try("negative", () => Assert.That(1.5, Is.Negative));
        Try("zero", () => Assert.That(0.0, Is.Zero));
        Try("nan is nan", () => Assert.That(double.NaN, Is.NaN));
        Try("one is nan", () => Assert.That(1.0, Is.NaN));
        Try("float nan is nan", () => Assert.That(float.NaN, Is.NaN));
    }

    static void Collections()
    {
        int[] array = { 1, 2, 3 };
        var list = new List<int> { 1, 2, 3 };
        Same("arrays", array, new[] { 1, 2, 3 });
        Same("arrays differ", array, new[] { 1, 2, 4 });
        Same("arrays shorter", array, new[] { 1, 2 });
        Same("array list", array, list);
        Same("list array", list, array);
        Same("int long arrays", array, new long[] { 1, 2, 3 });
        Same("array lazy", array, Lazy(1, 2, 3));
        Same("nested", new[] { new[] { 1 }, new[] { 2 } }, new[] { new[] { 1 }, new[] { 2 } });
        Same("nested differ", new[] { new[] { 1 }, new[] { 2 } }, new[] { new[] { 1 }, new[] { 3 } });
        Same("jagged rectangular", new[] { new[] { 1 }, new[] { 2 } }, new[,] { { 1 }, { 2 } });
        Same("rectangular", new[,] { { 1, 2 } }, new[,] { { 1, 2 } });
        Same("rectangular shape", new[,] { { 1, 2 } }, new[,] { { 1 }, { 2 } });
        Same("strings in lists", new List<string> { "a" }, new[] { "a" });
        Same("string as chars", "ab", new[] { 'a', 'b' });
        Same("empty arrays of other types", new int[0], new string[0]);
        Same("dictionaries", new Dictionary<string, int> { ["a"] = 1, ["b"] = 2 }, new Dictionary<string, int> { ["b"] = 2, ["a"] = 1 });
        Same("dictionaries differ", new Dictionary<string, int> { ["a"] = 1 }, new Dictionary<string, int> { ["a"] = 2 });
        Same("dictionary counts", new Dictionary<string, int> { ["a"] = 1 }, new Dictionary<string, int>());
        Same("hashtable", new Hashtable { ["a"] = 1 }, new Dictionary<string, int> { ["a"] = 1 });
        Same("sets in order", new HashSet<int> { 1, 2 }, new HashSet<int> { 1, 2 });
        Same("sets in another order", new HashSet<int> { 1, 2 }, new HashSet<int> { 2, 1 });
        Same("queue list", new Queue<int>(array), list);
        Same("set list", new SortedSet<int> { 3, 1, 2 }, list);
        Same("arraylist", new ArrayList { 1, 2L, 3.0 }, array);
        Same("memory", new ReadOnlyMemory<int>(array), new ReadOnlyMemory<int>(array));
        Try("as collection", () => Assert.That(new[,] { { 1, 2 } }, Is.EqualTo(new[] { 1, 2 }).AsCollection));
        Try("equivalent", () => Assert.That(array, Is.EquivalentTo(new[] { 3, 1, 2 })));
        Try("equivalent duplicates", () => Assert.That(array, Is.EquivalentTo(new[] { 3, 1, 2, 2 })));
        Try("equivalent long", () => Assert.That(array, Is.EquivalentTo(new long[] { 3, 1, 2 })));
        Try("subset", () => Assert.That(new[] { 1, 2 }, Is.SubsetOf(array)));
        Try("subset not", () => Assert.That(new[] { 1, 5 }, Is.SubsetOf(array)));
        Try("superset", () => Assert.That(array, Is.SupersetOf(new[] { 3 })));
        Try("empty", () => Assert.That(new int[0], Is.Empty));
        Try("not empty", () => Assert.That(array, Is.Empty));
        Try("empty string", () => Assert.That("", Is.Empty));
        Try("empty null", () => Assert.That((string)null, Is.Empty));
        Try("empty null object", () => Assert.That((object)null, Is.Empty));
        Try("empty null list", () => Assert.That((List<int>)null, Is.Empty));
        Try("not empty null", () => Assert.That((string)null, Is.Not.Empty));
        Try("not null and not empty of null", () => Assert.That((string)null, Is.Not.Null.And.Not.Empty));
        Try("empty guid", () => Assert.That(Guid.Empty, Is.Empty));
        Try("items of null", () => Assert.That((int[])null, Has.Some.EqualTo(1)));
        Try("member of null", () => Assert.That((int[])null, Has.Member(1)));
        Try("length of null", () => Assert.That((string)null, Has.Length.EqualTo(1)));
        Try("equivalent null", () => Assert.That((int[])null, Is.EquivalentTo(new[] { 1 })));
        Try("equivalent set", () => Assert.That(new HashSet<string> { "a", "b" }, Is.EquivalentTo(new[] { "b", "a" })));
        Try("ordered strings", () => Assert.That(new[] { "a", "B", "c" }, Is.Ordered));
        Try("ordered nulls", () => Assert.That(new[] { null, "a" }, Is.Ordered));
        Try("unique nulls", () => Assert.That(new string[] { null, null }, Is.Unique));
        Try("count of set", () => Assert.That(new HashSet<int> { 1 }, Has.Count.EqualTo(1)));
        Try("count of lazy", () => Assert.That(Lazy(1), Has.Count.EqualTo(1)));
        Try("char among numbers", () => Assert.That(new object[] { 'a' }, Has.Member(97)));
        Try("empty number", () => Assert.That(1, Is.Empty));
        Try("unique", () => Assert.That(array, Is.Unique));
        Try("not unique", () => Assert.That(new[] { 1, 1 }, Is.Unique));
        Try("ordered", () => Assert.That(array, Is.Ordered));
        Try("not ordered", () => Assert.That(new[] { 2, 1 }, Is.Ordered));
        Try("ordered descending", () => Assert.That(new[] { 2, 1 }, Is.Ordered.Descending));
        Try("ordered by", () => Assert.That(new[] { new Plain { Number = 1 }, new Plain { Number = 2 } }, Is.Ordered.By("Number")));
        Try("all", () => Assert.That(array, Is.All.GreaterThan(0)));
        Try("all fails", () => Assert.That(array, Is.All.GreaterThan(1)));
        Try("all of nothing", () => Assert.That(new int[0], Is.All.GreaterThan(1)));
        Try("all of no collection", () => Assert.That(1, Is.All.GreaterThan(1)));
        Try("some", () => Assert.That(array, Has.Some.GreaterThan(2)));
        Try("some fails", () => Assert.That(array, Has.Some.GreaterThan(3)));
        Try("none", () => Assert.That(array, Has.None.GreaterThan(3)));
        Try("exactly", () => Assert.That(array, Has.Exactly(2).GreaterThan(1)));
        Try("exactly items", () => Assert.That(array, Has.Exactly(3).Items));
        Try("exactly items fails", () => Assert.That(array, Has.Exactly(2).Items));
        Try("one", () => Assert.That(array, Has.One.EqualTo(1)));
        Try("member", () => Assert.That(array, Has.Member(2)));
        Try("member long", () => Assert.That(array, Has.Member(2L)));
        Try("no member", () => Assert.That(array, Has.No.Member(2)));
        Try("length", () => Assert.That(array, Has.Length.EqualTo(3)));
        Try("count", () => Assert.That(list, Has.Count.GreaterThan(2)));
        Try("count of array", () => Assert.That(array, Has.Count.EqualTo(3)));
        Try("contain item", () => Assert.That(list, Does.Contain(3)));
        Try("contains item", () => Assert.That(list, Contains.Item(4)));
        Try("contain key", () => Assert.That(new Dictionary<string, int> { ["a"] = 1 }, Does.ContainKey("a")));
        Try("contain key not", () => Assert.That(new Dictionary<string, int> { ["a"] = 1 }, Does.ContainKey("b")));
        Try("contain value", () => Assert.That(new Dictionary<string, int> { ["a"] = 1 }, Does.ContainValue(1)));
        Try("key with value", () => Assert.That(new Dictionary<string, int> { ["a"] = 1 }, Does.ContainKey("a").WithValue(1)));
        Try("any of", () => Assert.That(2, Is.AnyOf(1, 2)));
        Try("any of not", () => Assert.That(3, Is.AnyOf(1, 2)));
    }

    static void Dates()
    {
        var noon = new DateTime(2020, 1, 1, 12, 0, 0);
        Same("dates", noon, new DateTime(2020, 1, 1, 12, 0, 0));
        Same("date kinds", noon, DateTime.SpecifyKind(noon, DateTimeKind.Utc));
        Same("dates differ", noon, noon.AddTicks(1));
        Same("offsets", new DateTimeOffset(noon, TimeSpan.Zero), new DateTimeOffset(noon, TimeSpan.Zero));
        Same("offsets same instant", new DateTimeOffset(noon, TimeSpan.Zero), new DateTimeOffset(noon.AddHours(1), TimeSpan.FromHours(1)));
        Same("spans", TimeSpan.FromHours(1), TimeSpan.FromMinutes(60));
        Try("date within", () => Assert.That(noon.AddMinutes(5), Is.EqualTo(noon).Within(TimeSpan.FromMinutes(5))));
        Try("date within too far", () => Assert.That(noon.AddMinutes(6), Is.EqualTo(noon).Within(TimeSpan.FromMinutes(5))));
        Try("date within minutes", () => Assert.That(noon.AddMinutes(5), Is.EqualTo(noon).Within(5).Minutes));
        Try("date within seconds", () => Assert.That(noon.AddMinutes(5), Is.EqualTo(noon).Within(5).Seconds));
        Try("span within", () => Assert.That(TimeSpan.FromMinutes(61), Is.EqualTo(TimeSpan.FromHours(1)).Within(1).Minutes));
        Try("same offset", () => Assert.That(new DateTimeOffset(noon.AddHours(1), TimeSpan.FromHours(1)), Is.EqualTo(new DateTimeOffset(noon, TimeSpan.Zero)).WithSameOffset));
        Try("date greater", () => Assert.That(noon.AddDays(1), Is.GreaterThan(noon)));
    }

    static void Constraints()
    {
        Try("true", () => Assert.That(true, Is.True));
        Try("false is true", () => Assert.That(false, Is.True));
        Try("null is true", () => Assert.That((bool?)null, Is.True));
        Try("null is false", () => Assert.That((bool?)null, Is.False));
        Try("null", () => Assert.That((object)null, Is.Null));
        Try("not null", () => Assert.That(1, Is.Not.Null));
        Try("null not null", () => Assert.That((object)null, Is.Not.Null));
        Try("type of", () => Assert.That(new Derived(), Is.TypeOf<Derived>()));
        Try("type of base", () => Assert.That(new Derived(), Is.TypeOf<Plain>()));
        Try("instance of", () => Assert.That(new Derived(), Is.InstanceOf<Plain>()));
        Try("instance of null", () => Assert.That((object)null, Is.InstanceOf<Plain>()));
        Try("not instance of", () => Assert.That(new Plain(), Is.Not.InstanceOf<Derived>()));
        Try("assignable from", () => Assert.That(new Plain(), Is.AssignableFrom<Derived>()));
        Try("assignable to", () => Assert.That(new Derived(), Is.AssignableTo<Plain>()));
        Try("property", () => Assert.That(new Plain { Number = 3 }, Has.Property("Number").EqualTo(3)));
        Try("property fails", () => Assert.That(new Plain { Number = 3 }, Has.Property("Number").EqualTo(4)));
        Try("property exists", () => Assert.That(new Plain(), Has.Property("Number")));
        Try("property does not exist", () => Assert.That(new Plain(), Has.Property("Nothing")));
        Try("property missing compared", () => Assert.That(new Plain(), Has.Property("Nothing").EqualTo(1)));
        Try("hidden property", () => Assert.That(new Plain(), Has.Property("Hidden").EqualTo(3)));
        Try("property of null", () => Assert.That((object)null, Has.Property("Number").EqualTo(1)));
        Try("bool", () => Assert.That(1 == 1));
        Try("bool false", () => Assert.That(1 == 2));
        Try("bool message", () => Assert.That(1 == 2, "one is {0}", 1));
        Try("func bool", () => Assert.That(() => 1 == 1));
        Try("delegate value", () => Assert.That(() => 3, Is.EqualTo(3)));
        Try("message", () => Assert.That(1, Is.EqualTo(2), "expected {0}", 2));
    }

    static void Texts()
    {
        Try("starts", () => Assert.That("hello", Does.StartWith("he")));
        Try("starts case", () => Assert.That("hello", Does.StartWith("HE")));
        Try("starts ignore case", () => Assert.That("hello", Does.StartWith("HE").IgnoreCase));
        Try("starts null", () => Assert.That((string)null, Does.StartWith("he")));
        Try("ends", () => Assert.That("hello", Does.EndWith("lo")));
        Try("contains", () => Assert.That("hello", Does.Contain("ell")));
        Try("contains not", () => Assert.That("hello", Does.Not.Contain("ell")));
        Try("contains ignore case", () => Assert.That("hello", Does.Contain("ELL").IgnoreCase));
        Try("contains in list", () => Assert.That(new List<string> { "a" }, Does.Contain("a")));
        Try("substring", () => Assert.That("hello", Contains.Substring("ll")));
        Try("match", () => Assert.That("hello", Does.Match("^h.*o$")));
        Try("match not", () => Assert.That("hello", Does.Not.Match("^h.*o$")));
        Try("match ignore case", () => Assert.That("HELLO", Does.Match("^h.*o$").IgnoreCase));
        Try("number matches", () => Assert.That(1, Does.Match("1")));
        Try("null matches", () => Assert.That((string)null, Does.Match("1")));
        Try("number contains", () => Assert.That(1, Does.Contain("1")));
        Try("null contains", () => Assert.That((string)null, Does.Contain("1")));
        Try("null contains not", () => Assert.That((string)null, Does.Not.Contain("1")));
        Try("contains null", () => Assert.That("a", Does.Contain((string)null)));
        Try("null starts not", () => Assert.That((string)null, Does.Not.StartWith("1")));
        Try("number starts", () => Assert.That(1, Does.StartWith("1")));
    }

    static void Fail(string message = "broken") => throw new ArgumentException(message);

    static void Throwing()
    {
        Try("throws", () => Assert.Throws<ArgumentException>(() => Fail()));
        Try("throws nothing", () => Assert.Throws<ArgumentException>(() => { }));
        Try("throws derived", () => Assert.Throws<SystemException>(() => Fail()));
        Try("throws type", () => Assert.Throws(typeof(ArgumentException), () => Fail()));
        Try("throws constraint", () => Assert.Throws(Is.InstanceOf<SystemException>(), () => Fail()));
        Try("catch", () => Assert.Catch<SystemException>(() => Fail()));
        Try("catch any", () => Assert.Catch(() => Fail()));
        Try("catch nothing", () => Assert.Catch(() => { }));
        Try("does not throw", () => Assert.DoesNotThrow(() => { }));
        Try("does throw", () => Assert.DoesNotThrow(() => Fail()));
        Try("that throws", () => Assert.That(() => Fail(), Throws.TypeOf<ArgumentException>()));
        Try("that throws derived", () => Assert.That(() => Fail(), Throws.TypeOf<SystemException>()));
        Try("that throws instance", () => Assert.That(() => Fail(), Throws.InstanceOf<SystemException>()));
        Try("that throws argument", () => Assert.That(() => Fail(), Throws.ArgumentException));
        Try("that throws message", () => Assert.That(() => Fail("x"), Throws.ArgumentException.With.Message.EqualTo("x")));
        Try("that throws message fails", () => Assert.That(() => Fail("x"), Throws.ArgumentException.With.Message.EqualTo("y")));
        Try("that throws message contains", () => Assert.That(() => Fail("xyz"), Throws.Exception.TypeOf<ArgumentException>().With.Message.Contains("y")));
        Try("that throws any", () => Assert.That(() => Fail(), Throws.Exception));
        Try("that throws any not", () => Assert.That(() => { }, Throws.Exception));
        Try("that throws nothing", () => Assert.That(() => { }, Throws.Nothing));
        Try("that throws something", () => Assert.That(() => Fail(), Throws.Nothing));
        Try("that function throws", () => Assert.That(() => int.Parse("x"), Throws.TypeOf<FormatException>()));
        Try("that throws property", () => Assert.That(() => throw new ArgumentNullException("p"), Throws.ArgumentNullException.With.Property("ParamName").EqualTo("p")));
        Try("async throws", () => Assert.ThrowsAsync<InvalidOperationException>(async () => { await Task.Yield(); throw new InvalidOperationException(); }));
        Try("async throws nothing", () => Assert.ThrowsAsync<InvalidOperationException>(() => Task.CompletedTask));
        Try("async does not throw", () => Assert.DoesNotThrowAsync(() => Task.CompletedTask));
        Try("async value", () => Assert.That(async () => await Task.FromResult(3), Is.EqualTo(3)));
        Try("thrown is returned", () => Assert.That(Assert.Throws<ArgumentException>(() => Fail("m")).Message, Is.EqualTo("m")));
        Try("pass", () => Assert.Pass("enough"));
        Try("fail", () => Assert.Fail("no"));
        Try("ignore", () => Assert.Ignore("later"));
        Try("inconclusive", () => Assert.Inconclusive("who knows"));
        Try("assume", () => Assume.That(1, Is.EqualTo(2)));
    }

    static void Classic()
    {
        Try("are equal", () => Assert.AreEqual(1, 1L));
        Try("are equal arrays", () => Assert.AreEqual(new[] { 1 }, new[] { 1 }));
        Try("are equal fails", () => Assert.AreEqual("a", "b", "letters {0}", 1));
        Try("are equal delta", () => Assert.AreEqual(1.0, 1.05, 0.1));
        Try("are equal delta fails", () => Assert.AreEqual(1.0, 1.25, 0.1));
        Try("are equal delta nan", () => Assert.AreEqual(double.NaN, double.NaN, 0.1));
        Try("are equal delta infinity", () => Assert.AreEqual(double.PositiveInfinity, double.PositiveInfinity, 0.1));
        Try("are not equal", () => Assert.AreNotEqual(1, 2));
        Try("are not equal fails", () => Assert.AreNotEqual(1, 1.0));
        Try("are same", () => Assert.AreSame("a", "a"));
        Try("are not same", () => Assert.AreNotSame(new Plain(), new Plain()));
        Try("is true", () => Assert.IsTrue(true));
        Try("is false", () => Assert.IsFalse(true));
        Try("is null", () => Assert.IsNull(null));
        Try("is not null", () => Assert.IsNotNull(null));
        Try("is nan", () => Assert.IsNaN(1.0));
        Try("is empty", () => Assert.IsEmpty(""));
        Try("is not empty", () => Assert.IsNotEmpty(new int[0]));
        Try("greater classic", () => Assert.Greater(2, 1));
        Try("less or equal", () => Assert.LessOrEqual(2, 1));
        Try("contains classic", () => Assert.Contains(1, new[] { 1 }));
        Try("is instance of", () => Assert.IsInstanceOf<Plain>(new Derived()));
        Try("collection equal", () => CollectionAssert.AreEqual(new[] { 1, 2 }, new List<int> { 1, 2 }));
        Try("collection equal order", () => CollectionAssert.AreEqual(new[] { 1, 2 }, new List<int> { 2, 1 }));
        Try("collection equivalent", () => CollectionAssert.AreEquivalent(new[] { 1, 2 }, new List<int> { 2, 1 }));
        Try("collection contains", () => CollectionAssert.Contains(new[] { 1, 2 }, 3));
        Try("collection not null", () => CollectionAssert.AllItemsAreNotNull(new object[] { 1, null }));
        Try("collection unique", () => CollectionAssert.AllItemsAreUnique(new[] { 1, 2 }));
        Try("collection subset", () => CollectionAssert.IsSubsetOf(new[] { 1 }, new[] { 1, 2 }));
        Try("string contains", () => StringAssert.Contains("b", "abc"));
        Try("string starts", () => StringAssert.StartsWith("b", "abc"));
        Try("string ignoring case", () => StringAssert.AreEqualIgnoringCase("ABC", "abc"));
        Try("string match", () => StringAssert.IsMatch("b+", "abbc"));
    }

    static void Combined()
    {
        Try("and", () => Assert.That(5, Is.GreaterThan(1).And.LessThan(10)));
        Try("and fails", () => Assert.That(15, Is.GreaterThan(1).And.LessThan(10)));
        Try("or", () => Assert.That(15, Is.LessThan(1).Or.GreaterThan(10)));
        Try("or and", () => Assert.That(5, Is.EqualTo(5).Or.EqualTo(6).And.EqualTo(7)));
        Try("and or", () => Assert.That(5, Is.EqualTo(7).And.EqualTo(6).Or.EqualTo(5)));
        Try("not and", () => Assert.That(5, Is.Not.EqualTo(6).And.Not.EqualTo(5)));
        Try("not null and empty", () => Assert.That("a", Is.Not.Null.And.Not.Empty));
        Try("all and", () => Assert.That(new[] { 1, 2 }, Is.All.GreaterThan(0).And.LessThan(2)));
        Try("some or", () => Assert.That(new[] { 1, 2 }, Has.Some.GreaterThan(5).Or.LessThan(2)));
        Try("none and", () => Assert.That(new[] { 1, 2 }, Has.None.GreaterThan(1).And.LessThan(3)));
        Try("operators", () => Assert.That(5, Is.GreaterThan(1) & Is.LessThan(10)));
        Try("operators or", () => Assert.That(5, Is.GreaterThan(6) | Is.LessThan(10)));
        Try("operator not", () => Assert.That(5, !Is.EqualTo(6)));
        Try("length and", () => Assert.That("abc", Has.Length.EqualTo(3).And.StartsWith("a")));
        Try("property and property", () => Assert.That(new Plain { Number = 1, Name = "n" }, Has.Property("Number").EqualTo(1).And.Property("Name").EqualTo("n")));
        Try("property exists and", () => Assert.That(new Plain { Number = 1 }, Has.Property("Number").And.Property("Nothing")));
        Try("multiple", () => Assert.Multiple(() => { Assert.That(1, Is.EqualTo(1)); Assert.That(2, Is.EqualTo(2)); }));
        Try("multiple fails", () => Assert.Multiple(() => { Assert.That(1, Is.EqualTo(2)); Assert.That(2, Is.EqualTo(3)); }));
        Try("multiple fails once", () => Assert.Multiple(() => { Assert.That(1, Is.EqualTo(2)); }));
        Try("multiple throws", () => Assert.Multiple(() => throw new InvalidOperationException()));
        Try("matches predicate", () => Assert.That(4, Is.Not.Null.And.Matches<int>(n => n % 2 == 0)));
        _ = failures;
    }
}
