// What a failed assertion throws. Every kind of assertion has its own class.

using System;

namespace Xunit.Sdk
{
    public class XunitException : Exception
    {
        public XunitException(string? userMessage) : base(userMessage) { }
        public XunitException(string? userMessage, Exception? innerException) : base(userMessage, innerException) { }
    }

    public class AllException(string message, Exception? inner = null) : XunitException(message, inner);
    public class CollectionException(string message, Exception? inner = null) : XunitException(message, inner);
    public class ContainsException(string message) : XunitException(message);
    public class DistinctException(string message) : XunitException(message);
    public class DoesNotContainException(string message) : XunitException(message);
    public class DoesNotMatchException(string message) : XunitException(message);
    public class EmptyException(string message) : XunitException(message);
    public class EndsWithException(string message) : XunitException(message);
    public class EqualException(string message, Exception? inner = null) : XunitException(message, inner);
    public class EquivalentException(string message) : XunitException(message);
    public class FailException(string? message) : XunitException(message);
    public class FalseException(string message) : XunitException(message);
    public class InRangeException(string message) : XunitException(message);
    public class IsAssignableFromException(string message) : XunitException(message);
    public class IsNotTypeException(string message) : XunitException(message);
    public class IsTypeException(string message) : XunitException(message);
    public class MatchesException(string message) : XunitException(message);
    public class MultipleException(string message) : XunitException(message);
    public class NotEmptyException(string message) : XunitException(message);
    public class NotEqualException(string message, Exception? inner = null) : XunitException(message, inner);
    public class NotInRangeException(string message) : XunitException(message);
    public class NotNullException(string message) : XunitException(message);
    public class NotSameException(string message) : XunitException(message);
    public class NullException(string message) : XunitException(message);
    public class ProperSubsetException(string message) : XunitException(message);
    public class ProperSupersetException(string message) : XunitException(message);
    public class PropertyChangedException(string message) : XunitException(message);
    public class RaisesException(string message) : XunitException(message);
    public class SameException(string message) : XunitException(message);
    public class SingleException(string message) : XunitException(message);
    public class SkipException(string message) : XunitException("$XunitDynamicSkip$" + message);
    public class StartsWithException(string message) : XunitException(message);
    public class SubsetException(string message) : XunitException(message);
    public class SupersetException(string message) : XunitException(message);
    public class ThrowsException(string message, Exception? inner = null) : XunitException(message, inner);
    public class TrueException(string message) : XunitException(message);
}
