// What the instrumented copy of the assembly under test records: one byte per probe, 1 where the runtime came by.

using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Cilantro.Replay
{
    static unsafe class Probes
    {
        static byte* bytes;
        static int count;

        public static bool AreOn => count > 0;

        /// Stays for as long as the process: code that was compiled writes there.
        public static long Allocate(int wanted)
        {
            bytes = (byte*)Marshal.AllocHGlobal(Math.Max(wanted, 1));
            count = wanted;
            Clear();
            return (long)bytes;
        }

        public static void Clear() => new Span<byte>(bytes, count).Clear();

        /// The numbers of the probes that were hit since the last time, as differences in base 36: short, since neighbours are hit together.
        public static string Hits()
        {
            var text = new StringBuilder();
            var all = new Span<byte>(bytes, count);
            int last = 0;
            for (int at = 0; at < count; at++)
            {
                int next = all.Slice(at).IndexOf((byte)1);
                if (next < 0) break;
                at += next;
                if (text.Length > 0) text.Append(' ');
                Write(text, at - last);
                last = at;
            }
            Clear();
            return text.ToString();
        }

        static void Write(StringBuilder text, int number)
        {
            const string digits = "0123456789abcdefghijklmnopqrstuvwxyz";
            if (number >= 36) Write(text, number / 36);
            text.Append(digits[number % 36]);
        }
    }
}
