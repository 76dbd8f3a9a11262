// Runs this assembly's tests with NUnit's own runner.
using System;
using System.Collections.Generic;
using System.Reflection;
using NUnit.Framework.Api;
using NUnit.Framework.Interfaces;
using NUnit.Framework.Internal;

static class NUnitRunner
{
    static int Main()
    {
        var runner = new NUnitTestAssemblyRunner(new DefaultTestAssemblyBuilder());
        runner.Load(Assembly.GetExecutingAssembly(), new Dictionary<string, object>());
        ITestResult result = runner.Run(TestListener.NULL, TestFilter.Empty);
        Show(result);
        Console.WriteLine($"{result.PassCount} passed, {result.FailCount} failed");
        return result.FailCount == 0 ? 0 : 1;
    }

    static void Show(ITestResult result)
    {
        if (!result.HasChildren && result.ResultState.Status == TestStatus.Failed) Console.WriteLine(result.FullName + ": " + result.Message);
        foreach (ITestResult child in result.Children) Show(child);
    }
}
