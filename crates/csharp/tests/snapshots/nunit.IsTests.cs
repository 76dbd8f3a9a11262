#nullable disable

using NUnit.Framework;

namespace Odd.Tests
{
    using Assert = NUnit.Framework.Assert;
    using Is = NUnit.Framework.Is;

    [TestFixture]
    public class IsTests
    {
        [Test]
        public void True_Returns1()
        {
            var result = global::Odd.Is.True(1);

            Assert.That(result, Is.EqualTo(1));
        }
    }
}
