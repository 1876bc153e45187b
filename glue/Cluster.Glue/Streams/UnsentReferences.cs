using Cluster.Glue.References;

namespace Cluster.Glue.Streams;

/// <summary>The references of items that were written and wait to be sent. The peer gives back those of items that it
/// has whole; the others are taken back here when the stream is stopped. Used by the producer of the stream
/// alone.</summary>
internal sealed class UnsentReferences
{
    private readonly Queue<(OutgoingReferences References, int End)> _items = new();

    // What has been sent and removed from the buffer, to whose bytes the ends refer.
    private int _removed;

    /// <summary>An item is written that ends at this place of the buffer.</summary>
    public void Add(OutgoingReferences references, int end) => _items.Enqueue((references, unchecked(_removed + end)));

    /// <summary>The first bytes of the buffer are sent, and are removed from it.</summary>
    public void NoteSent(int bytes)
    {
        _removed = unchecked(_removed + bytes);
        while (_items.TryPeek(out var item) && unchecked(item.End - _removed) <= 0)
            _items.Dequeue().References.NoteSent();
    }

    /// <summary>Nothing more is sent.</summary>
    public void Unbind()
    {
        while (_items.TryDequeue(out var item))
            item.References.Unbind();
    }
}
