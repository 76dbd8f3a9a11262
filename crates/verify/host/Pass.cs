// One pass over some tests in one world.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using System.Threading;

namespace Cilantro.Verify.Running
{
    enum ResultKind
    {
        Passed,
        Failed,
        Skipped,
    }

    sealed class Result
    {
        public static readonly Result Passed = new Result();

        public ResultKind Kind;
        public string Exception = "";
        public string Message = "";
        /// Where in the test; 0 when it is not known.
        public int Line;

        public static Result Skipped(string why) => new Result { Kind = ResultKind.Skipped, Message = why ?? "" };
    }

    /// The methods of one name in a class.
    sealed class Test
    {
        public Type Type;
        public List<MethodInfo> Methods;
    }

    sealed class Pass
    {
        readonly Subject subject;
        readonly CultureInfo culture;
        public bool IsAlone;
        public bool IsCareful;
        public Action<int, Result, bool> Report;

        public Pass(Subject subject, CultureInfo culture)
        {
            this.subject = subject;
            this.culture = culture;
        }

        public void Run(List<int> tests)
        {
            CultureInfo.DefaultThreadCurrentCulture = culture;
            CultureInfo.DefaultThreadCurrentUICulture = culture;
            if (IsAlone)
            {
                RunEachAlone(tests);
            }
            else
            {
                RunTogether(tests, subject.Usual());
            }
            Settle(5);
        }

        void RunEachAlone(List<int> tests)
        {
            for (int i = 0; i < tests.Count; i++)
            {
                RunAlone(tests[i]);
                if (i % 64 == 63)
                {
                    // Contexts that nobody needs go.
                    GC.Collect();
                }
            }
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        void RunAlone(int test)
        {
            AssemblyLoadContext context = subject.NewContext();
            try
            {
                RunTogether(new List<int> { test }, subject.Afresh(context));
            }
            finally
            {
                context.Unload();
            }
        }

        void RunTogether(List<int> tests, Func<int, Test> find)
        {
            int at = 0;
            while (at < tests.Count)
            {
                Test first = Found(tests[at], find);
                if (first == null)
                {
                    at++;
                    continue;
                }
                at = RunClass(tests, at, first, find);
            }
        }

        /// The tests of one class that follow each other. Gives the place of the next one.
        int RunClass(List<int> tests, int at, Test test, Func<int, Test> find)
        {
            int start = at;
            Type type = test.Type;
            Fixture fixture = subject.Framework.Open(type);
            Result opened = Guarded(type, fixture.Begin);
            do
            {
                Test now = test;
                Result result = opened.Kind == ResultKind.Passed ? Guarded(type, () => fixture.Run(now)) : opened;
                Report(tests[at], result, false);
                if (IsCareful)
                {
                    Settle(20);
                }
                at++;
                test = at < tests.Count ? Found(tests[at], find) : null;
            }
            while (test != null && test.Type == type);
            Result closed = Guarded(type, fixture.End);
            if (closed.Kind == ResultKind.Failed)
            {
                // Nobody knows which of them is to blame.
                for (int i = start; i < at; i++)
                {
                    Report(tests[i], closed, true);
                }
            }
            return at;
        }

        Test Found(int index, Func<int, Test> find)
        {
            try
            {
                return find(index);
            }
            catch (Exception e)
            {
                Report(index, Failure(e, null), false);
                return null;
            }
        }

        /// Runs code of the tests in the world of this pass; nothing that it sets for its own thread survives it.
        Result Guarded(Type type, Func<Result> code)
        {
            Result result = null;
            ExecutionContext.Run(clean, _ =>
            {
                CultureInfo.CurrentCulture = culture;
                CultureInfo.CurrentUICulture = culture;
                SynchronizationContext.SetSynchronizationContext(null);
                try
                {
                    result = code();
                }
                catch (Exception e)
                {
                    result = subject.Framework.Judge(e) ?? Failure(e, type);
                }
            }, null);
            return result;
        }

        static readonly ExecutionContext clean = ExecutionContext.Capture();

        public static Result Failure(Exception e, Type type)
        {
            return new Result { Kind = ResultKind.Failed, Exception = e.GetType().FullName, Message = MessageOf(e), Line = LineOf(e, type) };
        }

        const int MaxMessage = 2000;

        static string MessageOf(Exception e)
        {
            try
            {
                string message = e.Message ?? "";
                // A static constructor that throws says nothing by itself.
                for (Exception inner = e.InnerException; inner != null && message.Length < MaxMessage; inner = inner.InnerException)
                {
                    message += " ---> " + inner.GetType().FullName + ": " + inner.Message;
                }
                return message.Length <= MaxMessage ? message : message.Substring(0, MaxMessage);
            }
            catch (Exception)
            {
                return "";
            }
        }

        static int LineOf(Exception e, Type type)
        {
            if (type == null)
            {
                return 0;
            }
            foreach (StackFrame frame in new StackTrace(e, true).GetFrames() ?? new StackFrame[0])
            {
                // Lambdas and async parts are in classes inside of it.
                Type owner = frame.GetMethod()?.DeclaringType;
                while (owner != null && owner != type)
                {
                    owner = owner.DeclaringType;
                }
                if (owner != null && frame.GetFileLineNumber() > 0)
                {
                    return frame.GetFileLineNumber();
                }
            }
            return 0;
        }

        /// Finalizers run and threads that tests left behind have a moment: what they break, they break here.
        static void Settle(int milliseconds)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            Thread.Sleep(milliseconds);
        }
    }
}
