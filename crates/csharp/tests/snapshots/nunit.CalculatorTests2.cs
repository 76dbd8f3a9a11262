#nullable disable

using System;
using NUnit.Framework;

namespace Shop.Deep.Tests
{
    [TestFixture]
    public class CalculatorTests
    {
        [Test]
        public void Fail_ThrowsInvalidTimeZoneException()
        {
            Assert.Throws<InvalidTimeZoneException>(() => Calculator.Fail());
        }

        [Test]
        public void Whole_ReturnsRange()
        {
            var result = Calculator.Whole();

            Assert.That(result, Is.EqualTo(new Range { Start = 1 }));
        }
    }
}
