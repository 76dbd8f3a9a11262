// The part of Moq that generated tests use: signatures only.

using System;
using System.Linq.Expressions;

namespace Moq
{
    public class Mock<T> where T : class
    {
        public Mock() { }
        public Mock(params object[] args) { }
        public bool CallBase { get; set; }
        public T Object => throw new NotSupportedException();
        public Language.ISetup<T, TResult> Setup<TResult>(Expression<Func<T, TResult>> expression) => throw new NotSupportedException();
        public Language.ISetup<T> Setup(Expression<Action<T>> expression) => throw new NotSupportedException();
        public Language.ISetupSequentialResult<TResult> SetupSequence<TResult>(Expression<Func<T, TResult>> expression) => throw new NotSupportedException();
        public Mock<T> SetupAllProperties() => this;
        public Mock<T> SetupProperty<TProperty>(Expression<Func<T, TProperty>> property) => this;
        public Mock<T> SetupProperty<TProperty>(Expression<Func<T, TProperty>> property, TProperty initialValue) => this;
    }

    public static class It
    {
        public static TValue IsAny<TValue>() => default;
    }
}

namespace Moq.Language
{
    public interface ISetup<T>
    {
        object Throws(Exception exception);
    }

    public interface ISetup<T, TResult>
    {
        object Returns(TResult value);
        object Returns(Func<TResult> valueFunction);
        object Throws(Exception exception);
    }

    public interface ISetupSequentialResult<TResult>
    {
        ISetupSequentialResult<TResult> Returns(TResult value);
        ISetupSequentialResult<TResult> Returns(Func<TResult> valueFunction);
        ISetupSequentialResult<TResult> Throws(Exception exception);
    }
}
