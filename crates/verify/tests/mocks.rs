//! Tests with mocks of a library: the miniatures do what the tests rely on.
#![allow(clippy::unwrap_used)]

mod common;

use common::{class, library, project, verifier, verify};
use verify::{Framework, Mocks, Outcome};

const SHOP: &str = "
using System.Collections.Generic;
using System.Threading.Tasks;
namespace Shop;
public interface IPrices { int Price(string item); bool TryPrice(string item, out int price); string Currency { get; set; } int Count { get; } IEnumerable<int> All { get; } Task<int> PriceAsync(string item); void Log(string text); T Get<T>(T like); int this[int at] { get; } }
public abstract class Clock { protected Clock(int start) { Start = start; } public int Start { get; } public abstract int Now(); public virtual int Twice() => Now() * 2; }
public static class Cart
{
    public static int Total(IPrices prices, params string[] items) { int sum = 0; foreach (string item in items) sum += prices.Price(item); return sum; }
    public static string Text(IPrices prices) => prices.Count + prices.Currency;
}
";

fn check(mocks: Mocks, name: &str, tests: &[(&str, &str)]) {
    let mut file = class("CartTests", tests, "");
    file.text = file.text.replace("using Xunit;", &format!("using Xunit;\nusing Shop;\nusing {name};"));
    let mut project = project(Framework::XUnit2, vec![file]);
    project.mocks = mocks;
    project.references = vec![library("MockedShop", SHOP)];
    let report = verify(&mut verifier(), &project);
    for test in &report.tests {
        assert_eq!(test.outcome, Outcome::Holds, "{}: {}", test.name, test.outcome);
    }
}

#[test]
fn moq() {
    check(
        Mocks::Moq,
        "Moq",
        &[
            (
                "Returns",
                "var prices = new Mock<IPrices>(); prices.Setup(m => m.Price(It.IsAny<string>())).Returns(5); Assert.Equal(10, Cart.Total(prices.Object, \"a\", \"b\"));",
            ),
            (
                "ByArgument",
                "var prices = new Mock<IPrices>(); prices.Setup(m => m.Price(\"a\")).Returns(5); Assert.Equal(5, Cart.Total(prices.Object, \"a\", \"b\"));",
            ),
            (
                "Sequence",
                "var prices = new Mock<IPrices>(); prices.SetupSequence(m => m.Price(It.IsAny<string>())).Returns(5).Returns(7).Throws(new InvalidOperationException()); Assert.Equal(12, Cart.Total(prices.Object, \"a\", \"b\")); Assert.Throws<InvalidOperationException>(() => Cart.Total(prices.Object, \"c\")); Assert.Equal(0, Cart.Total(prices.Object, \"d\"));",
            ),
            (
                "Throws",
                "var prices = new Mock<IPrices>(); prices.Setup(m => m.Price(It.IsAny<string>())).Throws(new KeyNotFoundException()); Assert.Throws<KeyNotFoundException>(() => Cart.Total(prices.Object, \"a\"));",
            ),
            (
                "VoidThrows",
                "var prices = new Mock<IPrices>(); prices.Setup(m => m.Log(It.IsAny<string>())).Throws(new KeyNotFoundException()); Assert.Throws<KeyNotFoundException>(() => prices.Object.Log(\"a\"));",
            ),
            (
                "Properties",
                "var prices = new Mock<IPrices>(); prices.SetupAllProperties(); prices.SetupProperty(m => m.Currency, \"EUR\"); prices.Setup(m => m.Count).Returns(2); Assert.Equal(\"2EUR\", Cart.Text(prices.Object)); prices.Object.Currency = \"x\"; Assert.Equal(\"x\", prices.Object.Currency);",
            ),
            (
                "Out",
                "var prices = new Mock<IPrices>(); int price = 9; prices.Setup(m => m.TryPrice(It.IsAny<string>(), out price)).Returns(true); Assert.True(prices.Object.TryPrice(\"a\", out var got)); Assert.Equal(9, got);",
            ),
            (
                "Defaults",
                "var prices = new Mock<IPrices>(); Assert.Empty(prices.Object.All); Assert.Null(prices.Object.Currency); Assert.Equal(0, prices.Object.PriceAsync(\"a\").Result); Assert.Equal(0, prices.Object[1]);",
            ),
            (
                "Generic",
                "var prices = new Mock<IPrices>(); prices.Setup(m => m.Get<string>(It.IsAny<string>())).Returns(\"s\"); Assert.Equal(\"s\", prices.Object.Get(\"x\")); Assert.Equal(0, prices.Object.Get(3));",
            ),
            (
                "Class",
                "var clock = new Mock<Clock>(3) { CallBase = true }; clock.Setup(m => m.Now()).Returns(4); Assert.Equal(8, clock.Object.Twice()); Assert.Equal(3, clock.Object.Start);",
            ),
            (
                "Verify",
                "var prices = new Mock<IPrices>(); Cart.Total(prices.Object, \"a\", \"b\"); prices.Verify(m => m.Price(\"a\"), Times.Once()); Assert.ThrowsAny<Exception>(() => prices.Verify(m => m.Price(\"c\")));",
            ),
        ],
    );
}

#[test]
fn nsubstitute() {
    check(
        Mocks::NSubstitute,
        "NSubstitute",
        &[
            (
                "Returns",
                "var prices = Substitute.For<IPrices>(); prices.Price(Arg.Any<string>()).Returns(5); Assert.Equal(10, Cart.Total(prices, \"a\", \"b\"));",
            ),
            (
                "ByArgument",
                "var prices = Substitute.For<IPrices>(); prices.Price(\"a\").Returns(5); Assert.Equal(5, Cart.Total(prices, \"a\", \"b\"));",
            ),
            (
                "Several",
                "var prices = Substitute.For<IPrices>(); prices.Price(Arg.Any<string>()).Returns(5, 7); Assert.Equal(19, Cart.Total(prices, \"a\", \"b\", \"c\"));",
            ),
            (
                "Throws",
                "var prices = Substitute.For<IPrices>(); prices.Price(Arg.Any<string>()).Returns(_ => 1, _ => throw new KeyNotFoundException()); Assert.Throws<KeyNotFoundException>(() => Cart.Total(prices, \"a\", \"b\"));",
            ),
            (
                "VoidThrows",
                "var prices = Substitute.For<IPrices>(); prices.When(m => m.Log(Arg.Any<string>())).Do(_ => throw new KeyNotFoundException()); Assert.Throws<KeyNotFoundException>(() => prices.Log(\"a\"));",
            ),
            (
                "Properties",
                "var prices = Substitute.For<IPrices>(); prices.Currency = \"EUR\"; prices.Count.Returns(2); Assert.Equal(\"2EUR\", Cart.Text(prices));",
            ),
            (
                "Null",
                "var prices = Substitute.For<IPrices>(); prices.Currency.Returns(default(string)); Assert.Null(prices.Currency);",
            ),
            (
                "Out",
                "var prices = Substitute.For<IPrices>(); prices.TryPrice(Arg.Any<string>(), out Arg.Any<int>()).Returns(call => { call[1] = 9; return true; }); Assert.True(prices.TryPrice(\"a\", out var got)); Assert.Equal(9, got);",
            ),
            (
                "Automatic",
                "var prices = Substitute.For<IPrices>(); Assert.Equal(\"\", prices.Currency); Assert.Empty(prices.All); Assert.Equal(0, prices.PriceAsync(\"a\").Result);",
            ),
            (
                "Class",
                "var clock = Substitute.ForPartsOf<Clock>(3); clock.Now().Returns(4); Assert.Equal(8, clock.Twice()); Assert.Equal(3, clock.Start);",
            ),
            (
                "Received",
                "var prices = Substitute.For<IPrices>(); Cart.Total(prices, \"a\"); prices.Received().Price(\"a\"); prices.DidNotReceive().Price(\"b\"); Assert.ThrowsAny<Exception>(() => prices.Received().Price(\"c\"));",
            ),
        ],
    );
}
