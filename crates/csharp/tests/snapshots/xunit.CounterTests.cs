#nullable disable

using System;
using Xunit;

namespace Shop.Tests
{
    public class CounterTests
    {
        [Fact]
        public void Bump_ChangesTotalAndBy()
        {
            // By reflection: Bump is not public.
            var counter = new Counter();
            var arguments = new object[] { 2 };

            Reflected.Call(typeof(Counter), "Bump", new Type[] { typeof(int).MakeByRefType() }, counter, arguments);

            Assert.Equal(0, (int)arguments[0]);
            Assert.Equal(2, counter.Total);
        }

        [Fact]
        public void Bump_ThrowsInvalidOperationException()
        {
            // By reflection: Bump is not public.
            var counter = new Counter();
            var arguments = new object[] { 200 };

            Assert.Throws<InvalidOperationException>(() => Reflected.Call(typeof(Counter), "Bump", new Type[] { typeof(int).MakeByRefType() }, counter, arguments));

            Assert.Equal(200, counter.Total);
        }

        [Fact]
        public void Constructor_CreatesCounter()
        {
            // By reflection: the constructor is not public.
            var counter = (Counter)Reflected.Call(typeof(Counter), ".ctor", new Type[] { typeof(int) }, null, new object[] { 5 });

            Assert.Equal(5, counter.Total);
            Assert.Equal(0, counter.Size);
        }

        [Fact]
        public void Corner_Returns8()
        {
            var result = Counter.Corner(new int[,] { { 0, 0 }, { 0, 8 } });

            Assert.Equal(8, result);
        }

        [Fact]
        public void Count_Returns3()
        {
            // By reflection: no public call is known that makes a Counter with this total, Size.
            var counter = Reflected.Make<Counter>(("total", 1), ("<Size>k__BackingField", 4));

            var result = ((ICounter)counter).Count(2);

            Assert.Equal(3, result);
            Assert.Equal(3, counter.Total);
        }

        [Fact]
        public void Paint_ChangesCAndM()
        {
            Color c = Color.@class;

            Counter.Paint(ref c, out Money m);

            Assert.Equal(Color.Red, c);
            Assert.Equal(new Money(7), m);
        }

        [Fact]
        public void Pick_ReturnsGreen()
        {
            // By reflection: Pick is not public.
            var result = (Color)Reflected.Call(typeof(Counter), "Pick", new Type[] { typeof(Color) }, null, new object[] { Color.Green }, new Type[] { typeof(Color) });

            Assert.Equal(Color.Green, result);
        }

        [Fact]
        public void SetLevel_Succeeds()
        {
            Counter.Level = 3;

            // Passes when nothing is thrown.
        }

        [Fact]
        public void SetSize_ChangesSize()
        {
            var counter = new Counter { Size = 3 };

            Assert.Equal(3, counter.Size);
        }

        [Fact]
        public void Walk_Returns14()
        {
            var n = new Node { Value = 3 };
            var next = new Node { Value = 4 };
            next.Next = n;
            n.Next = next;

            var result = Counter.Walk(n);

            Assert.Equal(14, result);
        }
    }
}
