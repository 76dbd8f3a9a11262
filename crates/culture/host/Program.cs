// The culture host: answers questions about cultures with the native code of the runtime that it is started on.
//
// Frames come on stdin and go out on stdout: a length (four bytes, little endian), then that many bytes. A question
// is the number of an entry and its arguments, an answer is a status and its results (see Frames.cs, Entries.cs).
// Answers come in the order of the questions. Many questions may be sent before the first answer is read: answers
// are written out when no further question has arrived. The first frame goes out unasked and says that the host is
// ready. At the end of stdin the host ends.

using System;
using System.Globalization;
using System.IO;
using System.Runtime.InteropServices;

namespace Cilantro.Culture
{
    static class Program
    {
        const int Protocol = 1;
        const int MostBytes = 64 << 20;

        static int Main()
        {
            var input = Console.OpenStandardInput();
            var output = Console.OpenStandardOutput();
            Native.FindLibrary();
            if (!Greet(output)) return 1;
            Serve(input, output);
            return 0;
        }

        // Without ICU the runtime would end this process at the first question; asked before, it only says so.
        static bool Greet(Stream output)
        {
            bool ready = IsIcuThere();
            var answer = new Answer();
            answer.Begin(ready ? Status.Ok : Status.NotThere);
            answer.Add(Protocol);
            answer.Add(ready ? IcuVersion() : 0);
            answer.Add(RuntimeInformation.FrameworkDescription);
            answer.End();
            answer.WriteTo(output);
            return ready;
        }

        static bool IsIcuThere()
        {
            // An application may bring its own ICU: then the runtime loads that one, and not the system's.
            bool bringsItsOwn = AppContext.GetData("System.Globalization.AppLocalIcu") != null
                || Environment.GetEnvironmentVariable("DOTNET_SYSTEM_GLOBALIZATION_APPLOCALICU") != null;
            try
            {
                if (!bringsItsOwn && Native.LoadICU() == 0) return false;
            }
            catch (Exception e) when (Native.IsMissing(e))
            {
            }
            // The class library loads ICU in its own way with the first culture.
            return CultureInfo.InvariantCulture.CompareInfo.Compare("a", "B", CompareOptions.IgnoreCase) < 0;
        }

        static int IcuVersion()
        {
            try
            {
                return Native.GetICUVersion();
            }
            catch (Exception e) when (Native.IsMissing(e))
            {
                return 0;
            }
        }

        static void Serve(Stream input, Stream output)
        {
            var buffer = new byte[1 << 16];
            int start = 0, end = 0;
            var answer = new Answer();
            while (true)
            {
                while (TryTake(buffer, ref start, end, out var question)) Entries.Answer(question, answer);
                answer.WriteTo(output);
                MakeRoom(ref buffer, ref start, ref end);
                int count = input.Read(buffer, end, buffer.Length - end);
                if (count <= 0) return;
                end += count;
            }
        }

        // A whole question, if it has arrived.
        static bool TryTake(byte[] buffer, ref int start, int end, out Question question)
        {
            question = default;
            if (end - start < 4) return false;
            int length = Length(buffer, start);
            if (end - start - 4 < length) return false;
            question = new Question(buffer, start + 4, length);
            start += 4 + length;
            return true;
        }

        static void MakeRoom(ref byte[] buffer, ref int start, ref int end)
        {
            int wanted = end - start < 4 ? 4 : 4 + Length(buffer, start);
            byte[] target = wanted > buffer.Length ? new byte[wanted] : buffer;
            Buffer.BlockCopy(buffer, start, target, 0, end - start);
            end -= start;
            start = 0;
            buffer = target;
        }

        static int Length(byte[] buffer, int at)
        {
            int length = BitConverter.ToInt32(buffer, at);
            if (length < 0 || length > MostBytes) throw new InvalidDataException("a question of " + length + " bytes");
            return length;
        }
    }
}
