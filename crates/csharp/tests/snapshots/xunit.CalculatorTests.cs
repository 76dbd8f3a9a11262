#nullable disable

using System;
using Xunit;

namespace Shop.Tests
{
    public class CalculatorTests
    {
        [Fact]
        public void Add_Int32Int32_Returns5()
        {
            var result = Calculator.Add(2, 3);

            Assert.Equal(5, result);
        }

        [Fact]
        public void Add_Int32MaxValue_ThrowsOverflowException()
        {
            Assert.Throws<OverflowException>(() => Calculator.Add(int.MaxValue, 1));
        }

        [Fact]
        public void Add_Int64Int64_Returns5()
        {
            var result = Calculator.Add(2L, 3L);

            Assert.Equal(5L, result);
        }

        [Fact]
        public void Add_Int64MinValue_ThrowsOverflowException()
        {
            Assert.Throws<OverflowException>(() => Calculator.Add(long.MinValue, -1L));
        }

        [Fact]
        public void Checked_Returns1()
        {
            var result = Calculator.@checked(1);

            Assert.Equal(1, result);
        }

        [Fact]
        public void Divide_ByZero_ThrowsDivideByZeroException()
        {
            Assert.Throws<DivideByZeroException>(() => Calculator.Divide(1, 0));
        }

        [Fact]
        public void Divide_Int32MinValue_ThrowsOverflowException()
        {
            Assert.Throws<OverflowException>(() => Calculator.Divide(int.MinValue, -1));
        }

        [Fact]
        public void Divide_ReturnsMinus3()
        {
            var result = Calculator.Divide(7, -2);

            Assert.Equal(-3, result);
        }

        [Fact]
        public void Echo_ReturnsPoint()
        {
            var result = Calculator.Echo<Point>(new Point { X = 1, Y = 2 });

            Assert.Equal(new Point { X = 1, Y = 2 }, result);
        }

        [Theory]
        [InlineData(Access.None, (Access)64, (Access)64)] // Grant_ReturnsAccess64
        [InlineData(Access.Read, Access.Write, Access.ReadWrite)] // Grant_ReturnsReadWrite
        [InlineData(Access.Top, Access.Write, Access.Write | Access.Top)] // Grant_ReturnsWriteAndTop
        public void Grant_ReturnsExpected(Access a, Access b, Access expected)
        {
            var result = Calculator.Grant(a, b);

            Assert.Equal(expected, result);
        }

        [Fact]
        public void Half_Returns4()
        {
            var result = Calculator.Half(9);

            Assert.Equal(4, result);
        }

        [Fact]
        public void Half_ReturnsNull()
        {
            var result = Calculator.Half(null);

            Assert.Null(result);
        }

        [Fact]
        public void Halve_ReturnsTrue()
        {
            // By reflection: Halve is not public.
            var arguments = new object[] { 8 };

            var result = (bool)Reflected.Call(typeof(Calculator), "Halve", new Type[] { typeof(int).MakeByRefType() }, null, arguments);

            Assert.True(result);
            Assert.Equal(4, (int)arguments[0]);
        }

        [Fact]
        public void Huge_Lower0_ReturnsInt128()
        {
            var result = Calculator.Huge(new Int128(1UL, 0UL));

            Assert.Equal(new Int128(1UL, 0UL), result);
        }

        [Fact]
        public void Huge_Lower5_ReturnsInt128()
        {
            var result = Calculator.Huge((Int128)5);

            Assert.Equal((Int128)5, result);
        }

        [Fact]
        public void Huge_LowerUInt64MaxValue_ReturnsInt128()
        {
            var result = Calculator.Huge((Int128)(-1));

            Assert.Equal((Int128)(-1), result);
        }

        [Theory]
        [InlineData((sbyte)(-5), true)] // IsSmall_Minus5_ReturnsTrue
        [InlineData((sbyte)100, false)] // IsSmall_ReturnsFalse
        [InlineData(sbyte.MinValue, true)] // IsSmall_SByteMinValue_ReturnsTrue
        public void IsSmall_ReturnsExpected(sbyte v, bool expected)
        {
            var result = Calculator.IsSmall(v);

            Assert.Equal(expected, result);
        }

        [Fact]
        public void Length_Null_ThrowsNullReferenceException()
        {
            Assert.Throws<NullReferenceException>(() => Calculator.Length(null));
        }

        [Fact]
        public void Length_Returns3()
        {
            var result = Calculator.Length("h\u00e9\n");

            Assert.Equal(3, result);
        }

        [Fact]
        public void Low_Returns1()
        {
            var result = Calculator.Low(513);

            Assert.Equal(1, result);
        }

        [Fact]
        public void Low_ReturnsByteMaxValue()
        {
            var result = Calculator.Low(511);

            Assert.Equal(byte.MaxValue, result);
        }

        [Fact]
        public void Mirror_X0_ReturnsPoint()
        {
            var result = Calculator.Mirror(default(Point));

            Assert.Equal(default(Point), result);
        }

        [Fact]
        public void Mirror_X1_ReturnsPoint()
        {
            var result = Calculator.Mirror(new Point { X = 1 });

            Assert.Equal(new Point { Y = 1 }, result);
        }

        [Fact]
        public void Mix_ReturnsColor9()
        {
            var result = Calculator.Mix(Color.Green, Color.@class);

            Assert.Equal((Color)9, result);
        }

        [Fact]
        public void Mix_ReturnsGreen()
        {
            var result = Calculator.Mix(Color.Red, Color.Red);

            Assert.Equal(Color.Green, result);
        }

        [Fact]
        public void Name_ReturnsGreen()
        {
            var result = Calculator.Name(Color.Green);

            Assert.Equal("Green", result);
        }

        [Fact]
        public void Nan_1Point5_ReturnsNaN()
        {
            var result = Calculator.Nan(1.5f);

            Assert.Equal(float.NaN, result);
        }

        [Fact]
        public void Nan_NaN_ReturnsNaN()
        {
            var result = Calculator.Nan(BitConverter.Int32BitsToSingle(unchecked((int)0x7FC00123)));

            Assert.Equal(float.NaN, result);
        }

        [Fact]
        public void Native_Returns5()
        {
            var result = Calculator.Native(4);

            Assert.Equal((nint)5, result);
        }

        [Fact]
        public void Native_ReturnsLargeNegativeValue()
        {
            var result = Calculator.Native(unchecked((nint)long.MinValue));

            Assert.Equal(unchecked((nint)(-9223372036854775807L)), result);
        }

        [Fact]
        public void Next_ReturnsLowercaseA()
        {
            var result = Calculator.Next('`');

            Assert.Equal('a', result);
        }

        [Fact]
        public void Next_ReturnsU0000()
        {
            var result = Calculator.Next('\uffff');

            Assert.Equal('\0', result);
        }

        [Fact]
        public void Nothing_Succeeds()
        {
            Calculator.Nothing();

            // Passes when nothing is thrown.
        }

        [Fact]
        public void Pair_Returns3AndRed()
        {
            var result = Calculator.Pair((3, true));

            Assert.Equal((3, Color.Red), result);
        }

        [Fact]
        public void Price_Flags0_ReturnsDecimal()
        {
            var result = Calculator.Price(12m);

            Assert.Equal(12m, result);
        }

        [Fact]
        public void Price_FlagsMinus2147352576_ReturnsDecimal()
        {
            var result = Calculator.Price(-123.45m);

            Assert.Equal(-123.45m, result);
        }

        [Fact]
        public void Ratio_Returns0Point1()
        {
            var result = Calculator.Ratio(0.2);

            Assert.Equal(0.1, result);
        }

        [Fact]
        public void Ratio_ReturnsNegativeInfinity()
        {
            var result = Calculator.Ratio(double.NegativeInfinity);

            Assert.Equal(double.NegativeInfinity, result);
        }

        [Fact]
        public void Same_ReturnsSealed()
        {
            // By reflection: no public call is known that makes a Sealed with this secret, other; the field secret is not public; the field other is not public.
            var result = Calculator.Same(Reflected.Make<Sealed>(("secret", 5), ("other", (short)(-6))));

            Assert.Equal(5, (int)Reflected.Get(result, "secret"));
            Assert.Equal(-6, (short)Reflected.Get(result, "other"));
        }

        [Fact]
        public void Secret_Returns2()
        {
            // By reflection: Secret is not public.
            var result = (int)Reflected.Call(typeof(Calculator), "Secret", new Type[] { typeof(int) }, null, new object[] { 1 });

            Assert.Equal(2, result);
        }

        [Fact]
        public void Secret_ThrowsArgumentException()
        {
            // By reflection: Secret is not public.
            Assert.Throws<ArgumentException>(() => Reflected.Call(typeof(Calculator), "Secret", new Type[] { typeof(int) }, null, new object[] { -1 }));
        }

        [Fact]
        public void Sum_Returns3()
        {
            var items = new[] { 1, 2 };

            var result = Calculator.Sum(items);

            Assert.Equal(3, result);
            Assert.Equal(9, items[0]);
        }

        [Fact]
        public void Swap_ChangesAAndB()
        {
            int a = 1;
            int b = 2;

            Calculator.Swap(ref a, ref b);

            Assert.Equal(2, a);
            Assert.Equal(1, b);
        }

        [Fact]
        public void TryHalf_ReturnsFalse()
        {
            var result = Calculator.TryHalf(7, out int half);

            Assert.False(result);
            Assert.Equal(3, half);
        }

        [Fact]
        public void TryHalf_ThrowsArgumentOutOfRangeException()
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => Calculator.TryHalf(-1, out _));
        }

        [Fact]
        public void Unsigned_ReturnsLargeValue()
        {
            var result = Calculator.Unsigned(unchecked((nuint)0xFFFFFFFFFFFFFFFFUL));

            Assert.Equal(unchecked((nuint)0xFFFFFFFFFFFFFFFFUL), result);
        }

        [Fact]
        public void Wide_Returns0()
        {
            var result = Calculator.Wide(ulong.MaxValue);

            Assert.Equal(0UL, result);
        }

        [Fact]
        public void Wide_ReturnsLargeValue()
        {
            var result = Calculator.Wide(0x7FFFFFFFFFFFFFFF);

            Assert.Equal(0x8000000000000000UL, result);
        }
    }
}
