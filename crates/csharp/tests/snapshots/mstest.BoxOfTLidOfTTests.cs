#nullable disable

using Microsoft.VisualStudio.TestTools.UnitTesting;

namespace Shop.Tests
{
    [TestClass]
    public class BoxOfTLidOfTTests
    {
        [TestMethod]
        public void Count_Returns2()
        {
            var result = Box<int>.Lid<Point>.Count(1, new Point { Y = 3 });

            Assert.AreEqual(2, result);
        }
    }
}
