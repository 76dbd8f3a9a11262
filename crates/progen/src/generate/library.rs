//! Calls of the class library: a table of expressions by type, with a hole for each operand.

use super::Generator;
use super::scope::Scope;
use super::simple::Simple::{self, *};
use crate::tree::Node;

const CALLS: &[(Simple, &str, &[Simple])] = &[
    // Conversions that round and check.
    (Int, "Convert.ToInt32(#)", &[Double]),
    (Int, "Convert.ToInt32(#)", &[Decimal]),
    (Int, "Convert.ToInt32(#)", &[Text]),
    (Byte, "Convert.ToByte(#)", &[Float]),
    (SByte, "Convert.ToSByte(#)", &[Long]),
    (Short, "Convert.ToInt16(#)", &[Double]),
    (UShort, "Convert.ToUInt16(#)", &[Int]),
    (UInt, "Convert.ToUInt32(#)", &[Decimal]),
    (Long, "Convert.ToInt64(#)", &[Double]),
    (ULong, "Convert.ToUInt64(#)", &[Decimal]),
    (Char, "Convert.ToChar(#)", &[Int]),
    (Bool, "Convert.ToBoolean(#)", &[Double]),
    (Decimal, "Convert.ToDecimal(#)", &[Double]),
    (Float, "Convert.ToSingle(#)", &[Decimal]),
    (Double, "Convert.ToDouble(#)", &[Text]),
    (Text, "Convert.ToString(#, 16)", &[Int]),
    (Text, "Convert.ToString(#, 2)", &[Short]),
    (Text, "Convert.ToBase64String(BitConverter.GetBytes(#))", &[Long]),
    (Int, "Convert.ToInt32(Convert.ToString(#, 8), 8)", &[Int]),
    // Parsing.
    (Int, "int.Parse(#)", &[Text]),
    (Int, "(int.TryParse(#, out int _p) ? _p : -7)", &[Text]),
    (Long, "long.Parse((#).ToString(), CultureInfo.InvariantCulture)", &[Long]),
    (UInt, "uint.Parse((#).ToString(\"X\"), NumberStyles.HexNumber)", &[UInt]),
    (
        Double,
        "double.Parse((#).ToString(\"R\", CultureInfo.InvariantCulture), CultureInfo.InvariantCulture)",
        &[Double],
    ),
    (
        Float,
        "float.Parse((#).ToString(CultureInfo.InvariantCulture), CultureInfo.InvariantCulture)",
        &[Float],
    ),
    (
        Decimal,
        "decimal.Parse((#).ToString(CultureInfo.InvariantCulture), CultureInfo.InvariantCulture)",
        &[Decimal],
    ),
    (Bool, "bool.Parse((#).ToString())", &[Bool]),
    // Formats.
    (Text, "(#).ToString(\"F3\", CultureInfo.InvariantCulture)", &[Double]),
    (Text, "(#).ToString(\"E5\", CultureInfo.InvariantCulture)", &[Double]),
    (Text, "(#).ToString(\"G4\", CultureInfo.InvariantCulture)", &[Float]),
    (Text, "(#).ToString(\"N2\", CultureInfo.InvariantCulture)", &[Decimal]),
    (Text, "(#).ToString(\"#,##0.00;(0.0)\", CultureInfo.InvariantCulture)", &[Int]),
    (Text, "(#).ToString(\"X8\")", &[Int]),
    (Text, "(#).ToString(\"x\")", &[SByte]),
    (Text, "(#).ToString(\"D12\")", &[Long]),
    (Text, "(#).ToString(\"P1\", CultureInfo.InvariantCulture)", &[Float]),
    (Text, "(#).ToString(\"C\", CultureInfo.InvariantCulture)", &[Long]),
    (Text, "(#).ToString(\"B\")", &[Byte]),
    (
        Text,
        "string.Format(CultureInfo.InvariantCulture, \"{0,8}|{1,-6:X}|{2:e2}\", #, #, #)",
        &[Int, UInt, Double],
    ),
    // Mathematics.
    (Double, "Math.Round(#, 2)", &[Double]),
    (Double, "Math.Round(#, MidpointRounding.AwayFromZero)", &[Double]),
    (Decimal, "decimal.Round(#, 3)", &[Decimal]),
    (Decimal, "decimal.Remainder(#, #)", &[Decimal, Decimal]),
    (Double, "Math.IEEERemainder(#, #)", &[Double, Double]),
    (Double, "Math.FusedMultiplyAdd(#, #, #)", &[Double, Double, Double]),
    (Double, "Math.CopySign(#, #)", &[Double, Double]),
    (Double, "Math.ScaleB(#, #)", &[Double, Int]),
    (Double, "Math.MaxMagnitude(#, #)", &[Double, Double]),
    (Double, "Math.Min(#, #)", &[Double, Double]),
    (Float, "MathF.Max(#, #)", &[Float, Float]),
    (Float, "(float)(Half)(#)", &[Float]),
    (Int, "Math.ILogB(#)", &[Double]),
    (Int, "Math.Sign(#)", &[Double]),
    (Int, "Math.Clamp(#, -5, 50)", &[Int]),
    (Long, "Math.BigMul(#, #)", &[Int, Int]),
    (ULong, "Math.BigMul(#, #, out _)", &[ULong, ULong]),
    (Int, "Math.DivRem(#, #, out _)", &[Int, Int]),
    (Long, "(long)((Int128)(#) * (#) % 1000003)", &[Long, Long]),
    (ULong, "unchecked((ulong)((UInt128)(#) * (#) >> 31))", &[ULong, ULong]),
    (Text, "((Int128)(#) * (#)).ToString()", &[Long, Long]),
    (Text, "((BigInteger)(#) * (#) - (#)).ToString()", &[Long, ULong, Int]),
    (Int, "(int)((BigInteger)(#) % 97)", &[Long]),
    (UInt, "BitOperations.RotateLeft(#, #)", &[UInt, Int]),
    (ULong, "BitOperations.RotateRight(#, #)", &[ULong, Int]),
    (UInt, "BinaryPrimitives.ReverseEndianness(#)", &[UInt]),
    (Short, "BinaryPrimitives.ReverseEndianness(#)", &[Short]),
    (Int, "int.RotateLeft(#, #)", &[Int, Int]),
    (Int, "int.PopCount(#)", &[Int]),
    (Byte, "byte.CreateSaturating(#)", &[Int]),
    (Short, "short.CreateTruncating(#)", &[Double]),
    (Int, "int.CreateChecked(#)", &[Float]),
    (SByte, "sbyte.CreateSaturating(#)", &[Decimal]),
    // Bits.
    (Long, "BitConverter.DoubleToInt64Bits(F.Canon(#))", &[Double]),
    (Double, "F.Canon(BitConverter.Int64BitsToDouble(#))", &[Long]),
    (Float, "F.Canon(BitConverter.Int32BitsToSingle(#))", &[Int]),
    (UInt, "Unsafe.As<long, uint>(ref (new long[] { # })[0])", &[Long]),
    (Int, "MemoryMarshal.Cast<byte, int>(new byte[] { #, #, 3, 4 })[0]", &[Byte, Byte]),
    (UShort, "BinaryPrimitives.ReadUInt16BigEndian(BitConverter.GetBytes(#))", &[Int]),
    // Text.
    (Int, "#.IndexOf(#)", &[Text, Char]),
    (Int, "#.IndexOf(#, StringComparison.Ordinal)", &[Text, Text]),
    (Int, "#.LastIndexOf(#)", &[Text, Char]),
    (Int, "Math.Sign(string.CompareOrdinal(#, #))", &[Text, Text]),
    (Int, "#.Count(c => c > #)", &[Text, Char]),
    (Bool, "#.Contains(#)", &[Text, Text]),
    (Bool, "#.StartsWith(#, StringComparison.Ordinal)", &[Text, Text]),
    (Bool, "string.Equals(#, #, StringComparison.OrdinalIgnoreCase)", &[Text, Text]),
    (Bool, "string.IsNullOrWhiteSpace(#)", &[Text]),
    (Bool, "char.IsLetterOrDigit(#)", &[Char]),
    (Bool, "char.IsUpper(#)", &[Char]),
    (Bool, "char.IsPunctuation(#)", &[Char]),
    (Bool, "char.IsWhiteSpace(#)", &[Char]),
    (Int, "(int)char.GetUnicodeCategory(#)", &[Char]),
    (Double, "char.GetNumericValue(#)", &[Char]),
    (Text, "#.PadLeft(Math.Clamp(#, 0, 20), '*')", &[Text, Int]),
    (Text, "#.PadRight(#)", &[Text, SByte]),
    (Text, "#.Insert(#, #)", &[Text, Int, Text]),
    (Text, "#.Remove(#)", &[Text, Int]),
    (Text, "#.Replace(#, #)", &[Text, Text, Text]),
    (Text, "#.TrimStart('a', 'b', #)", &[Text, Char]),
    (Text, "string.Join(\"+\", new[] { #, #, # })", &[Text, Text, Text]),
    (Text, "string.Concat(#.Reverse().Where(c => c < 128))", &[Text]),
    (Text, "new StringBuilder(#).Append(#).Insert(0, #).Replace('a', 'z').ToString()", &[Text, Int, Bool]),
    (Text, "string.Join(',', Encoding.UTF8.GetBytes(#))", &[Text]),
    (Text, "Encoding.ASCII.GetString(Encoding.ASCII.GetBytes(#))", &[Text]),
    (Text, "new string('q', Math.Clamp(#, 0, 9))", &[Int]),
    (Text, "#.Normalize().ToUpperInvariant()", &[Text]),
    // Arrays and collections.
    (Int, "Array.IndexOf(new[] { #, #, # }, #)", &[Int, Int, Int, Int]),
    (Int, "Array.BinarySearch(new[] { -5, 0, 3, 9, 100 }, #)", &[Int]),
    (Int, "new List<int> { #, #, # }.OrderBy(q => q % 5).First()", &[Int, Int, Int]),
    (Long, "new[] { #, #, # }.Aggregate((a, b) => unchecked(a * 31 + b))", &[Long, Long, Long]),
    (Double, "new[] { #, # }.Max()", &[Double, Double]),
    (Text, "string.Join(' ', new SortedSet<int> { #, #, # })", &[Int, Int, Int]),
    (Text, "string.Join(' ', Enumerable.Range(#, 3).Select(i => unchecked(i * 7)))", &[Short]),
    (Int, "new Dictionary<int, int> { [#] = 1, [5] = 2 }.Count", &[Int]),
    // Times.
    (Long, "new DateTime(2000, 2, 28).AddDays(#).AddMinutes(#).Ticks", &[Short, Int]),
    (
        Text,
        "new DateTime(1999, 12, 31).AddSeconds(#).ToString(\"yyyy-MM-dd HH:mm:ss ddd\", CultureInfo.InvariantCulture)",
        &[Int],
    ),
    (Text, "TimeSpan.FromMilliseconds(#).ToString()", &[Int]),
    (Double, "TimeSpan.FromTicks(#).TotalHours", &[Long]),
    (Int, "new DateOnly(2024, 1, 1).AddDays(#).DayOfYear", &[Byte]),
    // Enums and types.
    (Text, "unchecked((Mode)#).ToString()", &[Byte]),
    (Bool, "unchecked((Mode)#).HasFlag(Mode.Some)", &[Byte]),
    (Bool, "Enum.IsDefined(unchecked((Mode)#))", &[Byte]),
    (Int, "Comparer<decimal>.Default.Compare(#, #)", &[Decimal, Decimal]),
    (Bool, "EqualityComparer<float>.Default.Equals(#, #)", &[Float, Float]),
    (Bool, "(#).Equals(#)", &[Double, Double]),
    (Int, "(#).CompareTo(#)", &[Double, Double]),
    (Int, "(#).GetHashCode()", &[Long]),
    (Int, "(#).GetHashCode()", &[Decimal]),
    (Int, "(#, #).CompareTo((#, #))", &[Int, Byte, Int, Byte]),
    (Bool, "(#, #) == (#, #)", &[Int, Text, Int, Text]),
    (Text, "(#, #, #).ToString()", &[Int, Bool, Text]),
    (Text, "new { A = #, B = # }.ToString()", &[Int, Bool]),
];

impl Generator {
    /// A call of the class library with this result.
    pub fn library(&mut self, ty: Simple, scope: &Scope, depth: usize) -> Option<Node> {
        let fitting: Vec<_> = CALLS.iter().filter(|(result, ..)| *result == ty).collect();
        let (_, template, operands) = fitting.get(self.r.below(fitting.len().max(1)))?;
        let fresh = self.name("p");
        // What stands in a lambda may use only what lambdas may.
        let scope = &if template.contains("=>") { scope.lambda() } else { scope.clone() };
        let operands = operands.iter().map(|ty| self.opaque(*ty, scope, depth)).collect();
        // A literal `#` would be taken for a hole, so the one in a number format is written as an escape.
        let template = template.replace("_p", &fresh).replace("\"#,##0", "\"\\u0023,\\u0023\\u00230");
        Some(Node::expression(ty.name(), &format!("({template})"), operands))
    }
}
