// Assertions about text.

using System;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Text.RegularExpressions;
using Xunit.Sdk;

namespace Xunit
{
    public partial class Assert
    {
        public static void Equal(string? expected, string? actual) => Equal(expected, actual, false);

        public static void Equal(
            string? expected,
            string? actual,
            bool ignoreCase = false,
            bool ignoreLineEndingDifferences = false,
            bool ignoreWhiteSpaceDifferences = false,
            bool ignoreAllWhiteSpace = false)
        {
            string? Normal(string? text)
            {
                if (text is null) return null;
                if (ignoreLineEndingDifferences) text = text.Replace("\r\n", "\n").Replace('\r', '\n');
                if (ignoreAllWhiteSpace) text = new string(text.Where(c => !IsBlank(c)).ToArray());
                else if (ignoreWhiteSpaceDifferences) text = Regex.Replace(text, "[ \t\u00a0]+", " ");
                return ignoreCase ? text.ToUpperInvariant() : text;
            }
            if (!string.Equals(Normal(expected), Normal(actual), StringComparison.Ordinal))
                throw new EqualException("Assert.Equal() Failure: Strings differ\nExpected: " + Show.Value(expected) + "\nActual:   " + Show.Value(actual));
        }

        public static void Equal(
            ReadOnlySpan<char> expected,
            ReadOnlySpan<char> actual,
            bool ignoreCase = false,
            bool ignoreLineEndingDifferences = false,
            bool ignoreWhiteSpaceDifferences = false,
            bool ignoreAllWhiteSpace = false) =>
            Equal(expected.ToString(), actual.ToString(), ignoreCase, ignoreLineEndingDifferences, ignoreWhiteSpaceDifferences, ignoreAllWhiteSpace);

        static bool IsBlank(char c) => c == ' ' || c == '\t' || c == '\r' || c == '\n' || char.IsWhiteSpace(c);

        public static void Contains(string expectedSubstring, string? actualString) => Contains(expectedSubstring, actualString, StringComparison.CurrentCulture);

        public static void Contains(string expectedSubstring, string? actualString, StringComparison comparisonType)
        {
            if (actualString is null || actualString.IndexOf(expectedSubstring, comparisonType) < 0)
                throw new ContainsException("Assert.Contains() Failure: Sub-string not found\nString:    " + Show.Value(actualString) + "\nNot found: " + Show.Value(expectedSubstring));
        }

        public static void DoesNotContain(string expectedSubstring, string? actualString) => DoesNotContain(expectedSubstring, actualString, StringComparison.CurrentCulture);

        public static void DoesNotContain(string expectedSubstring, string? actualString, StringComparison comparisonType)
        {
            if (actualString != null && actualString.IndexOf(expectedSubstring, comparisonType) >= 0)
                throw new DoesNotContainException("Assert.DoesNotContain() Failure: Sub-string found\nString: " + Show.Value(actualString) + "\nFound:  " + Show.Value(expectedSubstring));
        }

        public static void StartsWith(string? expectedStartString, string? actualString) => StartsWith(expectedStartString, actualString, StringComparison.CurrentCulture);

        public static void StartsWith(string? expectedStartString, string? actualString, StringComparison comparisonType)
        {
            if (expectedStartString is null || actualString is null || !actualString.StartsWith(expectedStartString, comparisonType))
                throw new StartsWithException("Assert.StartsWith() Failure: String start does not match\nString:         " + Show.Value(actualString) + "\nExpected start: " + Show.Value(expectedStartString));
        }

        public static void EndsWith(string? expectedEndString, string? actualString) => EndsWith(expectedEndString, actualString, StringComparison.CurrentCulture);

        public static void EndsWith(string? expectedEndString, string? actualString, StringComparison comparisonType)
        {
            if (expectedEndString is null || actualString is null || !actualString.EndsWith(expectedEndString, comparisonType))
                throw new EndsWithException("Assert.EndsWith() Failure: String end does not match\nString:       " + Show.Value(actualString) + "\nExpected end: " + Show.Value(expectedEndString));
        }

        public static void Matches(string expectedRegexPattern, string? actualString)
        {
            if (actualString is null || !Regex.IsMatch(actualString, expectedRegexPattern))
                throw new MatchesException("Assert.Matches() Failure: Pattern not found in value\nRegex: " + Show.Value(expectedRegexPattern) + "\nValue: " + Show.Value(actualString));
        }

        public static void Matches(Regex expectedRegex, string? actualString)
        {
            if (actualString is null || !expectedRegex.IsMatch(actualString))
                throw new MatchesException("Assert.Matches() Failure: Pattern not found in value\nRegex: " + Show.Value(expectedRegex.ToString()) + "\nValue: " + Show.Value(actualString));
        }

        public static void DoesNotMatch(string expectedRegexPattern, string? actualString)
        {
            if (actualString != null && Regex.IsMatch(actualString, expectedRegexPattern))
                throw new DoesNotMatchException("Assert.DoesNotMatch() Failure: Match found\nRegex: " + Show.Value(expectedRegexPattern) + "\nString: " + Show.Value(actualString));
        }

        public static void DoesNotMatch(Regex expectedRegex, string? actualString) => DoesNotMatch(expectedRegex.ToString(), actualString);

        public static void Empty(string value)
        {
            if (value is null) throw new ArgumentNullException(nameof(value));
            if (value.Length != 0) throw new EmptyException("Assert.Empty() Failure: String was not empty\nString: " + Show.Value(value));
        }
    }
}
