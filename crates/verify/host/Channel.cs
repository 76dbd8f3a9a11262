// Requests in, answers out.

using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Text;
using System.Threading;

namespace Cilantro.Verify
{
    sealed class Channel
    {
        readonly Stream answers = Console.OpenStandardOutput();
        readonly byte[] mark;
        readonly BlockingCollection<string> requests = new BlockingCollection<string>();

        public Channel(string mark)
        {
            this.mark = Encoding.ASCII.GetBytes("\n" + mark);
            new Thread(Read) { IsBackground = true }.Start();
            // Nobody reads what tests print, and nobody types.
            Console.SetOut(TextWriter.Null);
            Console.SetError(TextWriter.Null);
            Console.SetIn(TextReader.Null);
        }

        public IEnumerable<string> Requests() => requests.GetConsumingEnumerable();

        public void Answer(string json)
        {
            byte[] text = Encoding.UTF8.GetBytes(json);
            var all = new byte[mark.Length + text.Length + 1];
            mark.CopyTo(all, 0);
            text.CopyTo(all, mark.Length);
            all[all.Length - 1] = (byte)'\n';
            lock (answers)
            {
                answers.Write(all, 0, all.Length);
                answers.Flush();
            }
        }

        void Read()
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
    }
}
