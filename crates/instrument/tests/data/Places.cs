// Throws in many places and says where: the method, the offset of the throwing instruction and its line, if it is known.
using System;
using System.Diagnostics;

static class Places
{
    static int zero;

    static int Divide(int a)
    {
        int b = a + 1;
        if (b > 3)
        {
            b = b / zero;
        }
        else
        {
            b -= 2;
        }
        return b / (zero + zero);
    }

    static int Index(int[] items, int at)
    {
        int sum = 0;
        for (int i = 0; i < 3; i++)
        {
            sum += items[i];
            if (sum > 2)
                sum += items[at];
        }
        return sum;
    }

    static string Text(object value)
    {
        string text = (string)value;
        return text.Length > 2
            ? text.Substring(1)
            : text.Substring(5);
    }

    static int Nested(int n)
    {
        try
        {
            try
            {
                if (n == 0) throw new InvalidOperationException();
                Divide(n);
            }
            finally
            {
                if (n == 2) Text(null);
            }
        }
        catch (DivideByZeroException) when (n == 1 || n == 5)
        {
            Text("ab");
        }
        switch (n)
        {
            case 0: return 1;
            case 7: return Index(null, 1);
        }
        return -1;
    }

    static void Say(Action action)
    {
        try
        {
            action();
            Console.WriteLine("nothing");
        }
        catch (Exception e)
        {
            foreach (StackFrame frame in new StackTrace(e, true).GetFrames())
                if (frame.GetMethod().Module == typeof(Places).Module)
                    Console.WriteLine($"{frame.GetMethod().MetadataToken} {frame.GetILOffset()} {frame.GetFileLineNumber()}");
            Console.WriteLine(e.GetType());
        }
    }

    static void Main()
    {
        Say(() => Divide(1));
        Say(() => Divide(9));
        Say(() => Index(new[] { 1, 2, 3 }, 4));
        Say(() => Index(new[] { 1 }, 0));
        Say(() => Text(5));
        Say(() => Text("ab"));
        Say(() => Text(null));
        for (int n = 0; n < 9; n++)
        {
            int m = n;
            Say(() => Nested(m));
        }
    }
}
