// What can follow in an expression of constraints, and the words it starts with.

using System;
using System.Collections;
using System.Collections.Generic;

namespace NUnit.Framework.Constraints
{
    public class ConstraintExpression
    {
        internal readonly ConstraintBuilder Builder;

        internal ConstraintExpression(ConstraintBuilder builder) => Builder = builder;

        internal ConstraintExpression Then(Operator next)
        {
            Builder.Append(next);
            return this;
        }

        internal T Add<T>(T constraint) where T : Constraint
        {
            Builder.Append(constraint);
            return constraint;
        }

        ResolvableConstraintExpression Open(Operator next)
        {
            Builder.Append(next);
            return new ResolvableConstraintExpression(Builder);
        }

        public ConstraintExpression Not => Then(Operator.Not);
        public ConstraintExpression No => Then(Operator.Not);
        public ConstraintExpression All => Then(Operator.Items(inner => new ItemsConstraint("all items", inner, (hits, count) => hits == count)));
        public ConstraintExpression Some => Then(Operator.Items(inner => new ItemsConstraint("some item", inner, (hits, _) => hits > 0)));
        public ConstraintExpression None => Then(Operator.Items(inner => new ItemsConstraint("no item", inner, (hits, _) => hits == 0)));
        public ItemsConstraintExpression Exactly(int expectedCount) => new ItemsConstraintExpression(Open(Operator.Items(inner => new ItemsConstraint("exactly " + expectedCount + " items", inner, (hits, _) => hits == expectedCount))).Builder, expectedCount);
        public ItemsConstraintExpression One => Exactly(1);
        public ConstraintExpression With => this;
        public ResolvableConstraintExpression Property(string name) => Open(Operator.Property(name));
        public ResolvableConstraintExpression Length => Property("Length");
        public ResolvableConstraintExpression Count => Property("Count");
        public ResolvableConstraintExpression Message => Property("Message");
        public ResolvableConstraintExpression InnerException => Property("InnerException");
        public NullConstraint Null => Add(new NullConstraint());
        public TrueConstraint True => Add(new TrueConstraint());
        public FalseConstraint False => Add(new FalseConstraint());
        public GreaterThanConstraint Positive => Add(new GreaterThanConstraint(0));
        public LessThanConstraint Negative => Add(new LessThanConstraint(0));
        public EqualConstraint Zero => Add(new EqualConstraint(0));
        public NaNConstraint NaN => Add(new NaNConstraint());
        public EmptyConstraint Empty => Add(new EmptyConstraint());
        public UniqueItemsConstraint Unique => Add(new UniqueItemsConstraint());
        public CollectionOrderedConstraint Ordered => Add(new CollectionOrderedConstraint());
        public EqualConstraint EqualTo(object? expected) => Add(new EqualConstraint(expected));
        public SameAsConstraint SameAs(object? expected) => Add(new SameAsConstraint(expected));
        public GreaterThanConstraint GreaterThan(object expected) => Add(new GreaterThanConstraint(expected));
        public GreaterThanOrEqualConstraint GreaterThanOrEqualTo(object expected) => Add(new GreaterThanOrEqualConstraint(expected));
        public GreaterThanOrEqualConstraint AtLeast(object expected) => Add(new GreaterThanOrEqualConstraint(expected));
        public LessThanConstraint LessThan(object expected) => Add(new LessThanConstraint(expected));
        public LessThanOrEqualConstraint LessThanOrEqualTo(object expected) => Add(new LessThanOrEqualConstraint(expected));
        public LessThanOrEqualConstraint AtMost(object expected) => Add(new LessThanOrEqualConstraint(expected));
        public RangeConstraint InRange(object from, object to) => Add(new RangeConstraint(from, to));
        public ExactTypeConstraint TypeOf(Type expectedType) => Add(new ExactTypeConstraint(expectedType));
        public ExactTypeConstraint TypeOf<TExpected>() => TypeOf(typeof(TExpected));
        public InstanceOfTypeConstraint InstanceOf(Type expectedType) => Add(new InstanceOfTypeConstraint(expectedType));
        public InstanceOfTypeConstraint InstanceOf<TExpected>() => InstanceOf(typeof(TExpected));
        public AssignableFromConstraint AssignableFrom(Type expectedType) => Add(new AssignableFromConstraint(expectedType));
        public AssignableFromConstraint AssignableFrom<TExpected>() => AssignableFrom(typeof(TExpected));
        public AssignableToConstraint AssignableTo(Type expectedType) => Add(new AssignableToConstraint(expectedType));
        public AssignableToConstraint AssignableTo<TExpected>() => AssignableTo(typeof(TExpected));
        public CollectionEquivalentConstraint EquivalentTo(IEnumerable expected) => Add(new CollectionEquivalentConstraint(expected));
        public CollectionSubsetConstraint SubsetOf(IEnumerable expected) => Add(new CollectionSubsetConstraint(expected));
        public CollectionSupersetConstraint SupersetOf(IEnumerable expected) => Add(new CollectionSupersetConstraint(expected));
        public SomeItemsConstraint Member(object? expected) => Add(new SomeItemsConstraint(new EqualConstraint(expected)));
        public SomeItemsConstraint Contain(object? expected) => Add(new SomeItemsConstraint(new EqualConstraint(expected)));
        public ContainsConstraint Contain(string? expected) => Add(new ContainsConstraint(expected));
        public ContainsConstraint Contains(string? expected) => Add(new ContainsConstraint(expected));
        public SomeItemsConstraint Contains(object? expected) => Add(new SomeItemsConstraint(new EqualConstraint(expected)));
        public DictionaryContainsKeyConstraint ContainKey(object expected) => Add(new DictionaryContainsKeyConstraint(expected));
        public DictionaryContainsValueConstraint ContainValue(object? expected) => Add(new DictionaryContainsValueConstraint(expected));
        public StartsWithConstraint StartWith(string expected) => Add(new StartsWithConstraint(expected));
        public StartsWithConstraint StartsWith(string expected) => Add(new StartsWithConstraint(expected));
        public EndsWithConstraint EndWith(string expected) => Add(new EndsWithConstraint(expected));
        public EndsWithConstraint EndsWith(string expected) => Add(new EndsWithConstraint(expected));
        public RegexConstraint Match(string pattern) => Add(new RegexConstraint(pattern));
        public RegexConstraint Matches(string pattern) => Add(new RegexConstraint(pattern));
        public PredicateConstraint<T> Matches<T>(Predicate<T> predicate) => Add(new PredicateConstraint<T>(predicate));
        public AnyOfConstraint AnyOf(params object?[]? expected) => Add(new AnyOfConstraint(expected));
    }

    /// An expression that may end here: `Has.Property("Name")`, `Throws.Exception`.
    public class ResolvableConstraintExpression : ConstraintExpression, IResolveConstraint
    {
        internal ResolvableConstraintExpression(ConstraintBuilder builder) : base(builder) { }

        public ConstraintExpression And => Then(Operator.And);

        public ConstraintExpression Or => Then(Operator.Or);

        Constraint IResolveConstraint.Resolve() => Builder.Resolve();
    }

    public sealed class ItemsConstraintExpression : ConstraintExpression, IResolveConstraint
    {
        readonly int count;

        internal ItemsConstraintExpression(ConstraintBuilder builder, int count) : base(builder) => this.count = count;

        public ResolvableConstraintExpression Items
        {
            get
            {
                Builder.Append(new AnythingConstraint());
                return new ResolvableConstraintExpression(Builder);
            }
        }

        Constraint IResolveConstraint.Resolve() => ((IResolveConstraint)Items).Resolve();
    }
}

namespace NUnit.Framework
{
    using NUnit.Framework.Constraints;

    public abstract class Is
    {
        static ConstraintExpression New => new ConstraintExpression(new ConstraintBuilder());

        public static ConstraintExpression Not => New.Not;
        public static ConstraintExpression All => New.All;
        public static NullConstraint Null => new NullConstraint();
        public static TrueConstraint True => new TrueConstraint();
        public static FalseConstraint False => new FalseConstraint();
        public static GreaterThanConstraint Positive => new GreaterThanConstraint(0);
        public static LessThanConstraint Negative => new LessThanConstraint(0);
        public static EqualConstraint Zero => new EqualConstraint(0);
        public static NaNConstraint NaN => new NaNConstraint();
        public static EmptyConstraint Empty => new EmptyConstraint();
        public static UniqueItemsConstraint Unique => new UniqueItemsConstraint();
        public static CollectionOrderedConstraint Ordered => new CollectionOrderedConstraint();
#if NUNIT4
        public static DefaultConstraint Default => new DefaultConstraint();
#endif
        public static EqualConstraint EqualTo(object? expected) => new EqualConstraint(expected);
        public static SameAsConstraint SameAs(object? expected) => new SameAsConstraint(expected);
        public static GreaterThanConstraint GreaterThan(object expected) => new GreaterThanConstraint(expected);
        public static GreaterThanOrEqualConstraint GreaterThanOrEqualTo(object expected) => new GreaterThanOrEqualConstraint(expected);
        public static GreaterThanOrEqualConstraint AtLeast(object expected) => new GreaterThanOrEqualConstraint(expected);
        public static LessThanConstraint LessThan(object expected) => new LessThanConstraint(expected);
        public static LessThanOrEqualConstraint LessThanOrEqualTo(object expected) => new LessThanOrEqualConstraint(expected);
        public static LessThanOrEqualConstraint AtMost(object expected) => new LessThanOrEqualConstraint(expected);
        public static RangeConstraint InRange(object from, object to) => new RangeConstraint(from, to);
        public static ExactTypeConstraint TypeOf(Type expectedType) => new ExactTypeConstraint(expectedType);
        public static ExactTypeConstraint TypeOf<TExpected>() => new ExactTypeConstraint(typeof(TExpected));
        public static InstanceOfTypeConstraint InstanceOf(Type expectedType) => new InstanceOfTypeConstraint(expectedType);
        public static InstanceOfTypeConstraint InstanceOf<TExpected>() => new InstanceOfTypeConstraint(typeof(TExpected));
        public static AssignableFromConstraint AssignableFrom(Type expectedType) => new AssignableFromConstraint(expectedType);
        public static AssignableFromConstraint AssignableFrom<TExpected>() => new AssignableFromConstraint(typeof(TExpected));
        public static AssignableToConstraint AssignableTo(Type expectedType) => new AssignableToConstraint(expectedType);
        public static AssignableToConstraint AssignableTo<TExpected>() => new AssignableToConstraint(typeof(TExpected));
        public static CollectionEquivalentConstraint EquivalentTo(IEnumerable expected) => new CollectionEquivalentConstraint(expected);
        public static CollectionSubsetConstraint SubsetOf(IEnumerable expected) => new CollectionSubsetConstraint(expected);
        public static CollectionSupersetConstraint SupersetOf(IEnumerable expected) => new CollectionSupersetConstraint(expected);
        public static AnyOfConstraint AnyOf(params object?[]? expected) => new AnyOfConstraint(expected);
    }

    public abstract class Iz : Is { }

    public abstract class Has
    {
        static ConstraintExpression New => new ConstraintExpression(new ConstraintBuilder());

        public static ConstraintExpression No => New.No;
        public static ConstraintExpression All => New.All;
        public static ConstraintExpression Some => New.Some;
        public static ConstraintExpression None => New.None;
        public static ItemsConstraintExpression Exactly(int expectedCount) => New.Exactly(expectedCount);
        public static ItemsConstraintExpression One => New.One;
        public static ResolvableConstraintExpression Property(string name) => New.Property(name);
        public static ResolvableConstraintExpression Length => New.Length;
        public static ResolvableConstraintExpression Count => New.Count;
        public static ResolvableConstraintExpression Message => New.Message;
        public static ResolvableConstraintExpression InnerException => New.InnerException;
        public static SomeItemsConstraint Member(object? expected) => New.Member(expected);
    }

    public abstract class Does
    {
        static ConstraintExpression New => new ConstraintExpression(new ConstraintBuilder());

        public static ConstraintExpression Not => New.Not;
        public static ContainsConstraint Contain(string? expected) => New.Contain(expected);
        public static SomeItemsConstraint Contain(object? expected) => New.Contain(expected);
        public static DictionaryContainsKeyConstraint ContainKey(object expected) => New.ContainKey(expected);
        public static DictionaryContainsValueConstraint ContainValue(object? expected) => New.ContainValue(expected);
        public static StartsWithConstraint StartWith(string expected) => New.StartWith(expected);
        public static EndsWithConstraint EndWith(string expected) => New.EndWith(expected);
        public static RegexConstraint Match(string pattern) => New.Match(pattern);
    }

    public abstract class Contains
    {
        public static SomeItemsConstraint Item(object? expected) => Does.Contain(expected);
        public static DictionaryContainsKeyConstraint Key(object expected) => Does.ContainKey(expected);
        public static DictionaryContainsValueConstraint Value(object? expected) => Does.ContainValue(expected);
        public static SubstringConstraint Substring(string expected) => new SubstringConstraint(expected);
    }

    public abstract class Throws
    {
        static ConstraintExpression New => new ConstraintExpression(new ConstraintBuilder()).Then(Operator.Throws);

        public static ResolvableConstraintExpression Exception => new ResolvableConstraintExpression(New.Builder);
        public static ResolvableConstraintExpression InnerException => Exception.InnerException;
        public static ExactTypeConstraint TargetInvocationException => TypeOf(typeof(System.Reflection.TargetInvocationException));
        public static ExactTypeConstraint ArgumentException => TypeOf(typeof(ArgumentException));
        public static ExactTypeConstraint ArgumentNullException => TypeOf(typeof(ArgumentNullException));
        public static ExactTypeConstraint InvalidOperationException => TypeOf(typeof(InvalidOperationException));
        public static ThrowsNothingConstraint Nothing => new ThrowsNothingConstraint();
        public static ExactTypeConstraint TypeOf(Type expectedType) => Exception.TypeOf(expectedType);
        public static ExactTypeConstraint TypeOf<TExpected>() => TypeOf(typeof(TExpected));
        public static InstanceOfTypeConstraint InstanceOf(Type expectedType) => Exception.InstanceOf(expectedType);
        public static InstanceOfTypeConstraint InstanceOf<TExpected>() => InstanceOf(typeof(TExpected));
    }
}
