// CheckoutTests.cs
#nullable disable

using System;
using Moq;
using Xunit;

namespace Services.Tests
{
    public class CheckoutTests
    {
        [Fact]
        public void Constructor_CreatesCheckout()
        {
            var prices = new Mock<IPrices>();
            var clock = new Mock<IClock>();

            var checkout = new Checkout(prices.Object, clock.Object);

            Assert.Equal(0, checkout.Last);
        }

        [Fact]
        public void Total_Returns12()
        {
            var prices = new Mock<IPrices>();
            prices.SetupSequence(m => m.Price(It.IsAny<string>())).Returns(5).Returns(7);
            var clock = new Mock<IClock>();
            clock.Setup(m => m.Now).Returns(new DateTime(2020, 1, 1, 9, 0, 0));
            var checkout = new Checkout(prices.Object, clock.Object);

            var result = checkout.Total(new[] { "a", "b" });

            Assert.Equal(12, result);
        }

        [Fact]
        public void Total_Returns8()
        {
            var prices = new Mock<IPrices>();
            prices.Setup(m => m.Price(It.IsAny<string>())).Returns(4);
            var clock = new Mock<IClock>();
            clock.Setup(m => m.Now).Returns(new DateTime(2020, 1, 1, 23, 0, 0));
            var checkout = new Checkout(prices.Object, clock.Object);

            var result = checkout.Total(new[] { "a" });

            Assert.Equal(8, result);
        }

        [Fact]
        public void Total_ThrowsInvalidOperationException()
        {
            var prices = new Mock<IPrices>();
            prices.Setup(m => m.Price(It.IsAny<string>())).Returns(-1);
            var checkout = new Checkout(prices.Object, null);

            Assert.Throws<InvalidOperationException>(() => checkout.Total(new string[1]));
        }

        [Fact]
        public void Find_Returns42()
        {
            var prices = new Mock<IPrices>();
            int price = 42;
            prices.Setup(m => m.TryFind(It.IsAny<string>(), out price)).Returns(true);
            var checkout = new Checkout(prices.Object, null);

            var result = checkout.Find(null);

            Assert.Equal(42, result);
        }

        [Fact]
        public void Find_ReturnsMinus1()
        {
            var prices = new Mock<IPrices>();
            int price = 0;
            prices.Setup(m => m.TryFind(It.IsAny<string>(), out price)).Returns(false);
            var checkout = new Checkout(prices.Object, null);

            var result = checkout.Find(null);

            Assert.Equal(-1, result);
        }
    }
}

// FeedsTests.cs
#nullable disable

using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Moq;
using Xunit;

namespace Services.Tests
{
    public class FeedsTests
    {
        [Fact]
        public void Total_Returns00()
        {
            var feed = new Mock<IFeed>();
            feed.Setup(m => m.Title).Returns(Task.FromResult<string>(null));
            feed.Setup(m => m.Read(It.IsAny<string>())).Returns(Task.FromResult(0));
            feed.Setup(m => m.Size()).Returns(new ValueTask<long>(default(long)));
            feed.Setup(m => m.Flush()).Returns(default(ValueTask));
            feed.Setup(m => m.Close()).Returns(Task.CompletedTask);
            feed.Setup(m => m.Get<string>(It.IsAny<int>())).Returns(Task.FromResult<string>(default(string)));

            var result = Feeds.Total(feed.Object);

            Assert.Equal("00", result);
        }

        [Fact]
        public void Total_ReturnsT117g()
        {
            var feed = new Mock<IFeed>();
            feed.Setup(m => m.Title).Returns(Task.FromResult<string>("T"));
            feed.SetupSequence(m => m.Read(It.IsAny<string>())).Returns(Task.FromResult(5)).Returns(Task.FromResult(6));
            feed.Setup(m => m.Size()).Returns(new ValueTask<long>(7));
            feed.Setup(m => m.Get<string>(It.IsAny<int>())).Returns(Task.FromResult<string>("g"));
            feed.Setup(m => m.Flush()).Returns(default(ValueTask));
            feed.Setup(m => m.Close()).Returns(Task.CompletedTask);

            var result = Feeds.Total(feed.Object);

            Assert.Equal("T117g", result);
        }

        [Fact]
        public void Safe_Returns206()
        {
            var prices = new Mock<IPrices>();
            prices.SetupSequence(m => m.Price(It.IsAny<string>())).Throws(new TimeoutException()).Returns(5).Returns(6);
            var exceptions = new List<Exception> { null, new TimeoutException() };

            var result = Feeds.Safe(prices.Object, _ => { var exception = Next(exceptions); if (exception != null) throw exception; return 1; });

            Assert.Equal(206, result);
        }

        [Fact]
        public void Safe_Returns300()
        {
            var prices = new Mock<IPrices>();
            prices.Setup(m => m.Price(It.IsAny<string>())).Throws(new TimeoutException());

            var result = Feeds.Safe(prices.Object, null);

            Assert.Equal(300, result);
        }

        [Fact]
        public void Checked_FeedCheckThrowsInvalidOperation_ReturnsFalse()
        {
            var feed = new Mock<IFeed>();
            feed.Setup(m => m.Title).Returns(Task.FromResult<string>(null));
            feed.Setup(m => m.Check(It.IsAny<int>())).Throws(new InvalidOperationException());

            var result = Feeds.Checked(feed.Object, null);

            Assert.False(result);
        }

        [Fact]
        public void Checked_FeedFeed_ReturnsFalse()
        {
            var feed = new Mock<IFeed>();
            feed.Setup(m => m.Title).Returns(Task.FromResult<string>(null));

            var result = Feeds.Checked(feed.Object, () => throw new InvalidOperationException());

            Assert.False(result);
        }

        [Fact]
        public void Loaded_Returns8()
        {
            var result = Feeds.Loaded(_ => Task.FromResult(8), () => Task.CompletedTask);

            Assert.Equal(8, result);
        }

        /// <summary>The result of the next call; the default value after the last one.</summary>
        private static T Next<T>(List<T> results)
        {
            if (results.Count == 0)
            {
                return default;
            }
            T result = results[0];
            results.RemoveAt(0);
            return result;
        }
    }
}

// GaugesTests.cs
#nullable disable

using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Moq;
using Xunit;

namespace Services.Tests
{
    public class GaugesTests
    {
        [Fact]
        public void Levels_Returns5570()
        {
            var gauge = new Mock<IGauge>();
            gauge.SetupAllProperties();
            gauge.SetupProperty(m => m.Level, 5);

            var result = Gauges.Levels(gauge.Object);

            Assert.Equal("5570", result);
            Assert.Equal(7, gauge.Object.Level);
        }

        [Fact]
        public void Levels_Returns55b50()
        {
            // Moq cannot do this: Level throws and can be set.
            var gauge = new GaugeStub { SetLevelException = new InvalidOperationException("b"), LevelValue = 5 };

            var result = Gauges.Levels(gauge);

            Assert.Equal("55b50", result);
        }

        [Fact]
        public void Levels_ReturnsA479()
        {
            // Moq cannot do this: Level throws and can be set.
            var gauge = new GaugeStub { LevelExceptions = { new InvalidOperationException("a"), null }, PeakValue = 9, LevelResults = { 4 } };

            var result = Gauges.Levels(gauge);

            Assert.Equal("a479", result);
            Assert.Equal(7, gauge.LevelValue);
        }

        [Fact]
        public void Peaks_Returns3()
        {
            var gauge = new Mock<IGauge>();
            gauge.SetupAllProperties();
            gauge.SetupSequence(m => m.Peak).Returns(3).Throws(new TimeoutException());

            var result = Gauges.Peaks(gauge.Object);

            Assert.Equal("3-", result);
        }

        [Fact]
        public void Peaks_Returns66()
        {
            var gauge = new Mock<IGauge>();
            gauge.SetupAllProperties();
            gauge.Setup(m => m.Peak).Returns(6);

            var result = Gauges.Peaks(gauge.Object);

            Assert.Equal("66", result);
        }

        [Fact]
        public void Peaks_ReturnsText()
        {
            var gauge = new Mock<IGauge>();
            gauge.SetupAllProperties();
            gauge.Setup(m => m.Peak).Throws(new TimeoutException());

            var result = Gauges.Peaks(gauge.Object);

            Assert.Equal("--", result);
        }

        [Fact]
        public void Store_Returns8()
        {
            var gauge = new Mock<IGauge>();
            gauge.SetupAllProperties();
            gauge.Setup(m => m[It.IsAny<int>()]).Returns(5);

            var result = Gauges.Store(gauge.Object);

            Assert.Equal(8, result);
            Assert.Equal(3, gauge.Object.Level);
        }

        [Fact]
        public void Store_SetIndexerThrowsInvalidOperation_ReturnsMinus1()
        {
            // Moq cannot do this: Item throws and can be set.
            var result = Gauges.Store(new GaugeStub { SetItemException = new InvalidOperationException() });

            Assert.Equal(-1, result);
        }

        [Fact]
        public void Store_SetLevelThrowsInvalidOperation_ReturnsMinus1()
        {
            // Moq cannot do this: Level throws and can be set.
            var result = Gauges.Store(new GaugeStub { SetLevelException = new InvalidOperationException() });

            Assert.Equal(-1, result);
        }

        [Fact]
        public void Measured_GaugeMeasure4_Returns4()
        {
            var gauge = new Mock<IGauge>();
            gauge.SetupAllProperties();
            gauge.Setup(m => m.Measure()).Returns(Task.FromResult(4));

            var result = Gauges.Measured(gauge.Object, null);

            Assert.Equal(4, result);
        }

        [Fact]
        public void Measured_GaugeMeasureThrowsTimeout_Returns4()
        {
            var gauge = new Mock<IGauge>();
            gauge.SetupAllProperties();
            gauge.Setup(m => m.Measure()).Throws(new TimeoutException("abc"));

            var result = Gauges.Measured(gauge.Object, () => 1);

            Assert.Equal(4, result);
        }

        [Fact]
        public void Measured_ThrowsInvalidOperationException()
        {
            var gauge = new Mock<IGauge>();
            gauge.SetupAllProperties();
            gauge.Setup(m => m.Measure()).Throws(new TimeoutException());

            Assert.Throws<InvalidOperationException>(() => Gauges.Measured(gauge.Object, () => throw new InvalidOperationException("f")));
        }

        private sealed class GaugeStub : IGauge
        {
            public int LevelValue { get; set; }
            public Exception SetLevelException { get; set; }
            public int PeakValue { get; set; }
            public List<Exception> LevelExceptions { get; set; } = new List<Exception>();
            public List<int> LevelResults { get; set; } = new List<int>();
            public List<Exception> PeakExceptions { get; set; } = new List<Exception>();
            public List<int> PeakResults { get; set; } = new List<int>();
            public int ItemResult { get; set; }
            public Exception SetItemException { get; set; }
            public int MeasureResult { get; set; }
            public Exception MeasureException { get; set; }

            public int Level
            {
                get
                {
                    var exception = Next(LevelExceptions);
                    if (exception != null)
                    {
                        throw exception;
                    }
                    return LevelResults.Count > 0 ? Next(LevelResults) : LevelValue;
                }
                set
                {
                    if (SetLevelException != null)
                    {
                        throw SetLevelException;
                    }
                    LevelExceptions.Clear();
                    LevelResults.Clear();
                    LevelValue = value;
                }
            }

            public int Peak
            {
                get
                {
                    var exception = Next(PeakExceptions);
                    if (exception != null)
                    {
                        throw exception;
                    }
                    return PeakResults.Count > 0 ? Next(PeakResults) : PeakValue;
                }
            }

            public int this[int at]
            {
                get => ItemResult;
                set
                {
                    if (SetItemException != null)
                    {
                        throw SetItemException;
                    }
                }
            }

            public Task<int> Measure()
            {
                if (MeasureException != null)
                {
                    throw MeasureException;
                }
                return Task.FromResult(MeasureResult);
            }
        }

        /// <summary>The result of the next call; the default value after the last one.</summary>
        private static T Next<T>(List<T> results)
        {
            if (results.Count == 0)
            {
                return default;
            }
            T result = results[0];
            results.RemoveAt(0);
            return result;
        }
    }
}

// OrdersTests.cs
#nullable disable

using System.Collections.Generic;
using Moq;
using Xunit;

namespace Services.Tests
{
    public class OrdersTests
    {
        [Fact]
        public void Grow_Returns5()
        {
            var orders = new Mock<IRepository<Order>>();
            orders.SetupAllProperties();
            orders.SetupProperty(m => m.Count, 3);

            var result = Orders.Grow(orders.Object);

            Assert.Equal(5, result);
            Assert.Equal(5, orders.Object.Count);
        }

        [Fact]
        public void Sum_Returns1002()
        {
            var orders = new Mock<IRepository<Order>>();
            orders.SetupAllProperties();
            var order = new Order { Total = 1 };
            orders.Setup(m => m.All()).Returns(new Order[] { order });
            orders.Setup(m => m[It.IsAny<int>()]).Returns(order);
            orders.Setup(m => m.Find(It.IsAny<int>())).Returns(default(Order));

            var result = Orders.Sum(orders.Object);

            Assert.Equal(1002, result);
        }

        [Fact]
        public void Sum_Returns50()
        {
            var orders = new Mock<IRepository<Order>>();
            orders.SetupAllProperties();
            var order = new Order { Id = 1, Total = 10 };
            var order2 = new Order { Total = 20 };
            orders.Setup(m => m.All()).Returns(new Order[] { order, order2 });
            orders.SetupSequence(m => m.Find(It.IsAny<int>())).Returns(order).Returns(order2);
            orders.Setup(m => m[It.IsAny<int>()]).Returns(order2);

            var result = Orders.Sum(orders.Object);

            Assert.Equal(50, result);
        }
    }
}

// ShapeTests.cs
#nullable disable

using Moq;
using Xunit;

namespace Services.Tests
{
    public class ShapeTests
    {
        [Fact]
        public void Scaled_Returns96()
        {
            // Moq cannot do this: Factor is protected.
            var shape = new ShapeStub(3) { FactorValue = 2, AreaResult = 16 };

            var result = shape.Scaled(4);

            Assert.Equal(96, result);
        }

        private sealed class ShapeStub : Shape
        {
            public int FactorValue { get; set; }
            public int AreaResult { get; set; }

            public ShapeStub(int scale) : base(scale)
            {
            }

            protected override int Factor => FactorValue;
            public override int Area(int size) => AreaResult;
        }
    }
}

// UsesTests.cs
#nullable disable

using System;
using System.Collections.Generic;
using Moq;
using Xunit;

namespace Services.Tests
{
    public class UsesTests
    {
        [Fact]
        public void Both_Returns5x()
        {
            // Moq cannot do this: Value is a name of several members.
            var result = Uses.Both(new BothStub { ValueResult = 5, RightValueResult = "x" });

            Assert.Equal("5x", result);
        }

        [Fact]
        public void Roll_Returns35()
        {
            var dice = new Mock<IDice>();
            dice.SetupSequence(m => m.Next(It.IsAny<int>())).Returns(3).Returns(5);

            var result = Uses.Roll(dice.Object);

            Assert.Equal(35, result);
        }

        [Fact]
        public void Steps_Returns7()
        {
            // Moq cannot do this: IStepper has members with a body.
            var result = Uses.Steps(new StepperStub { StepResults = { 3, 4 } });

            Assert.Equal(7, result);
        }

        [Fact]
        public void HalfDone_Returns43()
        {
            // Moq cannot do this: IHalfDone has members with a body.
            var result = Uses.HalfDone(new HalfDoneStub { OtherResult = 1 });

            Assert.Equal(43, result);
        }

        [Fact]
        public void Maps_Returns5True689N()
        {
            // Moq cannot do this: Swap has a parameter by reference.
            var mapper = new MapperStub { MapOfInt32Results = { 5, 6 }, MapOfBooleanResult = true, SwapOfInt32A = 8, SwapOfInt32B = 9, MakeOfInt32NameResult = new Name { Text = "n" } };

            var result = Uses.Maps(mapper);

            Assert.Equal("5,True,6,8,9,n", result);
        }

        [Fact]
        public void Listen_ReturnsT()
        {
            var notifier = new Mock<INotifier>();
            notifier.SetupAllProperties();
            notifier.SetupProperty(m => m.Title, "t");

            var result = Uses.Listen(notifier.Object);

            Assert.Equal("t!", result);
            Assert.Equal("t!", notifier.Object.Title);
        }

        [Fact]
        public void Settings_Returns6414922Wednesday()
        {
            // Moq cannot do this: Size can only be initialised.
            var settings = new SettingsStub { Size = 6, Range = (1, 2), SlotResult = 40, TextResult = "word", SumResult = 9, ClassResult = 2, DayResult = DayOfWeek.Wednesday };

            var result = Uses.Settings(settings);

            Assert.Equal("6,41,4,9,2,2,Wednesday", result);
        }

        [Fact]
        public void Walk_Returns10()
        {
            var node = new Mock<INode>();
            var next = new Mock<INode>();
            next.Setup(m => m.Next).Returns(node.Object);
            next.SetupSequence(m => m.Weight()).Returns(3).Returns(4);
            node.Setup(m => m.Next).Returns(next.Object);
            node.SetupSequence(m => m.Weight()).Returns(1).Returns(2).Returns(0);

            var result = Uses.Walk(node.Object);

            Assert.Equal(10, result);
        }

        [Fact]
        public void Walk_Returns12()
        {
            var node = new Mock<INode>();
            var next = new Mock<INode>();
            next.Setup(m => m.Weight()).Returns(5);
            node.Setup(m => m.Next).Returns(next.Object);
            node.Setup(m => m.Weight()).Returns(7);

            var result = Uses.Walk(node.Object);

            Assert.Equal(12, result);
        }

        [Fact]
        public void Same_ReturnsFalse()
        {
            var clock = new Mock<IClock>();
            clock.Setup(m => m.Now).Returns(new DateTime(2020, 1, 1, 1, 0, 0));
            var clock2 = new Mock<IClock>();
            clock2.Setup(m => m.Now).Returns(new DateTime(2020, 1, 1, 2, 0, 0));

            var result = Uses.Same(new IClock[] { clock.Object, clock2.Object });

            Assert.False(result);
        }

        [Fact]
        public void Same_ReturnsTrue()
        {
            var clock = new Mock<IClock>();

            var result = Uses.Same(new IClock[] { clock.Object, clock.Object });

            Assert.True(result);
        }

        [Fact]
        public void Pick_ReturnsNode()
        {
            var node = new Mock<INode>();
            node.Setup(m => m.Weight()).Returns(1);
            var node2 = new Mock<INode>();
            node2.Setup(m => m.Weight()).Returns(9);

            var result = Uses.Pick(new List<INode> { node.Object, node2.Object });

            Assert.Same(node2.Object, result);
        }

        [Fact]
        public void Apply_Returns20()
        {
            var result = Uses.Apply(_ => 10, 1);

            Assert.Equal(20, result);
        }

        [Fact]
        public void Apply_Returns30()
        {
            var results = new List<int> { 10, 20 };

            var result = Uses.Apply(_ => Next(results), 1);

            Assert.Equal(30, result);
        }

        [Fact]
        public void Filter_ReturnsFalse()
        {
            var result = Uses.Filter(_ => false, null);

            Assert.False(result);
        }

        [Fact]
        public void Filter_ReturnsTrue()
        {
            var result = Uses.Filter(_ => true, (_, _) => -1);

            Assert.True(result);
        }

        [Fact]
        public void Parsed_Returns12()
        {
            var result = Uses.Parsed((string text, out int value) => { value = 12; return true; }, null);

            Assert.Equal(12, result);
        }

        [Fact]
        public void Bumped_Returns13()
        {
            var values = new List<int> { 11, 13 };

            var result = Uses.Bumped((ref int value) => { if (values.Count > 0) value = Next(values); });

            Assert.Equal(13, result);
        }

        [Fact]
        public void Bumped_ReturnsMinus5()
        {
            var values = new List<int> { -5 };

            var result = Uses.Bumped((ref int value) => { if (values.Count > 0) value = Next(values); });

            Assert.Equal(-5, result);
        }

        [Fact]
        public void Peeked_Returns2()
        {
            var place = new int[] { 1 };

            var result = Uses.Peeked(() => ref place[0]);

            Assert.Equal(2, result);
        }

        [Fact]
        public void Run_Returns6()
        {
            var node = new Mock<INode>();
            node.Setup(m => m.Weight()).Returns(6);

            var result = Uses.Run(_ => { }, _ => node.Object);

            Assert.Equal(6, result);
        }

        [Fact]
        public void Disposed_ReturnsMinus3()
        {
            var resource = new Mock<IDisposable>();
            var comparer = new Mock<IComparer<string>>();
            comparer.Setup(m => m.Compare(It.IsAny<string>(), It.IsAny<string>())).Returns(-3);

            var result = Uses.Disposed(resource.Object, comparer.Object);

            Assert.Equal(-3, result);
        }

        [Fact]
        public void Many_Returns9()
        {
            var numbers = new Mock<IEnumerable<int>>();
            var getEnumerator = new Mock<IEnumerator<int>>();
            getEnumerator.SetupSequence(m => m.MoveNext()).Returns(true).Returns(true).Returns(false);
            getEnumerator.SetupSequence(m => m.Current).Returns(4).Returns(5);
            numbers.Setup(m => m.GetEnumerator()).Returns(getEnumerator.Object);

            var result = Uses.Many(numbers.Object);

            Assert.Equal(9, result);
        }

        [Fact]
        public void Is_ReturnsTrue()
        {
            // Moq cannot do this: IClock is mocked together with other interfaces.
            var result = Uses.Is(new ClockStub2());

            Assert.True(result);
        }

        private sealed class BothStub : IBoth
        {
            public int ValueResult { get; set; }
            public string RightValueResult { get; set; }

            public int Value() => ValueResult;
            string IRight.Value() => RightValueResult;
        }

        private sealed class ClockStub2 : IClock, IDisposable
        {
            public DateTime Now { get; set; }
            public void Dispose() { }
        }

        private sealed class HalfDoneStub : IHalfDone
        {
            public int OtherResult { get; set; }

            public int Other() => OtherResult;
        }

        private sealed class MapperStub : IMapper
        {
            public List<int> MapOfInt32Results { get; set; } = new List<int>();
            public bool MapOfBooleanResult { get; set; }
            public int SwapOfInt32A { get; set; }
            public int SwapOfInt32B { get; set; }
            public Name MakeOfInt32NameResult { get; set; }

            public T Map<T>(string text) where T : struct
            {
                if (typeof(T) == typeof(int))
                {
                    return (T)(object)Next(MapOfInt32Results);
                }
                if (typeof(T) == typeof(bool))
                {
                    return (T)(object)MapOfBooleanResult;
                }
                return default;
            }

            public void Swap<T>(ref T a, ref T b)
            {
                if (typeof(T) == typeof(int))
                {
                    a = (T)(object)SwapOfInt32A;
                    b = (T)(object)SwapOfInt32B;
                    return;
                }
            }

            public TResult Make<TSource, TResult>(TSource source) where TResult : class, IComparable<TResult>, new()
            {
                if (typeof(TSource) == typeof(int) && typeof(TResult) == typeof(Name))
                {
                    return (TResult)(object)MakeOfInt32NameResult;
                }
                return default;
            }
        }

        private sealed class SettingsStub : ISettings
        {
            public int SlotResult;
            public string TextResult { get; set; }
            public int SumResult { get; set; }
            public int ClassResult { get; set; }
            public DayOfWeek? DayResult { get; set; }

            public int Size { get; init; }
            public ref int Slot() => ref SlotResult;
            public ReadOnlySpan<char> Text => TextResult;
            public int Sum(in int start, int[] rest) => SumResult;
            public int this[string key, int index] { set { } }
            public int @class(int @event) => ClassResult;
            public (int, int) Range { get; set; }
            public DayOfWeek? Day() => DayResult;
        }

        private sealed class StepperStub : IStepper
        {
            public List<int> StepResults { get; set; } = new List<int>();

            public int Step() => Next(StepResults);
        }

        /// <summary>The result of the next call; the default value after the last one.</summary>
        private static T Next<T>(List<T> results)
        {
            if (results.Count == 0)
            {
                return default;
            }
            T result = results[0];
            results.RemoveAt(0);
            return result;
        }
    }
}

// Services.Cat::Family(Services.Cat): Secret of Animal is not public
// Services.Uses::Secret(Services.ISecret): ISecret is not public
