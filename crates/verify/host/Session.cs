// Runs tests as the parent asks: one load, then passes over the tests in given worlds.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;

namespace Cilantro.Verify.Running
{
    sealed class Session
    {
        readonly Channel channel;
        Subject subject;

        public Session(Channel channel)
        {
            this.channel = channel;
        }

        public void Serve()
        {
            foreach (string line in channel.Requests())
            {
                using (JsonDocument request = JsonDocument.Parse(line))
                {
                    Handle(request.RootElement);
                }
            }
        }

        void Handle(JsonElement request)
        {
            try
            {
                if (request.TryGetProperty("load", out JsonElement load))
                {
                    subject = new Subject(load);
                    Answer(writer => Describe(writer));
                }
                else
                {
                    Run(request.GetProperty("pass"));
                }
            }
            catch (Exception e)
            {
                Answer(writer => writer.WriteString("error", e.GetType().FullName + ": " + e.Message));
            }
        }

        void Describe(Utf8JsonWriter writer)
        {
            writer.WriteString("runtime", Environment.Version.ToString());
            writer.WriteNumber("summer", TimeZoneInfo.Local.GetUtcOffset(new DateTime(2021, 7, 1)).TotalMinutes);
            writer.WriteNumber("winter", TimeZoneInfo.Local.GetUtcOffset(new DateTime(2021, 1, 1)).TotalMinutes);
            writer.WriteBoolean("cultures", HasCultures());
        }

        /// Without ICU (or NLS) there is one culture only, or all of them look like it.
        static bool HasCultures()
        {
            try
            {
                return CultureInfo.GetCultureInfo("de-DE").NumberFormat.NumberDecimalSeparator == ",";
            }
            catch (CultureNotFoundException)
            {
                return false;
            }
        }

        void Run(JsonElement request)
        {
            var pass = new Pass(subject, CultureInfo.GetCultureInfo(request.GetProperty("culture").GetString()))
            {
                IsAlone = request.GetProperty("alone").GetBoolean(),
                IsCareful = request.GetProperty("careful").GetBoolean(),
                Report = (test, result, late) => Answer(writer => Write(writer, test, result, late)),
            };
            List<int> tests = request.GetProperty("tests").EnumerateArray().Select(test => test.GetInt32()).ToList();
            if (request.GetProperty("pool").GetBoolean())
            {
                Task.Run(() => pass.Run(tests)).GetAwaiter().GetResult();
            }
            else
            {
                pass.Run(tests);
            }
            Answer(writer => writer.WriteBoolean("done", true));
        }

        static void Write(Utf8JsonWriter writer, int test, Result result, bool late)
        {
            writer.WriteNumber("test", test);
            if (late)
            {
                writer.WriteBoolean("late", true);
            }
            switch (result.Kind)
            {
                case ResultKind.Failed:
                    writer.WriteString("exception", result.Exception);
                    writer.WriteString("message", result.Message);
                    writer.WriteNumber("line", result.Line);
                    break;
                case ResultKind.Skipped:
                    writer.WriteString("skipped", result.Message);
                    break;
            }
        }

        void Answer(Action<Utf8JsonWriter> write)
        {
            var buffer = new MemoryStream();
            using (var writer = new Utf8JsonWriter(buffer))
            {
                writer.WriteStartObject();
                write(writer);
                writer.WriteEndObject();
            }
            channel.Answer(Encoding.UTF8.GetString(buffer.ToArray()));
        }
    }
}
