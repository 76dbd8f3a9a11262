#nullable disable

using System;
using NUnit.Framework;

namespace Shop.Tests
{
    [TestFixture]
    public class MoneyTests
    {
        [Test]
        public void Addition_Int64MaxValue_ThrowsOverflowException()
        {
            Assert.Throws<OverflowException>(() => _ = new Money(long.MaxValue) + new Money(2));
        }

        [Test]
        public void Addition_ReturnsMoney()
        {
            var result = new Money(1) + new Money(2);

            Assert.That(result, Is.EqualTo(new Money(3)));
        }

        [Test]
        public void Cents_Returns4()
        {
            var money = new Money(4);

            var result = money.Cents;

            Assert.That(result, Is.EqualTo(4L));
        }

        [Test]
        public void Explicit_ReturnsMinus8()
        {
            var result = (int)new Money(-8);

            Assert.That(result, Is.EqualTo(-8));
        }

        [Test]
        public void Explicit_ThrowsOverflowException()
        {
            Assert.Throws<OverflowException>(() => _ = (int)new Money(0x10000000000));
        }

        [Test]
        public void Increment_ReturnsMoney()
        {
            // By reflection: op_Increment has no plain form in C#.
            var result = (Money)Reflected.Call(typeof(Money), "op_Increment", new Type[] { typeof(Money) }, null, new object[] { new Money(1) });

            Assert.That(result, Is.EqualTo(new Money(2)));
        }

        [Test]
        public void LessThan_ReturnsTrue()
        {
            var result = default(Money) < new Money(2);

            Assert.That(result, Is.True);
        }

        [Test]
        public void UnaryNegation_ReturnsMoney()
        {
            var result = -new Money(5);

            Assert.That(result, Is.EqualTo(new Money(-5)));
        }
    }
}
