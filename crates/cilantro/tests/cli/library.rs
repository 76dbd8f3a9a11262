//! A small library to ask about.

use std::path::PathBuf;

const SOURCE: &str = r#"
namespace Shop
{
    public static class Cart
    {
        public static int Add(int count, int more) => count > 100 ? count : count + more;

        public static int Share(int total, int people) => total / people;

        public static bool Odd(int x)
        {
            if ((x & 1) == 1) return true;
            if ((x & 3) == 3) return true; // never: the low bit is clear
            return false;
        }
    }

    public struct Point
    {
        public int X, Y;

        public int Sum() => checked(X + Y);

        public struct Inner
        {
            public int Z;

            public int Twice() => Z < 0 ? -2 * Z : 2 * Z;
        }
    }
}

namespace Shop.Loops
{
    public static class Endless
    {
        // As many paths as there are numbers, and a list that grows, of which no proof about loops speaks.
        public static int Collatz(uint start)
        {
            var seen = new System.Collections.Generic.List<uint>();
            while (start > 1)
            {
                start = (start & 1) == 0 ? start / 2 : 3 * start + 1;
                seen.Add(start);
            }
            return seen.Count;
        }
    }
}
"#;

/// The compiled library, with symbols beside it.
pub fn shop() -> PathBuf {
    testkit::compile("Shop", &[("Cart.cs", SOURCE)], &testkit::Options::default()).unwrap()
}
