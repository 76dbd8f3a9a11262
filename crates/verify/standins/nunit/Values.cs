// Constraints on single values.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Text.RegularExpressions;

namespace NUnit.Framework.Constraints
{
    public class EqualConstraint(object? expected) : Constraint
    {
        readonly Equality equality = new();

        public override string Description => Show.Value(expected);

        internal override bool Holds(object? actual) => equality.Equal(expected, actual);

        EqualConstraint With_(Action change)
        {
            change();
            return this;
        }

        public EqualConstraint IgnoreCase => With_(() => equality.IgnoreCase = true);
        public EqualConstraint NoClip => this;
        public EqualConstraint AsCollection => With_(() => equality.AsCollection = true);
        public EqualConstraint WithSameOffset => With_(() => equality.SameOffset = true);
        public EqualConstraint Within(object amount) => With_(() => equality.Within = new Tolerance { Amount = amount });
        public EqualConstraint Percent => With_(() => equality.Within!.Mode = ToleranceMode.Percent);
        public EqualConstraint Ulps => With_(() => equality.Within!.Mode = ToleranceMode.Ulps);
        public EqualConstraint Days => Time(TimeSpan.FromDays);
        public EqualConstraint Hours => Time(TimeSpan.FromHours);
        public EqualConstraint Minutes => Time(TimeSpan.FromMinutes);
        public EqualConstraint Seconds => Time(TimeSpan.FromSeconds);
        public EqualConstraint Milliseconds => Time(TimeSpan.FromMilliseconds);
        public EqualConstraint Ticks => Time(ticks => TimeSpan.FromTicks((long)ticks));
        EqualConstraint Time(Func<double, TimeSpan> unit) => With_(() => equality.Within = new Tolerance { Amount = unit(Convert.ToDouble(equality.Within!.Amount, CultureInfo.InvariantCulture)) });
        public EqualConstraint Using(IComparer comparer) => With_(() => equality.Own.Add((x, y) => comparer.Compare(x, y) == 0));
        public EqualConstraint Using(IEqualityComparer comparer) => With_(() => equality.Own.Add((x, y) => comparer.Equals(x, y)));
        public EqualConstraint Using<T>(IComparer<T> comparer) => With_(() => equality.Own.Add((x, y) => x is T one && y is T other ? comparer.Compare(one, other) == 0 : null));
        public EqualConstraint Using<T>(Comparison<T> comparer) => With_(() => equality.Own.Add((x, y) => x is T one && y is T other ? comparer(one, other) == 0 : null));
        public EqualConstraint Using<T>(Func<T, T, bool> comparer) => With_(() => equality.Own.Add((x, y) => x is T one && y is T other ? comparer(one, other) : null));
        public EqualConstraint Using<T>(IEqualityComparer<T> comparer) => With_(() => equality.Own.Add((x, y) => x is T one && y is T other ? comparer.Equals(one, other) : null));
    }

    public class SameAsConstraint(object? expected) : Constraint
    {
        public override string Description => "same as " + Show.Value(expected);
        internal override bool Holds(object? actual) => ReferenceEquals(expected, actual);
    }

    public class NullConstraint : Constraint
    {
        public override string Description => "null";
        internal override bool Holds(object? actual) => actual is null;
    }

    public class TrueConstraint : Constraint
    {
        public override string Description => "True";
        internal override bool Holds(object? actual) => true.Equals(actual);
    }

    public class FalseConstraint : Constraint
    {
        public override string Description => "False";
        internal override bool Holds(object? actual) => false.Equals(actual);
    }

    public class NaNConstraint : Constraint
    {
        public override string Description => "NaN";
        internal override bool Holds(object? actual) => actual is double number && double.IsNaN(number) || actual is float single && float.IsNaN(single);
    }

#if NUNIT4
    public class DefaultConstraint : Constraint
    {
        public override string Description => "default";
        internal override bool Holds(object? actual) => actual is null || (actual.GetType().IsValueType && actual.Equals(Activator.CreateInstance(actual.GetType())));
    }
#endif

    internal sealed class AnythingConstraint : Constraint
    {
        internal override bool Holds(object? actual) => true;
    }

    public abstract class ComparisonConstraint(object expected, string word, Func<int, bool> fits) : Constraint
    {
        Func<object?, object?, int>? own;
        Tolerance? within;

        public override string Description => word + " " + Show.Value(expected);

        internal override bool Holds(object? actual)
        {
            if (actual is null) throw new ArgumentException("Cannot compare to null.", nameof(actual));
            if (within != null && new Equality { Within = within }.Equal(expected, actual)) return fits(0) || fits(-1) || fits(1);
            return fits(Numbers.Order(actual, expected, own));
        }

        public ComparisonConstraint Within(object amount)
        {
            within = new Tolerance { Amount = amount };
            return this;
        }

        public ComparisonConstraint Using(IComparer comparer)
        {
            own = comparer.Compare;
            return this;
        }

        public ComparisonConstraint Using<T>(IComparer<T> comparer)
        {
            own = (x, y) => comparer.Compare((T)x!, (T)y!);
            return this;
        }

        public ComparisonConstraint Using<T>(Comparison<T> comparer)
        {
            own = (x, y) => comparer((T)x!, (T)y!);
            return this;
        }
    }

    public class GreaterThanConstraint(object expected) : ComparisonConstraint(expected, "greater than", order => order > 0);

    public class GreaterThanOrEqualConstraint(object expected) : ComparisonConstraint(expected, "greater than or equal to", order => order >= 0);

    public class LessThanConstraint(object expected) : ComparisonConstraint(expected, "less than", order => order < 0);

    public class LessThanOrEqualConstraint(object expected) : ComparisonConstraint(expected, "less than or equal to", order => order <= 0);

    public class RangeConstraint(object from, object to) : Constraint
    {
        public override string Description => "in range (" + Show.Value(from) + "," + Show.Value(to) + ")";
        internal override bool Holds(object? actual) => actual != null && Numbers.Order(from, actual, null) <= 0 && Numbers.Order(to, actual, null) >= 0;
    }

    public class ExactTypeConstraint(Type type) : Constraint
    {
        public override string Description => "<" + type + ">";
        internal override bool Holds(object? actual) => actual?.GetType() == type;
    }

    public class InstanceOfTypeConstraint(Type type) : Constraint
    {
        public override string Description => "instance of <" + type + ">";
        internal override bool Holds(object? actual) => actual != null && type.IsInstanceOfType(actual);
    }

    public class AssignableFromConstraint(Type type) : Constraint
    {
        public override string Description => "assignable from <" + type + ">";
        internal override bool Holds(object? actual) => actual != null && actual.GetType().IsAssignableFrom(type);
    }

    public class AssignableToConstraint(Type type) : Constraint
    {
        public override string Description => "assignable to <" + type + ">";
        internal override bool Holds(object? actual) => actual != null && type.IsAssignableFrom(actual.GetType());
    }

    public class AnyOfConstraint(object?[]? expected) : Constraint
    {
        readonly Equality equality = new();

        public override string Description => "any of " + Show.Value(expected);

        public AnyOfConstraint IgnoreCase
        {
            get
            {
                equality.IgnoreCase = true;
                return this;
            }
        }

        internal override bool Holds(object? actual) => (expected ?? new object?[] { null }).Any(item => equality.Equal(item, actual));
    }

    public class PredicateConstraint<T>(Predicate<T> predicate) : Constraint
    {
        public override string Description => "value matching lambda expression";
        internal override bool Holds(object? actual) => predicate((T)actual!);
    }

    public abstract class StringConstraint(string? expected, string word) : Constraint
    {
        protected StringComparison Comparison = StringComparison.CurrentCulture;

        public override string Description => word + " " + Show.Value(expected);

        protected abstract bool Fits(string actual, string expected);

        internal override bool Holds(object? actual)
        {
            if (actual != null && !(actual is string)) throw new ArgumentException("The actual value must be a string", nameof(actual));
            return actual is string text && expected != null && Fits(text, expected);
        }
    }

    public class SubstringConstraint(string expected) : StringConstraint(expected, "String containing")
    {
        public SubstringConstraint IgnoreCase
        {
            get
            {
                Comparison = StringComparison.CurrentCultureIgnoreCase;
                return this;
            }
        }

        public SubstringConstraint Using(StringComparison comparisonType)
        {
            Comparison = comparisonType;
            return this;
        }

        protected override bool Fits(string actual, string expected) => actual.IndexOf(expected, Comparison) >= 0;
    }

    public class StartsWithConstraint(string expected) : StringConstraint(expected, "String starting with")
    {
        public StartsWithConstraint IgnoreCase
        {
            get
            {
                Comparison = StringComparison.CurrentCultureIgnoreCase;
                return this;
            }
        }

        protected override bool Fits(string actual, string expected) => actual.StartsWith(expected, Comparison);
    }

    public class EndsWithConstraint(string expected) : StringConstraint(expected, "String ending with")
    {
        public EndsWithConstraint IgnoreCase
        {
            get
            {
                Comparison = StringComparison.CurrentCultureIgnoreCase;
                return this;
            }
        }

        protected override bool Fits(string actual, string expected) => actual.EndsWith(expected, Comparison);
    }

    public class RegexConstraint(string pattern) : Constraint
    {
        RegexOptions options;

        public override string Description => "String matching " + Show.Value(pattern);

        public RegexConstraint IgnoreCase
        {
            get
            {
                options |= RegexOptions.IgnoreCase;
                return this;
            }
        }

        internal override bool Holds(object? actual) => actual is string text && Regex.IsMatch(text, pattern, options);
    }

    public class PropertyExistsConstraint(string name) : Constraint
    {
        public override string Description => "property " + name;
        internal override bool Holds(object? actual) => actual is null ? throw new ArgumentNullException(nameof(actual)) : PropertyConstraint.Find(actual, name) != null;
    }

    public class PropertyConstraint(string name, Constraint inner) : Constraint
    {
        public override string Description => "property " + name + " " + inner.Description;

        internal override bool Holds(object? actual)
        {
            if (actual is null) throw new ArgumentNullException(nameof(actual));
            PropertyInfo property = Find(actual, name) ?? throw new ArgumentException("Property " + name + " was not found on " + actual.GetType() + ".", nameof(name));
            return inner.Holds(property.GetValue(actual));
        }

        internal static PropertyInfo? Find(object actual, string name)
        {
            const BindingFlags all = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance;
            for (Type? type = actual as Type ?? actual.GetType(); type != null; type = type.BaseType)
                if (type.GetProperties(all | BindingFlags.DeclaredOnly).FirstOrDefault(p => p.Name == name && p.GetIndexParameters().Length == 0) is PropertyInfo found) return found;
            return null;
        }
    }
}
