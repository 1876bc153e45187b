using Cluster.Glue.References;

namespace Cluster.Glue.Streams;

/// <summary>The references in items that are written but not sent yet. The peer gives back the references of items that
/// it has received whole. When the stream is stopped, this side takes back all others. Used only by the producer of the
/// stream.</summary>
internal sealed class UnsentReferences
{
    private readonly Queue<(OutgoingReferences References, int End)> _items = new();

    // Bytes that were sent and removed from the buffer. The ends of items count from the first byte ever written.
    private int _removed;

    /// <summary>Adds the references of an item that ends at this offset of the buffer.</summary>
    public void Add(OutgoingReferences references, int end) => _items.Enqueue((references, unchecked(_removed + end)));

    /// <summary>Notes that the first bytes of the buffer are sent and are removed from it.</summary>
    public void NoteSent(int bytes)
    {
        _removed = unchecked(_removed + bytes);
        while (_items.TryPeek(out var item) && unchecked(item.End - _removed) <= 0)
            _items.Dequeue().References.NoteSent();
    }

    /// <summary>Takes back the references of the items that were not sent, because nothing more is sent.</summary>
    public void Unbind()
    {
        while (_items.TryDequeue(out var item))
            item.References.Unbind();
    }
}
