// Inputs that no parameter passes: environment variables and standard input. They are there before anything of the case is
// made, and what was there before comes back after the call.

using System;
using System.Collections.Generic;
using System.IO;

namespace Cilantro.Replay
{
    sealed class Outside
    {
        readonly List<(string Name, string Found)> variables = new List<(string, string)>();
        readonly TextReader input;

        public Outside(Subject subject, Dictionary<string, object> one)
        {
            if (!one.TryGetValue("outside", out object found) || found == null) return;
            var outside = (Dictionary<string, object>)found;
            var texts = new Heap(subject, Json.List(one, "objects"), new Ways(new List<object>()));
            foreach (Dictionary<string, object> variable in Json.List(outside, "environment"))
            {
                string name = (string)variable["name"];
                variables.Add((name, Environment.GetEnvironmentVariable(name)));
                Environment.SetEnvironmentVariable(name, Text(texts, variable["value"]));
            }
            if (!outside.TryGetValue("console", out object lines) || lines == null) return;
            input = Console.In;
            Console.SetIn(new StringReader(Text(texts, lines)));
        }

        static string Text(Heap texts, object value)
        {
            return (string)texts.Build(typeof(string), (Dictionary<string, object>)value);
        }

        public void PutBack()
        {
            foreach (var variable in variables) Environment.SetEnvironmentVariable(variable.Name, variable.Found);
            if (input != null) Console.SetIn(input);
        }
    }
}
