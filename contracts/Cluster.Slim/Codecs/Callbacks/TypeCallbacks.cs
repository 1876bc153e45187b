using System.Runtime.ExceptionServices;
using System.Runtime.Serialization;
using Cluster.Slim.Errors;
using Cluster.Slim.Graph;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Codecs.Callbacks;

/// <summary>The callbacks that a user's type declares: marked methods, base class first, and the two interfaces.
/// Failures of the user's code become exceptions of ours. Immutable.</summary>
internal sealed class TypeCallbacks : IGraphListener
{
    // A real object may again stand for another one; the formatters stopped here, too.
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

    /// <summary>Whether objects of the type stand for others.</summary>
    public bool IsReference { get; }

    /// <summary>How often code of the type runs at most while one object of it is read.</summary>
    public int ReadRunCount =>
        _deserializing.Length + _deserialized.Length + 1 + (IsReference ? ReferenceStepsMax : 0);

    /// <summary>Whether something has to be called when the message has been written.</summary>
    public bool EndsWriting => _serialized.Length > 0;

    /// <summary>Whether something has to be called when the graph is complete.</summary>
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

    /// <summary>The object that the given one stands for; itself, if it stands for itself.</summary>
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

    // Failing calls are repeated to find out where they failed. A callback has run then and does not run again on the
    // same object; that of a struct runs on a copy.
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
