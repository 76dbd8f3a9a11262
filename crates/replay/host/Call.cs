// One case: build, call, look.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Cilantro.Replay
{
    sealed class Call
    {
        readonly MethodBase method;
        readonly ParameterInfo[] parameters;
        readonly Heap heap;
        readonly object receiver;
        readonly object[] arguments;

        public Call(Subject subject, Dictionary<string, object> one)
        {
            method = subject.FindMethod((Dictionary<string, object>)one["method"]);
            parameters = method.GetParameters();
            CheckCallable();
            heap = new Heap(subject, Json.List(one, "objects"));
            if (one.TryGetValue("this", out object value) && value != null)
            {
                receiver = heap.Build(method.DeclaringType, (Dictionary<string, object>)value);
            }
            if (receiver == null && !method.IsStatic && !method.IsConstructor) throw new CannotRun("the case has no receiver");
            List<object> values = Json.List(one, "arguments");
            if (values.Count != parameters.Length) throw new CannotRun("the method takes " + parameters.Length + " arguments, the case has " + values.Count);
            arguments = parameters.Select((p, i) => heap.Build(Location(p.ParameterType), (Dictionary<string, object>)values[i])).ToArray();
        }

        public Dictionary<string, object> Run()
        {
            var observed = new Dictionary<string, object>();
            object result = null;
            Exception thrown = null;
            try
            {
                result = Invoke();
            }
            catch (Exception e)
            {
                thrown = e;
            }
            // Reading happens outside: an exception of ours must not be taken for one of the method.
            Describe(observed, result, thrown);
            return observed;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        object Invoke()
        {
            return method is ConstructorInfo constructor
                ? constructor.Invoke(BindingFlags.DoNotWrapExceptions, null, arguments, CultureInfo.InvariantCulture)
                : method.Invoke(receiver, BindingFlags.DoNotWrapExceptions, null, arguments, CultureInfo.InvariantCulture);
        }

        void CheckCallable()
        {
            string name = method.DeclaringType + "." + method.Name;
            if (method.IsConstructor && method.IsStatic) throw new CannotRun(name + ": a static constructor is called by the runtime only");
            if (method.ContainsGenericParameters) throw new CannotRun(name + " has open type parameters");
            if ((method.CallingConvention & CallingConventions.VarArgs) == CallingConventions.VarArgs) throw new CannotRun(name + " takes variable arguments");
            foreach (ParameterInfo p in parameters) CheckLocation(p.ParameterType, "the parameter " + p.Name);
            if (method is MethodInfo info) CheckLocation(info.ReturnType, "the result");
            if (!method.IsStatic && method.DeclaringType.IsByRefLike) throw new CannotRun("the receiver lives only on the stack");
        }

        static void CheckLocation(Type type, string what)
        {
            Type inner = Location(type);
            if (inner.IsPointer) throw new CannotRun(what + " is a pointer");
            if (inner.IsByRefLike || inner == typeof(TypedReference)) throw new CannotRun(what + " is a " + TypeName.Of(inner) + ", which lives only on the stack");
        }

        void Describe(Dictionary<string, object> observed, object result, Exception thrown)
        {
            if (thrown != null) observed["throws"] = DescribeException(thrown);
            else if (method is MethodInfo info && info.ReturnType != typeof(void)) observed["returns"] = heap.Read(Location(info.ReturnType), result);
            else observed["void"] = true;

            var after = new Dictionary<string, object>();
            object self = method.IsConstructor ? result : receiver;
            if (!method.IsStatic && self != null) after["this"] = heap.Read(method.DeclaringType, self);
            // Reflection copies by-ref arguments back only when the method returns.
            if (thrown == null) after["arguments"] = ReadArguments();
            heap.ReadBuilt();
            after["objects"] = heap.ReadObjects();
            observed["after"] = after;
        }

        List<object> ReadArguments()
        {
            var read = new List<object>();
            for (int i = 0; i < parameters.Length; i++)
            {
                Type type = parameters[i].ParameterType;
                if (type.IsByRef) read.Add(new Dictionary<string, object> { ["index"] = (long)i, ["value"] = heap.Read(Location(type), arguments[i]) });
            }
            return read;
        }

        Dictionary<string, object> DescribeException(Exception thrown)
        {
            var described = new Dictionary<string, object> { ["type"] = TypeName.Of(thrown.GetType()) };
            try
            {
                described["message"] = thrown.Message;
            }
            catch (Exception)
            {
                // A message of the user's own making may throw; the type is what counts.
            }
            if (Place(thrown) is Dictionary<string, object> place) described["at"] = place;
            return described;
        }

        /// Where the exception left the method under test: its outermost frame.
        Dictionary<string, object> Place(Exception thrown)
        {
            StackFrame frame = new StackTrace(thrown, true).GetFrames().LastOrDefault(f => IsUnderTest(f.GetMethod()));
            if (frame == null || frame.GetILOffset() == StackFrame.OFFSET_UNKNOWN) return null;
            var place = new Dictionary<string, object> { ["il_offset"] = (long)frame.GetILOffset() };
            if (frame.GetFileName() is string file)
            {
                place["file"] = file;
                place["line"] = (long)frame.GetFileLineNumber();
            }
            return place;
        }

        bool IsUnderTest(MethodBase other)
        {
            // The frames of reflection's own stubs belong to no type and have no token.
            return other?.DeclaringType != null && other.Module == method.Module && other.MetadataToken == method.MetadataToken;
        }

        static Type Location(Type type) => type.IsByRef ? type.GetElementType() : type;
    }
}
