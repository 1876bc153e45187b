using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Protocol.Frames;

namespace Cluster.StateStore.Hosting.Layouts;

/// <summary>The layout descriptions that a node keeps: one book for each state, also for states that only other nodes
/// have. Every value that a node holds can be read with these descriptions, however long the process is gone that has
/// written it. Thread-safe; the lock orders what is added.</summary>
internal sealed class LayoutShelf
{
    private readonly StateCatalog _catalog;
    private readonly Guid _clusterId;
    private readonly Lock _adding = new();
    private volatile (uint State, LayoutBook Book)[] _books;
    private long _dropped;

    /// <summary>Makes the shelf of a node.</summary>
    /// <param name="catalog">The states of the node.</param>
    /// <param name="clusterId">The identity of its cluster.</param>
    public LayoutShelf(StateCatalog catalog, Guid clusterId)
    {
        (_catalog, _clusterId) = (catalog, clusterId);
        _books = [.. catalog.Definitions.Select(state => (state.Id, state.Layouts))];
    }

    /// <summary>The books. A book keeps its place; new ones come at the end.</summary>
    public (uint State, LayoutBook Book)[] Books => _books;

    /// <summary>Descriptions of other nodes that were no descriptions, or for which there was no room.</summary>
    public long DroppedCount => Interlocked.Read(ref _dropped);

    /// <summary>Takes what another node tells. What does not fit is counted: the values must not wait.</summary>
    public void Take(IEnumerable<LayoutsPart> parts)
    {
        foreach (var part in parts)
        {
            var book = FindOrAdd(part.State);
            foreach (var description in part.Descriptions)
            {
                var isKept = LayoutCheck.FindMalformation(description) is null
                    && book?.TryAdd(description, LayoutLimits.OfNodes) == true;
                if (!isKept)
                    Interlocked.Increment(ref _dropped);
            }
        }
    }

    /// <summary>Takes what a caller tells, and answers what it asks.</summary>
    public LayoutReply Execute(LayoutRequest request)
    {
        if (request.FormatVersion != StateRequest.CurrentFormatVersion)
        {
            return Refuse($"message format {request.FormatVersion} was found, {StateRequest.CurrentFormatVersion} "
                + "expected; the nodes run different versions");
        }

        if (request.ClusterId != _clusterId)
            return Refuse($"the node belongs to cluster {_clusterId}, the request to cluster {request.ClusterId}");
        if (Find(request.StateId) is not { } book)
            return Refuse($"the state with id {request.StateId:x8} is not registered on this node");
        foreach (var description in request.Told)
        {
            if (LayoutCheck.FindMalformation(description) is { } malformation)
                return Refuse(malformation);
            if (!book.TryAdd(description, LayoutLimits.OfCallers))
            {
                return Refuse(
                    $"the node knows {book.All.Length} layouts of the values of this state, and keeps at most "
                    + $"{LayoutLimits.OfCallers.CountMax} with {LayoutLimits.OfCallers.BytesMax} bytes");
            }
        }

        if (request.Asked == 0)
            return new LayoutReply { Status = LayoutReplyStatus.Done };
        return book.Find(request.Asked) is { } found
            ? new LayoutReply { Status = LayoutReplyStatus.Done, Description = found }
            : new LayoutReply { Status = LayoutReplyStatus.NotKnown };
    }

    private static LayoutReply Refuse(string why) => new() { Status = LayoutReplyStatus.Refused, Message = why };

    private LayoutBook? Find(uint state)
    {
        if (_catalog.TryFind(state, out var ordinal))
            return _catalog[ordinal].Layouts;
        foreach (var (id, book) in _books)
        {
            if (id == state)
                return book;
        }

        return null;
    }

    private LayoutBook? FindOrAdd(uint state)
    {
        lock (_adding)
        {
            if (Find(state) is { } known)
                return known;
            if (_books.Length >= ClusterTable.MaxStates)
                return null;
            var book = new LayoutBook();
            _books = [.. _books, (state, book)];
            return book;
        }
    }
}
