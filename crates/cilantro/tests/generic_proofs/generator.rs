//! Random generic methods: nested conditions over values of variable types and over numbers, and a number for every way out.
//!
//! Conditions are repeated and negated on purpose, so that many ways are closed; some look at their type arguments in ways
//! that are easy to overlook: in a catch clause, in a static constructor, behind a lambda, in another generic method.

use std::fmt::Write;

use random::Random;

/// The class `RandomLeaves` with so many methods.
pub fn program(seed: u64, methods: usize) -> String {
    let mut random = Random::new(seed);
    let mut text = PRELUDE.to_owned();
    text.push_str("public static class RandomLeaves\n{\n");
    for number in 0..methods {
        Method { random: &mut random, leaves: 0, taken: Vec::new(), kind: Kind::Any }
            .write(number, &mut text);
    }
    text.push_str("}\n");
    text
}

const PRELUDE: &str = "
using System;
using System.Collections.Generic;

public sealed class Facts<T>
{
    public static readonly bool IsText = typeof(T) == typeof(string);
    public static readonly bool HasNull = default(T) == null;
}

public sealed class Box<T>
{
    private readonly T item;
    public Box(T item) => this.item = item;
    public bool IsEmpty => item == null;
    public T Or(T other, bool first) => first ? item : other;
}

public static class Steps
{
    public static T Pick<T>(bool first, T a, T b) => first ? a : b;
    public static bool IsSame<T>(T a, T b) => EqualityComparer<T>.Default.Equals(a, b);
    public static bool Fails<TError>(int n) where TError : Exception
    {
        try
        {
            if (n > 2) throw n > 5 ? new ArgumentException() : new InvalidOperationException();
            return false;
        }
        catch (TError) { return true; }
        catch (Exception) { return false; }
    }
}

";

/// What is demanded of the type parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Any,
    Class,
    Struct,
    New,
    Comparable,
    Error,
}

const KINDS: [Kind; 6] = [Kind::Any, Kind::Class, Kind::Struct, Kind::New, Kind::Comparable, Kind::Error];

struct Method<'a> {
    random: &'a mut Random,
    leaves: u32,
    /// Conditions that hold here.
    taken: Vec<String>,
    kind: Kind,
}

impl Method<'_> {
    fn write(mut self, number: usize, text: &mut String) {
        self.kind = KINDS[self.random.weighted(&[6, 3, 2, 1, 2, 2])];
        let clause = match self.kind {
            Kind::Any => "",
            Kind::Class => " where T : class",
            Kind::Struct => " where T : struct",
            Kind::New => " where T : new()",
            Kind::Comparable => " where T : IComparable<T>",
            Kind::Error => " where T : Exception",
        };
        let _ = writeln!(
            text,
            "    public static int M{number}<T>(T a, T b, T[] items, int n, bool f, object o){clause}"
        );
        text.push_str("    {\n");
        self.block(3, 2, text);
        text.push_str("    }\n\n");
    }

    /// Statements that return in the end.
    fn block(&mut self, depth: u32, indent: usize, text: &mut String) {
        let pad = "    ".repeat(indent);
        if depth == 0 || self.random.percent(15) {
            self.leaves += 1;
            let _ = writeln!(text, "{pad}return {};", self.leaves);
            return;
        }
        let condition = self.condition();
        let _ = writeln!(text, "{pad}if ({condition})\n{pad}{{");
        let known = self.taken.len();
        self.taken.push(condition.clone());
        self.block(depth - 1, indent + 1, text);
        self.taken.truncate(known);
        let _ = writeln!(text, "{pad}}}");
        self.taken.push(format!("!({condition})"));
        self.block(depth - 1, indent, text);
        self.taken.truncate(known);
    }

    fn condition(&mut self) -> String {
        // What is known already, or its opposite: one side of the branch is closed.
        if !self.taken.is_empty() && self.random.percent(35) {
            let known = self.taken[self.random.below(self.taken.len())].clone();
            return if self.random.percent(50) { known } else { format!("!({known})") };
        }
        // Half of the methods should not look at types at all.
        match self.random.weighted(&[5, 4, 3]) {
            0 => self.plain(),
            1 => self.about_null(),
            _ => self.about_types(),
        }
    }

    fn plain(&mut self) -> String {
        let k = self.random.below(9);
        match self.random.below(7) {
            0 => "f".to_owned(),
            1 => format!("n > {k}"),
            2 => format!("n == {k}"),
            3 => format!("n < {k} && n > {}", self.random.below(9)),
            4 => format!("items != null && items.Length == {}", self.random.below(3)),
            5 => format!("new T[n & 3].Length == {}", self.random.below(5)),
            _ => format!("n * 2 == {k}"),
        }
    }

    fn about_null(&mut self) -> String {
        if self.kind == Kind::Struct {
            return self
                .random
                .pick(&["((T?)a).HasValue", "Steps.Pick<T?>(f, a, null) == null", "o == null"])
                .to_owned();
        }
        let all = [
            "a == null",
            "b != null",
            "default(T) == null",
            "Steps.Pick(f, a, b) == null",
            "new Box<T>(a).IsEmpty",
            "new Box<T>(a).Or(b, n > 4) == null",
            "((Func<T>)(() => f ? a : b))() == null",
            "items != null && items.Length > 0 && items[0] == null",
            "o == null",
        ];
        self.random.pick(&all).to_owned()
    }

    fn about_types(&mut self) -> String {
        let all = [
            "a is int",
            "a is string",
            "b is IComparable",
            "o is T",
            "o is T[]",
            "o is List<T>",
            "typeof(T) == typeof(int)",
            "typeof(T).IsValueType",
            "Facts<T>.IsText",
            "Facts<T>.HasNull",
            "Steps.IsSame(a, b)",
            "Steps.IsSame(a, default)",
            "(object)items is object[]",
        ];
        let special: &[&str] = match self.kind {
            Kind::Error => &["Steps.Fails<T>(n)", "a is ArgumentException"],
            Kind::Class => &["a == b", "ReferenceEquals(a, o)"],
            Kind::New => &["new T() == null", "new T() is int"],
            Kind::Comparable => &["a != null && a.CompareTo(b) > 0"],
            Kind::Struct => &["a.Equals(b)", "a.Equals(o)"],
            Kind::Any => &["Equals(a, b)", "Equals(a, o)"],
        };
        let choice = self.random.below(all.len() + 4);
        all.get(choice).copied().unwrap_or_else(|| self.random.pick(special)).to_owned()
    }
}
