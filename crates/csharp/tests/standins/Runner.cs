// Runs every method that carries the attribute of one of the stand-in frameworks.
using System;
using System.Linq;
using System.Reflection;

static class Runner
{
    static int Main()
    {
        int passed = 0, failed = 0;
        foreach (Type type in Assembly.GetExecutingAssembly().GetTypes())
        {
            foreach (MethodInfo method in type.GetMethods())
            {
                if (!method.GetCustomAttributes().Any(a => a.GetType().Name is "FactAttribute" or "TheoryAttribute" or "TestMethodAttribute" or "DataTestMethodAttribute")) continue;
                foreach (object[] row in Rows(method))
                {
                    try
                    {
                        method.Invoke(Activator.CreateInstance(type), row);
                        passed++;
                    }
                    catch (TargetInvocationException e)
                    {
                        failed++;
                        Console.WriteLine(type.FullName + "." + method.Name + ": " + e.InnerException.Message);
                    }
                }
            }
        }
        Console.WriteLine($"{passed} passed, {failed} failed");
        return failed == 0 ? 0 : 1;
    }

    /// The values of its attributes, or none at all.
    static object[][] Rows(MethodInfo method)
    {
        if (method.GetParameters().Length == 0) return new[] { new object[0] };
        return method.GetCustomAttributes().Select(a => a.GetType().GetProperty("Data")?.GetValue(a)).OfType<object[]>().ToArray();
    }
}
