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
        readonly Outside outside;
        readonly Statics statics;
        /// The static fields that the case speaks of afterwards.
        readonly List<object> staticsAfter;
        readonly Consumption consumption;
        readonly Subject subject;

        /// Tries the ways that the case offers for its objects until one makes all of them as they should be.
        public static Call Prepare(Subject subject, Dictionary<string, object> one, Ways ways)
        {
            var outside = new Outside(subject, one);
            try
            {
                while (true)
                {
                    try
                    {
                        // What an attempt does that fails is no part of the test.
                        if (Probes.AreOn) Probes.Clear();
                        return new Call(subject, one, ways, outside);
                    }
                    catch (WrongWay e)
                    {
                        if (!ways.Next(e.Id)) throw new CannotRun(e.Message);
                    }
                }
            }
            catch
            {
                outside.PutBack();
                throw;
            }
        }

        Call(Subject subject, Dictionary<string, object> one, Ways ways, Outside outside)
        {
            this.subject = subject;
            this.outside = outside;
            method = subject.FindMethod((Dictionary<string, object>)one["method"]);
            parameters = method.GetParameters();
            CheckCallable();
            statics = new Statics(subject, Json.List(one, "statics"));
            heap = new Heap(subject, Json.List(one, "objects"), ways);
            if (one.TryGetValue("this", out object value) && value != null)
            {
                receiver = heap.Build(method.DeclaringType, (Dictionary<string, object>)value);
            }
            if (receiver == null && !method.IsStatic && !method.IsConstructor) throw new CannotRun("the case has no receiver");
            List<object> values = Json.List(one, "arguments");
            if (values.Count != parameters.Length) throw new CannotRun("the method takes " + parameters.Length + " arguments, the case has " + values.Count);
            arguments = parameters.Select((p, i) => heap.Build(Location(p.ParameterType), (Dictionary<string, object>)values[i])).ToArray();
            statics.Build(heap, Json.List(one, "statics"));
            heap.Complete();
            consumption = Consumption.Of(one);
            staticsAfter = one.TryGetValue("expect", out object expect) && ((Dictionary<string, object>)expect).TryGetValue("after", out object after)
                ? Json.List((Dictionary<string, object>)after, "statics") : new List<object>();
        }

        public Dictionary<string, object> Run()
        {
            try
            {
                statics.Set();
                return RunOnce();
            }
            finally
            {
                statics.PutBack();
                outside.PutBack();
            }
        }

        Dictionary<string, object> RunOnce()
        {
            var observed = new Dictionary<string, object>();
            object result = null;
            Exception thrown = null;
            try
            {
                result = Invoke();
                if (consumption != null) result = consumption.Use(result, ((MethodInfo)method).ReturnType);
            }
            catch (Exception e) when (!(e is CannotRun))
            {
                thrown = e;
            }
            heap.End();
            // Reading happens outside: an exception of ours must not be taken for one of the method.
            Describe(observed, result, thrown);
            return observed;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        object Invoke()
        {
            bool spans = parameters.Any(p => SpanStub.IsSpan(Location(p.ParameterType))) || (method is MethodInfo info && SpanStub.IsSpan(info.ReturnType));
            if (spans) return Emitted.Invoke(method, receiver, arguments);
            if (IsInitializer)
            {
                RuntimeHelpers.RunClassConstructor(method.DeclaringType.TypeHandle);
                return null;
            }
            return method is ConstructorInfo constructor
                ? constructor.Invoke(BindingFlags.DoNotWrapExceptions, null, arguments, CultureInfo.InvariantCulture)
                : method.Invoke(receiver, BindingFlags.DoNotWrapExceptions, null, arguments, CultureInfo.InvariantCulture);
        }

        /// A static constructor is called by the runtime only, once.
        bool IsInitializer => method is ConstructorInfo && method.IsStatic;

        void CheckCallable()
        {
            string name = method.DeclaringType + "." + method.Name;
            if (method.ContainsGenericParameters) throw new CannotRun(name + " has open type parameters");
            if ((method.CallingConvention & CallingConventions.VarArgs) == CallingConventions.VarArgs) throw new CannotRun(name + " takes variable arguments");
            foreach (ParameterInfo p in parameters) CheckLocation(p.ParameterType, "the parameter " + p.Name);
            if (method is MethodInfo info) CheckLocation(info.ReturnType, "the result");
            if (!method.IsStatic && method.DeclaringType.IsByRefLike) throw new CannotRun("the receiver lives only on the stack");
        }

        static void CheckLocation(Type type, string what)
        {
            Type inner = Location(type);
            if (SpanStub.IsSpan(type)) return;
            if (inner.IsPointer) throw new CannotRun(what + " is a pointer");
            if (inner.IsByRefLike || inner == typeof(TypedReference)) throw new CannotRun(what + " is a " + TypeName.Of(inner) + ", which lives only on the stack");
        }

        void Describe(Dictionary<string, object> observed, object result, Exception thrown)
        {
            if (thrown != null) observed["throws"] = DescribeException(thrown);
            else if (Outcome() is Type outcome && outcome != typeof(void)) observed["returns"] = heap.Read(outcome, result);
            else observed["void"] = true;

            var after = new Dictionary<string, object>();
            object self = method.IsConstructor ? result : receiver;
            if (!method.IsStatic && self != null) after["this"] = heap.Read(method.DeclaringType, self);
            // Reflection copies by-ref arguments back only when the method returns.
            if (thrown == null) after["arguments"] = ReadArguments();
            after["statics"] = ReadStatics();
            heap.ReadBuilt();
            after["objects"] = heap.ReadObjects();
            observed["after"] = after;
        }

        /// The type of what comes of the call.
        Type Outcome()
        {
            if (!(method is MethodInfo info)) return typeof(void);
            return consumption == null ? Location(info.ReturnType) : consumption.Outcome(info.ReturnType);
        }

        List<object> ReadStatics()
        {
            var read = new List<object>();
            foreach (Dictionary<string, object> one in staticsAfter)
            {
                FieldInfo field = Statics.Find(subject, one);
                if (field == null) continue;
                read.Add(new Dictionary<string, object> { ["declaring"] = one["declaring"], ["name"] = one["name"], ["value"] = heap.Read(field.FieldType, field.GetValue(null)) });
            }
            return read;
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
