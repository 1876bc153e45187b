using System.Runtime.ExceptionServices;
using System.Runtime.Serialization;
using Cluster.Slim.Errors;
using Cluster.Slim.Graph;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Codecs.Callbacks;

/// <summary>The callbacks that a user's type declares: methods with attributes, those of the base class first, and the
/// interfaces <c>IDeserializationCallback</c> and <c>IObjectReference</c>. Errors of the user's code become exceptions
/// of Slim. Immutable.</summary>
internal sealed class TypeCallbacks : IGraphListener
{
    // A real object may stand for another object again. The formatters had the same limit.
    private const int ReferenceStepsMax = 100;

    private static readonly object[] Arguments = [FormatterInterfaces.Context];

    private readonly MethodInfo[] _serializing;
    private readonly MethodInfo[] _serialized;
    private readonly MethodInfo[] _deserializing;
    private readonly MethodInfo[] _deserialized;
    private readonly bool _isNotified;

    private TypeCallbacks(Type type)
    {
        _serializing = CallbackMethods.MarkedBy(type, typeof(OnSerializingAttribute));
        _serialized = CallbackMethods.MarkedBy(type, typeof(OnSerializedAttribute));
        _deserializing = CallbackMethods.MarkedBy(type, typeof(OnDeserializingAttribute));
        _deserialized = CallbackMethods.MarkedBy(type, typeof(OnDeserializedAttribute));
        _isNotified = CallbackMethods.IsNotified(type);
        IsReference = FormatterInterfaces.IsReference(type);
    }

    /// <summary>Whether objects of the type stand for other objects.</summary>
    public bool IsReference { get; }

    /// <summary>The greatest number of calls of the type's code while one object is read.</summary>
    public int ReadRunCount =>
        _deserializing.Length + _deserialized.Length + 1 + (IsReference ? ReferenceStepsMax : 0);

    /// <summary>Whether the writer must call the object when the message is written.</summary>
    public bool EndsWriting => _serialized.Length > 0;

    /// <summary>Whether the reader must call the object when the graph is complete.</summary>
    public bool EndsReading => _isNotified || _deserialized.Length > 0;

    /// <summary>The callbacks of the type, or null when it has none.</summary>
    public static TypeCallbacks? Find(Type type) => CallbackMethods.ArePresent(type) ? new TypeCallbacks(type) : null;

    public void RunSerializing(SlimWriter writer, object value) => Run(_serializing, writer, value);

    public void RunSerialized(SlimWriter writer, object value) => Run(_serialized, writer, value);

    public void RunDeserializing(SlimReader reader, object instance) => Run(_deserializing, reader, instance);

    public void RunDeserialized(SlimReader reader, object instance) => Run(_deserialized, reader, instance);

    public void RunNotification(SlimReader reader, object instance)
    {
        if (!_isNotified)
            return;
        reader.Completions.CountCallback(reader);
        Guard(nameof(IDeserializationCallback.OnDeserialization), instance, static i =>
        {
            ((IDeserializationCallback)i).OnDeserialization(null);
            return i;
        });
    }

    /// <summary>Returns the object for which the given object stands; the given object itself if it stands for no
    /// other.</summary>
    public object RealObjectOf(SlimReader reader, object instance)
    {
        if (!IsReference)
            return instance;
        var current = instance;
        for (var i = 0; i < ReferenceStepsMax; i++)
        {
            reader.Completions.CountCallback(reader);
            var next = Guard("GetRealObject", current, FormatterInterfaces.RealObjectOf);
            if (next is null)
                Throw.Malformed($"GetRealObject of {current.GetType()} returned null.");
            if (ReferenceEquals(next, current) || !FormatterInterfaces.IsReference(next!.GetType())
                || (next is ValueType && next.GetType() == current.GetType()))
                return next!;
            current = next;
        }

        Throw.Malformed($"A {instance.GetType()} stands for another object more than {ReferenceStepsMax} times over.");
        return current;
    }

    // A write that failed is repeated with a trace, to find the member. A callback of a class has run already then and
    // must not run twice on the same object. A callback of a struct runs on a copy, so it may.
    private static void Run(MethodInfo[] methods, SlimWriter writer, object value)
    {
        if (methods.Length == 0)
            return;
        if (writer.Trace is { } trace && value is not ValueType)
        {
            if (trace.Failure is { } failure && ReferenceEquals(failure.Culprit, value))
                ExceptionDispatchInfo.Throw(failure);
            return;
        }

        foreach (var method in methods)
        {
            writer.Callbacks.Count(writer);
            try
            {
                method.Invoke(value, BindingFlags.DoNotWrapExceptions, null, Arguments, null);
            }
            catch (Exception e) when (e is not SlimException and not OutOfMemoryException)
            {
                throw Throw.CodeFailed(value, $"its {method.Name} failed.", e);
            }
        }
    }

    private static void Run(MethodInfo[] methods, SlimReader reader, object instance)
    {
        foreach (var method in methods)
        {
            reader.Completions.CountCallback(reader);
            Guard(method.Name, instance, i =>
                method.Invoke(i, BindingFlags.DoNotWrapExceptions, null, Arguments, null));
        }
    }

    private static object? Guard(string name, object instance, Func<object, object?> call)
    {
        try
        {
            return call(instance);
        }
        catch (Exception e) when (e is not SlimException and not OutOfMemoryException)
        {
            throw Throw.Failed($"{name} of {instance.GetType()} failed.", e);
        }
    }
}
