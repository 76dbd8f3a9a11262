// The replay host: runs test cases (`cilantro/case@1`) on the runtime that it is started on.
//
// One JSON request per line comes on stdin, one answer per line goes out on the real stdout behind a mark that
// the code under test cannot guess, so that nothing it prints can be taken for an answer. The time limit is kept
// by the parent, which kills this process; when the parent goes away (end of stdin) the host ends at once, even
// in the middle of a case.

using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Text;
using System.Threading;

namespace Cilantro.Replay
{
    static class Program
    {
        static Stream answers;
        static byte[] mark;

        static void Main(string[] args)
        {
            mark = Encoding.ASCII.GetBytes("\n" + (args.Length > 0 ? args[0] : ""));
            answers = Console.OpenStandardOutput();
            var requests = new BlockingCollection<string>();
            var reader = new Thread(() => ReadRequests(requests)) { IsBackground = true };
            reader.Start();

            Console.SetOut(TextWriter.Null);
            Console.SetError(TextWriter.Null);
            Console.SetIn(TextReader.Null);
            CultureInfo.DefaultThreadCurrentCulture = CultureInfo.InvariantCulture;
            CultureInfo.DefaultThreadCurrentUICulture = CultureInfo.InvariantCulture;
            CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
            CultureInfo.CurrentUICulture = CultureInfo.InvariantCulture;

            var session = new Session();
            foreach (string line in requests.GetConsumingEnumerable())
            {
                Answer(session.Handle(line));
            }
        }

        static void ReadRequests(BlockingCollection<string> requests)
        {
            using (var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false)))
            {
                string line;
                while ((line = input.ReadLine()) != null)
                {
                    requests.Add(line);
                }
            }
            Process.GetCurrentProcess().Kill();
        }

        static void Answer(Dictionary<string, object> answer)
        {
            byte[] text = Encoding.ASCII.GetBytes(Json.Write(answer) + "\n");
            var all = new byte[mark.Length + text.Length];
            mark.CopyTo(all, 0);
            text.CopyTo(all, mark.Length);
            answers.Write(all, 0, all.Length);
            answers.Flush();
        }
    }

    /// Why a case cannot be run here; the case is reported as skipped.
    sealed class CannotRun : Exception
    {
        public CannotRun(string why) : base(why) { }
    }

    sealed class Session
    {
        Subject subject;

        public Dictionary<string, object> Handle(string line)
        {
            var answer = new Dictionary<string, object>();
            try
            {
                var request = (Dictionary<string, object>)Json.Read(line);
                if (request.TryGetValue("probes", out object count))
                {
                    answer["address"] = Probes.Allocate((int)(long)count).ToString("x", CultureInfo.InvariantCulture);
                }
                else if (request.TryGetValue("load", out object path))
                {
                    request.TryGetValue("copy", out object copy);
                    subject = Subject.Load((string)path, (string)copy);
                    answer["loaded"] = subject.Assembly.FullName;
                    answer["measures"] = copy != null && subject.Assembly.Location == (string)copy;
                    answer["runtime"] = Environment.Version.ToString();
                }
                else
                {
                    var one = (Dictionary<string, object>)request["case"];
                    var ways = new Ways(Json.List(one, "objects"));
                    answer["observed"] = Call.Prepare(subject, one, ways).Run();
                    answer["ways"] = ways.Chosen();
                    if (Probes.AreOn) answer["hits"] = Probes.Hits();
                }
            }
            catch (CannotRun e)
            {
                answer["skipped"] = e.Message;
            }
            catch (Exception e)
            {
                // Building arguments or loading failed: the outcome of the call itself is never seen here.
                answer["skipped"] = e.GetType().FullName + ": " + e.Message;
            }
            return answer;
        }
    }
}
