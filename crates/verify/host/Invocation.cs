// Calls a test and waits for it.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;

namespace Cilantro.Verify.Running
{
    static class Invocation
    {
        /// What the method throws comes out as it is.
        public static object Call(MethodInfo method, object instance, params object[] arguments)
        {
            object target = method.IsStatic ? null : instance;
            if (method.ReturnType == typeof(void) && IsAsync(method))
            {
                CallAsyncVoid(method, target, Fitted(method, arguments));
                return null;
            }
            return Awaited(Plain(method, target, Fitted(method, arguments)));
        }

        public static object Create(Type type, params object[] arguments) =>
            Activator.CreateInstance(type, BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DoNotWrapExceptions, null, arguments, CultureInfo.InvariantCulture);

        static object Plain(MethodInfo method, object target, object[] arguments) =>
            method.Invoke(target, BindingFlags.DoNotWrapExceptions, null, arguments, CultureInfo.InvariantCulture);

        static bool IsAsync(MethodInfo method) =>
            method.IsDefined(typeof(System.Runtime.CompilerServices.AsyncStateMachineAttribute), false);

        /// Anything that can be awaited is.
        public static object Awaited(object result)
        {
            switch (result)
            {
                case null:
                    return null;
                case Task task:
                    task.GetAwaiter().GetResult();
                    return ResultOf(task);
            }
            MethodInfo asTask = result.GetType().GetMethod("AsTask", Type.EmptyTypes);
            bool isValueTask = result.GetType().FullName.StartsWith("System.Threading.Tasks.ValueTask", StringComparison.Ordinal);
            return isValueTask && asTask != null ? Awaited(asTask.Invoke(result, null)) : result;
        }

        static object ResultOf(Task task)
        {
            for (Type type = task.GetType(); type != null; type = type.BaseType)
            {
                if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Task<>))
                {
                    object result = type.GetProperty("Result").GetValue(task);
                    return type.GetGenericArguments()[0].FullName == "System.Threading.Tasks.VoidTaskResult" ? null : result;
                }
            }
            return null;
        }

        static void CallAsyncVoid(MethodInfo method, object target, object[] arguments)
        {
            var waiting = new AsyncVoidContext();
            SynchronizationContext before = SynchronizationContext.Current;
            SynchronizationContext.SetSynchronizationContext(waiting);
            try
            {
                Plain(method, target, arguments);
                waiting.Wait();
            }
            finally
            {
                SynchronizationContext.SetSynchronizationContext(before);
            }
        }

        /// Counts the parts of `async void` methods that are under way.
        sealed class AsyncVoidContext : SynchronizationContext
        {
            readonly ManualResetEventSlim finished = new ManualResetEventSlim();
            int underWay;
            Exception thrown;

            public override void OperationStarted() => Interlocked.Increment(ref underWay);

            public override void OperationCompleted()
            {
                if (Interlocked.Decrement(ref underWay) == 0)
                {
                    finished.Set();
                }
            }

            public override void Post(SendOrPostCallback callback, object state) => ThreadPool.QueueUserWorkItem(_ => Send(callback, state));

            public override void Send(SendOrPostCallback callback, object state)
            {
                try
                {
                    callback(state);
                }
                catch (Exception e)
                {
                    thrown = e;
                }
            }

            public void Wait()
            {
                finished.Wait();
                // What it throws is posted before it counts as completed, but on another thread.
                for (int i = 0; i < 20 && thrown == null; i++)
                {
                    Thread.Sleep(1);
                }
                if (thrown != null)
                {
                    System.Runtime.ExceptionServices.ExceptionDispatchInfo.Capture(thrown).Throw();
                }
            }
        }

        /// A generic test with the types of its arguments.
        public static MethodInfo Close(MethodInfo method, object[] arguments)
        {
            if (!method.IsGenericMethodDefinition)
            {
                return method;
            }
            ParameterInfo[] parameters = method.GetParameters();
            Type[] types = method.GetGenericArguments().Select(parameter =>
            {
                int at = Array.FindIndex(parameters, p => p.ParameterType == parameter);
                object value = at >= 0 && at < arguments.Length ? arguments[at] : null;
                return value?.GetType() ?? typeof(object);
            }).ToArray();
            return method.MakeGenericMethod(types);
        }

        static object[] Fitted(MethodInfo method, object[] given)
        {
            ParameterInfo[] parameters = method.GetParameters();
            var fitted = new List<object>();
            for (int i = 0; i < parameters.Length; i++)
            {
                Type type = parameters[i].ParameterType;
                bool isParams = parameters[i].IsDefined(typeof(ParamArrayAttribute), false);
                bool isArray = given.Length == parameters.Length && (given[i] == null || type.IsInstanceOfType(given[i]));
                if (isParams && !isArray)
                {
                    fitted.Add(Rest(type.GetElementType(), given.Skip(i).ToArray()));
                }
                else if (i < given.Length)
                {
                    fitted.Add(Converted(given[i], type));
                }
                else if (parameters[i].IsOptional)
                {
                    fitted.Add(parameters[i].HasDefaultValue ? parameters[i].DefaultValue : Type.Missing);
                }
            }
            return given.Length > parameters.Length && fitted.Count == parameters.Length && !parameters.Any(p => p.IsDefined(typeof(ParamArrayAttribute), false))
                ? throw new TargetParameterCountException("There are more arguments than parameters.")
                : fitted.ToArray();
        }

        static Array Rest(Type element, object[] given)
        {
            Array array = Array.CreateInstance(element, given.Length);
            for (int i = 0; i < given.Length; i++)
            {
                array.SetValue(Converted(given[i], element), i);
            }
            return array;
        }

        /// Attributes cannot hold everything: `[TestCase(1)]` for a decimal, a text for a date.
        public static object Converted(object value, Type type)
        {
            type = Nullable.GetUnderlyingType(type) ?? type;
            if (value == null || type.IsInstanceOfType(value) || type.IsByRef || type.ContainsGenericParameters)
            {
                return value;
            }
            if (type.IsEnum)
            {
                return value is string name ? Enum.Parse(type, name) : Enum.ToObject(type, value);
            }
            if (value is string text && !type.IsPrimitive && type != typeof(decimal))
            {
                System.ComponentModel.TypeConverter converter = System.ComponentModel.TypeDescriptor.GetConverter(type);
                return converter.CanConvertFrom(typeof(string)) ? converter.ConvertFromInvariantString(text) : value;
            }
            bool simple = type.IsPrimitive || type == typeof(decimal) || type == typeof(DateTime);
            return simple && value is IConvertible ? Convert.ChangeType(value, type, CultureInfo.InvariantCulture) : value;
        }
    }
}
