// The host of `verify`: one program with two parts. As `compile` it keeps the C# compiler of the user's SDK
// loaded and answers questions about the written tests; as `run` it executes them in several worlds.
//
// One JSON request per line comes on stdin, answers go out on the real stdout behind a mark that the code under
// test cannot guess. Time limits are kept by the parent, which kills this process; when the parent goes away
// (end of stdin) the host ends at once, even in the middle of a test.

using System;
using System.Reflection;
using System.Runtime.Loader;

namespace Cilantro.Verify
{
    static class Program
    {
        static int Main(string[] args)
        {
            var channel = new Channel(args[args.Length - 1]);
            switch (args[0])
            {
                case "compile":
                    Compile(channel, args[1]);
                    return 0;
                case "run":
                    new Running.Session(channel).Serve();
                    return 0;
                default:
                    return 2;
            }
        }

        // The part that knows the compiler's types lives in the same load context as the compiler, so this assembly is
        // loaded a second time there.
        static void Compile(Channel channel, string compilerFolder)
        {
            AssemblyLoadContext context = new CompilerContext(compilerFolder);
            Assembly inner = context.LoadFromAssemblyPath(Assembly.GetExecutingAssembly().Location);
            Type service = inner.GetType("Cilantro.Verify.Compiling.Service", true);
            var handle = (Func<string, string>)Delegate.CreateDelegate(
                typeof(Func<string, string>), Activator.CreateInstance(service), service.GetMethod("Handle"));
            foreach (string line in channel.Requests())
            {
                channel.Answer(handle(line));
            }
        }
    }
}
