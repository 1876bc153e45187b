using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Graph;

/// <summary>The objects whose head is being written. No place can refer to them before it is complete, because the
/// reader has not created them yet. Owned by one writer; bounded by the depth limit of heads.</summary>
internal sealed class OpenHeads
{
    private readonly List<object> _values = [];

    public void Write(SlimWriter writer, TypeSerializer serializer, object value, int depth)
    {
        if (depth > ObjectTags.HeadDepthMax)
            ObjectTags.ThrowTooDeep(serializer.Type);
        if (!serializer.HeadHasReferences)
        {
            serializer.WriteHead(writer, value);
            return;
        }

        _values.Add(value);
        serializer.WriteHead(writer, value);
        _values.RemoveAt(_values.Count - 1);
    }

    /// <summary>Refuses a reference to an object whose head is open.</summary>
    public void Check(int handle, object value)
    {
        if (_values.Count > 0)
            CheckEach(handle, value);
    }

    public void Clear()
    {
        if (_values.Count > 0)
            _values.Clear();
    }

    private void CheckEach(int handle, object value)
    {
        foreach (var open in _values)
        {
            if (ReferenceEquals(open, value))
                throw Throw.NotSupported(value.GetType(), $"it contains itself (object {handle}) and is immutable.");
        }
    }

    /// <summary>Writes an object whose type is not plain, or whose head is deep.</summary>
    public void WriteSpecial(SlimWriter writer, TypeSerializer serializer, object value)
    {
        var depth = ++writer.Depth;
        if (serializer.HeadHasReferences || !serializer.HasBody)
            Write(writer, serializer, value, depth);
        else
            serializer.WriteHead(writer, value);
        if (serializer.HasBody)
        {
            if (depth > ObjectTags.DepthMax)
                writer.Deferred.WriteOrAdd(writer, serializer, value, depth);
            else
                serializer.WriteBody(writer, value);
        }

        writer.Depth = depth - 1;
    }
}
