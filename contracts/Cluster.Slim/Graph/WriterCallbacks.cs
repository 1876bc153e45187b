using System.Runtime.Serialization;
using Cluster.Slim.Errors;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Graph;

/// <summary>Holds what callbacks still need while a message is written: contents of objects between head and body, and
/// the objects to call when the message is complete. Owned by one writer.</summary>
internal sealed class WriterCallbacks
{
    private readonly Dictionary<object, SerializationInfo> _contents = new(ReferenceEqualityComparer.Instance);
    private readonly List<(IGraphListener Callbacks, object Value)> _written = [];
    private int _count;

    /// <summary>Knows which entries of exception data can be carried; null before the first exception with
    /// data.</summary>
    public IExceptionTrial? Trial { get; set; }

    public void Count(SlimWriter writer)
    {
        var countMax = writer.Limits.MaxCallbackCount;
        if (++_count > countMax)
            Throw.Limit(nameof(SlimLimits.MaxCallbackCount), countMax, _count);
    }

    /// <summary>Keeps the content of an object between its head and its body.</summary>
    public void Keep(object value, SerializationInfo content) => _contents[value] = content;

    public SerializationInfo ContentOf(object value) => _contents[value];

    public SerializationInfo Take(object value)
    {
        var content = _contents[value];
        _contents.Remove(value);
        return content;
    }

    /// <summary>Registers the object, if its type has code to run when the message is complete.</summary>
    public void AddWritten(IGraphListener callbacks, object value)
    {
        if (callbacks.EndsWriting)
            _written.Add((callbacks, value));
    }

    /// <summary>Calls the registered objects when the message is complete, in the order in which they were
    /// written.</summary>
    public void RunSerialized(SlimWriter writer)
    {
        foreach ((var callbacks, var value) in _written)
            callbacks.RunSerialized(writer, value);
    }

    public void Clear()
    {
        _contents.Clear();
        _written.Clear();
        _count = 0;
        Trial = null;
    }
}
