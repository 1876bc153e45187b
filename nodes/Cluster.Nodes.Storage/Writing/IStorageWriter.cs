namespace Cluster.Nodes.Storage.Writing;

/// <summary>Stores what a node has in memory. Each node with a stored state offers it to the others; the names are part
/// of the wire.</summary>
public interface IStorageWriter
{
    /// <summary>Stores a key now. The answer comes when the storage has the revision, or when an attempt has
    /// failed.</summary>
    /// <param name="request">The key, and the revision to reach.</param>
    /// <param name="cancellationToken">Ends the wait; the key is stored nevertheless.</param>
    ValueTask<FlushReply> FlushAsync(FlushRequest request, CancellationToken cancellationToken);

    /// <summary>Notes that a key has to be stored soon. The answer comes when it is noted.</summary>
    /// <param name="request">The key.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<FlushReply> NoteAsync(FlushRequest request, CancellationToken cancellationToken);
}
