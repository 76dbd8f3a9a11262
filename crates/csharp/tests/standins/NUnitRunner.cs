// Runs this assembly's tests with NUnit's own runner, with an argument twice in this process.
using System;
using System.Collections.Generic;
using System.Reflection;
using NUnit.Framework.Api;
using NUnit.Framework.Interfaces;
using NUnit.Framework.Internal;

static class NUnitRunner
{
    static int Main(string[] arguments)
    {
        if (arguments.Length > 0) Run();
        ITestResult result = Run();
        Show(result);
        Console.WriteLine($"{result.PassCount} passed, {result.FailCount} failed");
        return result.FailCount == 0 ? 0 : 1;
    }

    static ITestResult Run()
    {
        var runner = new NUnitTestAssemblyRunner(new DefaultTestAssemblyBuilder());
        runner.Load(Assembly.GetExecutingAssembly(), new Dictionary<string, object>());
        return runner.Run(TestListener.NULL, TestFilter.Empty);
    }

    static void Show(ITestResult result)
    {
        if (!result.HasChildren && result.ResultState.Status == TestStatus.Failed) Console.WriteLine(result.FullName + ": " + result.Message);
        foreach (ITestResult child in result.Children) Show(child);
    }
}
