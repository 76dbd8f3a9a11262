// ValuesTests.cs
#nullable disable

using System;
using System.Collections.Generic;
using System.Linq;
using System.Numerics;
using Xunit;

namespace Gallery.Tests
{
    public class ValuesTests
    {
        [Fact]
        public void Sum_Returns0()
        {
            var result = Values.Sum(default);

            Assert.Equal(0, result);
        }

        [Fact]
        public void Sum_Returns5()
        {
            var result = Values.Sum(new ReadOnlySpan<int>(new[] { 1, 2, 3 }, 1, 2));

            Assert.Equal(5, result);
        }

        [Fact]
        public void Fill_ChangesItems()
        {
            var items = new[] { 1, 2, 3 };

            Values.Fill(items, 9);

            Assert.Equal(new[] { 9, 9, 9 }, items);
        }

        [Fact]
        public void Word_ReturnsSpanOf3()
        {
            var result = Values.Word("one two");

            Assert.Equal("one", result.ToString());
        }

        [Fact]
        public void Doubled_ReturnsArrayOf2()
        {
            var result = Values.Doubled(new Memory<int>(new[] { 1, 2, 3 }, 1, 2));

            Assert.Equal(new[] { 4, 6 }, result);
        }

        [Fact]
        public void Same_ReturnsFalse()
        {
            var result = Values.Same("same", new string("same"));

            Assert.False(result);
        }

        [Fact]
        public void Same_ReturnsTrue()
        {
            var result = Values.Same("same", "same");

            Assert.True(result);
        }

        [Fact]
        public void Weird_Returns2()
        {
            var result = Values.Weird("\0\ud800\"\\\udc00\uffffA");

            Assert.Equal(2, result);
        }

        [Fact]
        public void Index_ReturnsDictionaryOf1()
        {
            var result = Values.Index(new List<string> { "a" });

            Assert.Equal(1, result.Count);
            Assert.Equal(0, result["a"]);
        }

        [Fact]
        public void Index_ReturnsDictionaryOf2()
        {
            var result = Values.Index(new List<string> { "a", "b" });

            Assert.Equal(2, result.Count);
            Assert.Equal(0, result["a"]);
            Assert.Equal(1, result["b"]);
        }

        [Fact]
        public void Grow_ReturnsTrue()
        {
            var set = new HashSet<int> { 1 };
            var queue = new Queue<int>(new[] { 2, 3 });
            var stack = new Stack<int>(new[] { 4, 5 });

            var result = Values.Grow(set, queue, stack);

            Assert.True(result);
            Assert.Equal(new[] { 1, 2 }, Enumerable.ToArray(set));
            Assert.Equal(new[] { 3 }, queue.ToArray());
            Assert.Equal(new[] { 2, 5, 4 }, stack.ToArray());
        }

        [Fact]
        public void Adults_ReturnsListOf2()
        {
            var person = new Person("Ann", 40);
            var person2 = new Person("Bob", 18);

            var result = Values.Adults(new Person[] { person, new Person("Kid", 4), person2 });

            Assert.Equal(2, result.Count);
            Assert.Same(person, result[0]);
            Assert.Same(person2, result[1]);
        }

        [Fact]
        public void Later_AtDateData4611686018427387909_ReturnsDateTime()
        {
            var result = Values.Later(new DateTime(5, DateTimeKind.Utc), new TimeSpan(-1));

            Assert.Equal(new DateTime(4, DateTimeKind.Utc), result);
        }

        [Fact]
        public void Later_AtDateData638448480000000000_ReturnsDateTime()
        {
            var result = Values.Later(new DateTime(2024, 3, 1), new TimeSpan(24, 0, 0));

            Assert.Equal(new DateTime(2024, 3, 2), result);
        }

        [Fact]
        public void Later_ThrowsArgumentOutOfRangeException()
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => Values.Later(new DateTime(1, 1, 1), new TimeSpan(-1)));
        }

        [Fact]
        public void Year_Returns2039()
        {
            var result = Values.Year(new DateOnly(2024, 2, 29), new TimeOnly(13, 0), new DateTimeOffset(new DateTime(2024, 3, 1, 2, 0, 0), new TimeSpan(2, 0, 0)));

            Assert.Equal(2039, result);
        }

        [Fact]
        public void Square_Sign12_ReturnsBigInteger()
        {
            var result = Values.Square(new BigInteger(12));

            Assert.Equal(new BigInteger(144), result);
        }

        [Fact]
        public void Square_SignMinus1_ReturnsBigInteger()
        {
            var result = Values.Square(BigInteger.Parse("-18446744073709551616"));

            Assert.Equal(BigInteger.Parse("340282366920938463463374607431768211456"), result);
        }

        [Fact]
        public void Flip_ReturnsGuid()
        {
            var result = Values.Flip(new Guid("00001234-ffff-0002-0707-070707070707"));

            Assert.Equal(new Guid("000012cb-ffff-0002-0707-070707070707"), result);
        }

        [Fact]
        public void Half_FlagsInt32MinValue_ReturnsDecimal()
        {
            var result = Values.Half(new decimal(0, 0, 0, true, 0));

            Assert.Equal(new decimal(0, 0, 0, true, 0), result);
        }

        [Fact]
        public void Half_FlagsMinus2147352576_ReturnsDecimal()
        {
            var result = Values.Half(-123.45m);

            Assert.Equal(-61.725m, result);
        }

        [Fact]
        public void Next_Major3_ReturnsVersion()
        {
            var result = Values.Next(new Version(3, 4));

            Assert.Equal(4, result.Major);
            Assert.Equal(4, result.Minor);
            Assert.Equal(-1, result.Build);
            Assert.Equal(-1, result.Revision);
        }

        [Fact]
        public void Next_ReturnsVersion()
        {
            var result = Values.Next(new Version(1, 2));

            Assert.Equal(2, result.Major);
            Assert.Equal(2, result.Minor);
            Assert.Equal(-1, result.Build);
            Assert.Equal(-1, result.Revision);
        }

        [Fact]
        public void Host_ReturnsAExample()
        {
            var result = Values.Host(new Uri("https://a.example/b"));

            Assert.Equal("a.example", result);
        }

        [Fact]
        public void Boxed_ReturnsBoxed()
        {
            object a = 1;
            object b = 1;

            var result = Values.Boxed(a, b);

            Assert.Equal(true, result);
        }

        [Fact]
        public void Boxed_ReturnsBoxed_2()
        {
            object a = 1L;

            var result = Values.Boxed(a, a);

            Assert.Same(a, result);
        }

        [Fact]
        public void Sort_ArrayOf3_ChangesItems()
        {
            var items = new[] { 3, 1, 2 };

            Values.Sort(items);

            Assert.Equal(new[] { 1, 2, 3 }, items);
        }

        [Fact]
        public void Sort_ArrayOf6_ChangesItems()
        {
            var items = new[] { 9, 8, 7, 6, 5, 4 };

            Values.Sort(items);

            Assert.Equal(new[] { 4, 5, 6, 7, 8, 9 }, items);
        }

        [Fact]
        public void Loop_ChangesItems()
        {
            var items = new object[2];
            items[0] = items;

            Values.Loop(items);

            Assert.Equal("me", items[1]);
        }

        [Fact]
        public void Long_Returns505()
        {
            var items = new int[1000];
            Array.Fill(items, 4, 490, 20);

            var result = Values.Long(items, new string('x', 500) + "y");

            Assert.Equal(505, result);
        }

        [Fact]
        public void Moods_ReturnsArrayOf3()
        {
            var result = Values.Moods(Mood.Angry, (3, "t"), new Mood[] { Mood.Calm, (Mood)9 });

            Assert.Equal(new Mood[] { (Mood)9, Mood.Calm, Mood.Angry }, result);
        }

        [Fact]
        public void Segment_Returns7()
        {
            var result = Values.Segment(new ArraySegment<byte>(new byte[] { 1, 2, 3 }, 1, 2), new KeyValuePair<int, string>(5, "v"));

            Assert.Equal(7, result);
        }

        [Fact]
        public void Replace_ChangesAll()
        {
            // By reflection: no public call is known that makes a Node with this Value.
            var node = Reflected.Make<Node>(("<Value>k__BackingField", 1));
            Reflected.Set(node, "<Next>k__BackingField", node);
            Node node2 = node;

            Values.Replace(ref node2, out List<int> all);

            Assert.Same(node, node2);
            Assert.Equal(new[] { 1 }, all.ToArray());
        }

        [Fact]
        public void Replace_ChangesNodeAndAll()
        {
            var next = new Node(2, null);
            var node = new Node(1, next);
            Node node2 = node;

            Values.Replace(ref node2, out List<int> all);

            Assert.Same(next, node2);
            Assert.Equal(new[] { 1 }, all.ToArray());
        }

        [Fact]
        public void Mixed_ReturnsArrayOf5()
        {
            var result = Values.Mixed();

            Assert.Equal(5, result.Length);
            Assert.Equal(1, result[0]);
            Assert.Equal("two", result[1]);
            Assert.Null(result[2]);
            Assert.Equal(3.0, result[3]);
            Assert.Equal(new[] { 4 }, (int[])result[4]);
        }

        [Fact]
        public void Steps_ReturnsArrayOf2()
        {
            var result = Values.Steps(2);

            Assert.Equal(2, result.Length);
            Assert.Equal(new[] { 0 }, result[0]);
            Assert.Equal(new[] { 0, 0 }, result[1]);
        }
    }
}

