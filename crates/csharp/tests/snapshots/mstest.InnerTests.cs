#nullable disable

using System;
using Microsoft.VisualStudio.TestTools.UnitTesting;

namespace Shop.Tests
{
    [TestClass]
    public class InnerTests
    {
        [TestMethod]
        public void Feel_ReturnsMood1()
        {
            // By reflection: Feel is not public; Mood is not public.
            var result = Reflected.Call(typeof(Inner), "Feel", new Type[] { Reflected.Type("Shop.Mood, Shop") }, null, new object[] { Enum.ToObject(Reflected.Type("Shop.Mood, Shop"), 1L) });

            Assert.AreEqual(1L, Convert.ToInt64(result));
        }

        [TestMethod]
        public void Feel_ThrowsTrouble()
        {
            // By reflection: Feel is not public; Mood is not public; Trouble is not public.
            Assert.AreEqual("Shop.Trouble", Reflected.Thrown(() => Reflected.Call(typeof(Inner), "Feel", new Type[] { Reflected.Type("Shop.Mood, Shop") }, null, new object[] { Enum.ToObject(Reflected.Type("Shop.Mood, Shop"), -1L) })).GetType().FullName);
        }

        [TestMethod]
        public void Use_Returns4()
        {
            // By reflection: Use is not public; Hidden is not public.
            var result = (int)Reflected.Call(typeof(Inner), "Use", new Type[] { Reflected.Type("Shop.Hidden, Shop") }, null, new object[] { Reflected.Make(Reflected.Type("Shop.Hidden, Shop"), ("A", 4)) });

            Assert.AreEqual(4, result);
        }
    }
}
