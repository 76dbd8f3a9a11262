// What a constraint is, and how `Is.Not.Null.And…` is put together.

using System;
using System.Collections.Generic;
using System.Linq;

namespace NUnit.Framework.Constraints
{
    public delegate TActual ActualValueDelegate<TActual>();

    public interface IResolveConstraint
    {
        Constraint Resolve();
    }

    public class ConstraintResult
    {
        readonly Constraint constraint;

        public ConstraintResult(Constraint constraint, object? actualValue, bool isSuccess)
        {
            this.constraint = constraint;
            ActualValue = actualValue;
            IsSuccess = isSuccess;
        }

        public object? ActualValue { get; }

        /// Nobody asks for it unless the assertion fails: values may not like to be shown.
        public string Description => constraint.Description;
        public bool IsSuccess { get; }
    }

    public abstract class Constraint : IResolveConstraint
    {
        internal ConstraintBuilder? Builder;

        public virtual string Description => GetType().Name.Replace("Constraint", "");

        public ConstraintExpression And => Then(Operator.And);

        public ConstraintExpression Or => Then(Operator.Or);

        public ConstraintExpression With => And;

        ConstraintExpression Then(Operator binary)
        {
            ConstraintBuilder? builder = Builder;
            if (builder is null)
            {
                builder = new ConstraintBuilder();
                builder.Append(this);
            }
            builder.Append(binary);
            return new ConstraintExpression(builder);
        }

        public static Constraint operator &(Constraint left, Constraint right) => new Both(((IResolveConstraint)left).Resolve(), ((IResolveConstraint)right).Resolve());

        public static Constraint operator |(Constraint left, Constraint right) => new Either(((IResolveConstraint)left).Resolve(), ((IResolveConstraint)right).Resolve());

        public static Constraint operator !(Constraint operand) => new Not(((IResolveConstraint)operand).Resolve());

        Constraint IResolveConstraint.Resolve() => Builder is null ? this : Builder.Resolve();

        public ConstraintResult ApplyTo<TActual>(TActual actual) => new ConstraintResult(this, actual, Holds(actual, typeof(TActual)));

        public ConstraintResult ApplyTo<TActual>(ActualValueDelegate<TActual> del) => IsAboutCode ? new ConstraintResult(this, del, Holds(new TestDelegate(() => del()))) : ApplyTo(Waited(del()));

        /// It looks at what code does, not at what it gives.
        internal virtual bool IsAboutCode => false;

        internal abstract bool Holds(object? actual);

        /// With the static type of the value, for the few that want to know.
        internal virtual bool Holds(object? actual, Type type) => Holds(actual);

        static object? Waited(object? value)
        {
            if (value is System.Threading.Tasks.Task task)
            {
                task.GetAwaiter().GetResult();
                return task.GetType().GetProperty("Result")?.GetValue(task);
            }
            return value;
        }
    }

    internal sealed class Both(Constraint left, Constraint right) : Constraint
    {
        public override string Description => left.Description + " and " + right.Description;
        internal override bool IsAboutCode => left.IsAboutCode || right.IsAboutCode;
        internal override bool Holds(object? actual) => left.Holds(actual) && right.Holds(actual);
        internal override bool Holds(object? actual, Type type) => left.Holds(actual, type) && right.Holds(actual, type);
    }

    internal sealed class Either(Constraint left, Constraint right) : Constraint
    {
        public override string Description => left.Description + " or " + right.Description;
        internal override bool Holds(object? actual) => left.Holds(actual) || right.Holds(actual);
        internal override bool Holds(object? actual, Type type) => left.Holds(actual, type) || right.Holds(actual, type);
    }

    internal sealed class Not(Constraint inner) : Constraint
    {
        public override string Description => "not " + inner.Description;
        internal override bool IsAboutCode => inner.IsAboutCode;
        internal override bool Holds(object? actual) => !inner.Holds(actual);
        internal override bool Holds(object? actual, Type type) => !inner.Holds(actual, type);
    }

    /// A part of an expression that waits for what follows. A smaller number binds tighter.
    internal sealed class Operator
    {
        public int Left, Right;
        public Func<Constraint, Constraint>? Prefix;
        public Func<Constraint, Constraint, Constraint>? Binary;
        /// What it means when nothing follows.
        public Constraint? Alone;

        public static Operator And => new Operator { Left = 2, Right = 2, Binary = (left, right) => new Both(left, right) };
        public static Operator Or => new Operator { Left = 3, Right = 3, Binary = (left, right) => new Either(left, right) };
        public static Operator Not => new Operator { Left = 1, Right = 1, Prefix = inner => new Not(inner) };
        public static Operator Property(string name) => new Operator { Left = 1, Right = 1, Prefix = inner => new PropertyConstraint(name, inner), Alone = new PropertyExistsConstraint(name) };
        public static Operator Items(Func<Constraint, Constraint> of) => new Operator { Left = 1, Right = 10, Prefix = of };
        public static Operator Throws => new Operator { Left = 1, Right = 100, Prefix = inner => new ThrowsConstraint(inner), Alone = new ThrowsExceptionConstraint() };
    }

    internal sealed class ConstraintBuilder
    {
        readonly Stack<Operator> operators = new();
        readonly Stack<Constraint> constraints = new();
        /// The last thing that came was an operator that could stand alone.
        bool open;

        public void Append(Operator next)
        {
            if (next.Binary != null) Close();
            while (operators.Count > 0 && operators.Peek().Right < next.Left) Reduce();
            operators.Push(next);
            open = next.Alone != null;
        }

        public void Append(Constraint constraint)
        {
            open = false;
            constraint.Builder = this;
            constraints.Push(constraint);
        }

        public Constraint Resolve()
        {
            Close();
            while (operators.Count > 0) Reduce();
            return constraints.Peek();
        }

        void Close()
        {
            if (open) constraints.Push(operators.Pop().Alone!);
            open = false;
        }

        void Reduce()
        {
            Operator top = operators.Pop();
            Constraint right = constraints.Pop();
            constraints.Push(top.Prefix is null ? top.Binary!(constraints.Pop(), right) : top.Prefix(right));
        }
    }
}
