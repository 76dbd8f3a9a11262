// AccountTests.cs
#nullable disable

using System;
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace Gallery.Tests
{
    public class AccountTests
    {
        [Fact]
        public void Deposit_1_ChangesBalance()
        {
            var account = new Account("Bob", 0);

            account.Deposit(1);

            Assert.Equal(1, account.Balance);
            Assert.Equal(new[] { "BOB:1" }, Enumerable.ToArray(account.Log));
        }

        [Fact]
        public void Deposit_7_ChangesBalance()
        {
            var account = new Account("Ann", 5);

            account.Deposit(7);

            Assert.Equal(12, account.Balance);
        }

        [Fact]
        public void Deposit_ThrowsNullReferenceException()
        {
            // By reflection: no public call is known that makes a Account with this balance.
            // No public member makes this input: the readonly field owner of Account is null, and no constructor leaves it so.
            var account = Reflected.Make<Account>(("balance", 5));

            Assert.Throws<NullReferenceException>(() => account.Deposit(1));

            Assert.Equal(6, account.Balance);
        }

        [Fact]
        public void Richer_Null_ThrowsNullReferenceException()
        {
            // By reflection: no public call is known that makes a Account with this balance.
            var account = Reflected.Make<Account>(("balance", -5));

            Assert.Throws<NullReferenceException>(() => account.Richer(null));
        }

        [Fact]
        public void Richer_ReturnsAccount()
        {
            var account = new Account("", 5);
            var other = new Account("", 9);

            var result = account.Richer(other);

            Assert.Same(other, result);
        }

        [Fact]
        public void Total_Returns3()
        {
            var a = new Account("", 3);

            var result = Account.Total(a, a);

            Assert.Equal(3, result);
        }
    }
}

// BasketTests.cs
#nullable disable

using System.Collections.Generic;
using Xunit;

namespace Gallery.Tests
{
    public class BasketTests
    {
        [Fact]
        public void Add_ItemsEmptyList_Succeeds()
        {
            var basket = new Basket();

            basket.Add(4);

            Assert.Equal(new[] { 4 }, basket.Items.ToArray());
        }

        [Fact]
        public void Add_Succeeds()
        {
            var basket = new Basket();

            basket.Add(4);

            // Passes when nothing is thrown.
        }

        [Fact]
        public void Price_Returns3()
        {
            var basket = new Basket { Prices = new Dictionary<string, int> { ["tea"] = 3 } };

            var result = basket.Price("tea");

            Assert.Equal(3, result);
        }
    }
}

// CircleTests.cs
#nullable disable

using Xunit;

namespace Gallery.Tests
{
    public class CircleTests
    {
        [Fact]
        public void IsBig_ReturnsFalse()
        {
            // By reflection: no public call is known that makes a Circle with this Radius, Area, Label.
            var circle = Reflected.Make<Circle>(("<Radius>k__BackingField", 2.0), ("<Area>k__BackingField", 1.0), ("<Label>k__BackingField", "c"));

            var result = circle.IsBig();

            Assert.False(result);
        }

        [Fact]
        public void IsBig_ReturnsTrue()
        {
            var circle = new Circle(2.0, "c");

            var result = circle.IsBig();

            Assert.True(result);
        }
    }
}

// InsideTests.cs
#nullable disable

using System;
using Xunit;

namespace Gallery.Tests
{
    public class InsideTests
    {
        [Fact]
        public void Sum_Returns3()
        {
            // By reflection: Sum is not public; Hidden is not public.
            var hidden = Reflected.Make(Reflected.Type("Gallery.Hidden, Gallery"), ("Level", 1), ("Inner", Reflected.Make(Reflected.Type("Gallery.Hidden, Gallery"), ("Level", 2))));

            var result = (int)Reflected.Call(typeof(Inside), "Sum", new Type[] { Reflected.Type("Gallery.Hidden, Gallery") }, null, new object[] { hidden });

            Assert.Equal(3, result);
        }

        [Fact]
        public void Open_Returns1()
        {
            // By reflection: Open is not public; Vault is not public; Secret is not public.
            var vault = Reflected.Make(Reflected.Type("Gallery.Vault`1, Gallery").MakeGenericType(Reflected.Type("Gallery.Secret, Gallery")), ("held", Reflected.Make(Reflected.Type("Gallery.Secret, Gallery"), ("Code", 7))));

            var result = (int)Reflected.Call(typeof(Inside), "Open", new Type[] { Reflected.Type("Gallery.Vault`1, Gallery").MakeGenericType(Reflected.Type("Gallery.Secret, Gallery")) }, null, new object[] { vault });

            Assert.Equal(1, result);
        }

        [Fact]
        public void Count_Returns1()
        {
            // By reflection: Count is not public; Hidden is not public.
            var all = Array.CreateInstance(Reflected.Type("Gallery.Hidden, Gallery"), new[] { 2 });
            all.SetValue(Reflected.Make(Reflected.Type("Gallery.Hidden, Gallery"), ("Level", 2)), 1);

            var result = (int)Reflected.Call(typeof(Inside), "Count", new Type[] { Reflected.Type("Gallery.Hidden, Gallery").MakeArrayType() }, null, new object[] { all });

            Assert.Equal(1, result);
        }
    }
}

// MatrixTests.cs
#nullable disable

using System;
using Xunit;

namespace Gallery.Tests
{
    public class MatrixTests
    {
        [Fact]
        public void Trace_Returns0()
        {
            var matrix = new Matrix(0, 0);

            var result = matrix.Trace();

            Assert.Equal(0.0, result);
        }

        [Fact]
        public void Trace_Returns3Point5()
        {
            // By reflection: no public call is known that makes a Matrix with this cells.
            var matrix = Reflected.Make<Matrix>(("cells", new double[,] { { 1.5, 0 }, { 0, 2.0 } }));

            var result = matrix.Trace();

            Assert.Equal(3.5, result);
        }

        [Fact]
        public void Transposed_ReturnsArrayOf3By2()
        {
            var result = Matrix.Transposed(new int[,] { { 0, 5, 0 }, { 0, 0, 7 } });

            Assert.Equal(3, result.GetLength(0));
            Assert.Equal(2, result.GetLength(1));
            Assert.Equal(0, result[0, 0]);
            Assert.Equal(0, result[0, 1]);
            Assert.Equal(5, result[1, 0]);
            Assert.Equal(0, result[1, 1]);
            Assert.Equal(0, result[2, 0]);
            Assert.Equal(7, result[2, 1]);
        }

        [Fact]
        public void Ragged_Returns3()
        {
            var rows = new[] { 1, 2 };

            var result = Matrix.Ragged(new int[][] { rows, null, new int[0], rows });

            Assert.Equal(3, result);
        }

        [Fact]
        public void First_Returns5()
        {
            var m = (int[,])Array.CreateInstance(typeof(int), new[] { 2, 2 }, new[] { 1, -1 });
            m.SetValue(5, 1, -1);

            var result = Matrix.First(m);

            Assert.Equal(5, result);
        }
    }
}

// MeterTests.cs
#nullable disable

using Xunit;

namespace Gallery.Tests
{
    [Collection("Static state")]
    public class MeterTests
    {
        [Fact]
        public void Count_ChangesTotalAndLast()
        {
            // By reflection: the static field last is not public.
            var totalBefore = Meter.Total;
            object lastBefore = Reflected.GetStatic(typeof(Meter), "last");
            try
            {
                Meter.Total = 3;

                Meter.Count(5);

                Assert.Equal(5, Meter.Total);
            }
            finally
            {
                Meter.Total = totalBefore;
                Reflected.SetStatic(typeof(Meter), "last", lastBefore);
            }
        }
    }
}

// NodeTests.cs
#nullable disable

using Xunit;

namespace Gallery.Tests
{
    public class NodeTests
    {
        [Fact]
        public void Length_Returns3()
        {
            var result = Node.Length(new Node(1, new Node(2, new Node(3, null))));

            Assert.Equal(3, result);
        }

        [Fact]
        public void Reverse_ReturnsNode()
        {
            var result = Node.Reverse(new Node(1, new Node(2, new Node(3, null))));

            Assert.Equal(3, result.Value);
            Assert.Equal(2, result.Next.Value);
            Assert.Equal(1, result.Next.Next.Value);
            Assert.Null(result.Next.Next.Next);
        }
    }
}

// PairOfTTTests.cs
#nullable disable

using Xunit;

namespace Gallery.Tests
{
    public class PairOfTTTests
    {
        [Fact]
        public void Flip_ReturnsPair()
        {
            var pair = new Pair<int, string> { First = 1, Second = "" };

            var result = pair.Flip();

            Assert.Equal("", result.First);
            Assert.Equal(1, result.Second);
        }

        [Fact]
        public void Flip_SecondTwo_ReturnsPair()
        {
            var pair = new Pair<int, string> { First = 1, Second = "two" };

            var result = pair.Flip();

            Assert.Equal("two", result.First);
            Assert.Equal(1, result.Second);
        }
    }
}

// PersonTests.cs
#nullable disable

using Xunit;

namespace Gallery.Tests
{
    public class PersonTests
    {
        [Fact]
        public void Older_ReturnsPerson()
        {
            var person = new Person("Ann", 40);

            var result = person.Older();

            Assert.Equal("Ann", result.Name);
            Assert.Equal(41, result.Age);
            Assert.Null(result.Partner);
        }

        [Fact]
        public void Linked_ReturnsTrue()
        {
            var a = new Person("Ann", 40);
            var b = new Person("Bob", 41);
            b.Partner = a;
            a.Partner = b;

            var result = Person.Linked(a, b);

            Assert.True(result);
        }
    }
}

// PileOfTTests.cs
#nullable disable

using System;
using Xunit;

namespace Gallery.Tests
{
    public class PileOfTTests
    {
        [Fact]
        public void Push_Succeeds()
        {
            var pile = new Pile<string>();

            pile.Push("a");

            // Passes when nothing is thrown.
        }

        [Fact]
        public void Pop_Returns5()
        {
            // By reflection: no public call is known that makes a Pile with this items, count.
            var pile = Reflected.Make<Pile<int>>(("items", new[] { 4, 5 }), ("count", 2));

            var result = pile.Pop();

            Assert.Equal(5, result);
            Assert.Equal(1, pile.Count);
        }

        [Fact]
        public void Pop_ThrowsInvalidOperationException()
        {
            var pile = new Pile<int>();

            Assert.Throws<InvalidOperationException>(() => pile.Pop());
        }
    }
}

// RingTests.cs
#nullable disable

using Xunit;

namespace Gallery.Tests
{
    public class RingTests
    {
        [Fact]
        public void Size_Returns3()
        {
            var start = new Ring { Value = 1 };
            var next = new Ring { Value = 2 };
            var next2 = new Ring { Value = 3 };
            next2.Next = start;
            next.Next = next2;
            start.Next = next;

            var result = Ring.Size(start);

            Assert.Equal(3, result);
        }

        [Fact]
        public void Cut_ChangesStart()
        {
            var start = new Ring { Value = 1 };
            var next = new Ring { Value = 2 };
            var next2 = new Ring { Value = 3 };
            next2.Next = start;
            next.Next = next2;
            start.Next = next;

            Ring.Cut(start);

            Assert.Same(start, start.Next);
        }

        [Fact]
        public void Make_ReturnsRing()
        {
            var result = Ring.Make(3);

            Assert.Equal(1, result.Value);
            Assert.Equal(2, result.Next.Value);
            Assert.Equal(3, result.Next.Next.Value);
            Assert.Same(result, result.Next.Next.Next);
        }
    }
}

// SquareTests.cs
#nullable disable

using Xunit;

namespace Gallery.Tests
{
    public class SquareTests
    {
        [Fact]
        public void Differs_ReturnsTrue()
        {
            // By reflection: no public call is known that makes a Square with this size, size.
            var square = Reflected.Make<Square>(("size", 2), ("Shape::size", 3));

            var result = square.Differs();

            Assert.True(result);
        }
    }
}

// TreeTests.cs
#nullable disable

using Xunit;

namespace Gallery.Tests
{
    public class TreeTests
    {
        [Fact]
        public void Depth_Returns2()
        {
            var tree = new Tree(null) { Key = 1 };
            var left = new Tree(tree) { Key = 2 };
            tree.Left = left;

            var result = tree.Depth();

            Assert.Equal(2, result);
        }

        [Fact]
        public void Swap_ChangesLeft()
        {
            var tree = new Tree(null) { Key = 1 };
            var left = new Tree(tree) { Key = 2 };
            tree.Left = left;

            tree.Swap();

            Assert.Null(tree.Left);
        }
    }
}

