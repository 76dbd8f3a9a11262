// The part of NSubstitute that generated tests use: signatures only.

using System;
using System.Threading.Tasks;

namespace NSubstitute
{
    public static class Substitute
    {
        public static T For<T>(params object[] constructorArguments) where T : class => throw new NotSupportedException();
        public static T ForPartsOf<T>(params object[] constructorArguments) where T : class => throw new NotSupportedException();
    }

    public static class Arg
    {
        private static class Place<T> { public static T[] Value = new T[1]; }

        public static ref T Any<T>() => ref Place<T>.Value[0];
    }

    public static class SubstituteExtensions
    {
        public static Core.WhenCalled<T> When<T>(this T substitute, Action<T> substituteCall) where T : class => throw new NotSupportedException();
        public static Core.ConfiguredCall Returns<T>(this T value, T returnThis, params T[] returnThese) => throw new NotSupportedException();
        public static Core.ConfiguredCall Returns<T>(this T value, Func<Core.CallInfo, T> returnThis, params Func<Core.CallInfo, T>[] returnThese) => throw new NotSupportedException();
        public static Core.ConfiguredCall Returns<T>(this Task<T> value, T returnThis, params T[] returnThese) => throw new NotSupportedException();
        public static Core.ConfiguredCall Returns<T>(this Task<T> value, Func<Core.CallInfo, T> returnThis, params Func<Core.CallInfo, T>[] returnThese) => throw new NotSupportedException();
        public static Core.ConfiguredCall Returns<T>(this ValueTask<T> value, T returnThis, params T[] returnThese) => throw new NotSupportedException();
        public static Core.ConfiguredCall Returns<T>(this ValueTask<T> value, Func<Core.CallInfo, T> returnThis, params Func<Core.CallInfo, T>[] returnThese) => throw new NotSupportedException();
    }
}

namespace NSubstitute.Core
{
    public class ConfiguredCall { }

    public class WhenCalled<T>
    {
        public void Do(Action<CallInfo> callback) { }
    }

    public class CallInfo
    {
        public object this[int index] { get => null; set { } }
    }
}
