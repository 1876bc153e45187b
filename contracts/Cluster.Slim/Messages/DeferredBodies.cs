using Cluster.Slim.Layouts;

namespace Cluster.Slim.Messages;

/// <summary>The objects whose bodies are deferred because they lie deeper than the recursion limit, first in first out,
/// and the read objects whose finalizers are suspended. Owned by one writer or reader; bounded by the objects of the
/// message.</summary>
internal sealed class DeferredBodies
{
    private const int RetainedCount = 1024;

    private readonly Queue<(TypeSerializer Serializer, object Instance)> _bodies = new();
    private readonly List<object> _suspended = [];

    /// <summary>Whether bodies are deferred.</summary>
    public bool HasBodies => _bodies.Count > 0;

    /// <summary>The number of bodies that were deferred so far, also of those that were processed since.</summary>
    public int AddedCount { get; private set; }

    public void Add(TypeSerializer serializer, object instance)
    {
        AddedCount++;
        _bodies.Enqueue((serializer, instance));
    }

    /// <summary>Defers a deep body, unless it must follow its head.</summary>
    public void WriteOrAdd(SlimWriter writer, TypeSerializer serializer, object value, int depth)
    {
        if (!serializer.IsWrittenWhole(writer, value))
        {
            Add(serializer, value);
            return;
        }

        if (depth > ObjectTags.HeadDepthMax)
            ObjectTags.ThrowTooDeep(serializer.Type);
        serializer.WriteBody(writer, value);
    }

    /// <summary>Writes the deferred bodies, and those that are deferred during that.</summary>
    public void WriteAll(SlimWriter writer)
    {
        while (TryTake(out var serializer, out var instance))
        {
            writer.Depth = 1;
            serializer.WriteBody(writer, instance);
        }

        writer.Depth = 0;
    }

    /// <summary>Keeps the finalizer of an object from running before the graph is accepted.</summary>
    [SuppressMessage("Usage", "CA1816", Justification = "Suspends the finalizers of a message that may be refused.")]
    public void Suspend(object instance)
    {
        GC.SuppressFinalize(instance);
        _suspended.Add(instance);
    }

    /// <summary>Lets finalizers run again, because the message is accepted.</summary>
    public void Accept()
    {
        foreach (var instance in _suspended)
            GC.ReRegisterForFinalize(instance);
        _suspended.Clear();
    }

    public bool TryTake(out TypeSerializer serializer, out object instance)
    {
        if (_bodies.TryDequeue(out var next))
        {
            (serializer, instance) = next;
            return true;
        }

        serializer = null!;
        instance = null!;
        return false;
    }

    public void Clear()
    {
        if (_bodies.Count > 0)
            _bodies.Clear();
        if (_suspended.Count > 0)
            _suspended.Clear();
        AddedCount = 0;
        if (_bodies.Capacity > RetainedCount)
            _bodies.TrimExcess();
    }
}
