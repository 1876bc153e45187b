using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Restoring;

/// <summary>Reads the content of a partition for a snapshot, a part at a time, while the partition goes on. The answers
/// to requests come last: a request whose effect is in the snapshot must not run again after a restoration. Used under
/// the shard's lock.</summary>
internal sealed class SnapshotScan
{
    private readonly Replica _replica;
    private readonly IRecords _records;
    private readonly ScanCursor _cursor = new();
    private readonly long _content;

    private SnapshotScan(Replica replica, IRecords records)
    {
        (_replica, _records) = (replica, records);
        (First, _content) = (replica.Committed, replica.ContentNumber);
    }

    /// <summary>Up to this entry, the snapshot will have everything.</summary>
    public EntryId First { get; }

    /// <summary>Whether the node still has the content that the scan began with.</summary>
    public bool IsValid => CanBegin(_replica) && _replica.ContentNumber == _content;

    /// <summary>Begins a scan.</summary>
    /// <returns>Null: the node does not have all that is committed of the partition.</returns>
    public static SnapshotScan? Begin(Replica replica, IRecords records) =>
        CanBegin(replica) ? new SnapshotScan(replica, records) : null;

    /// <summary>Adds the next records to a list.</summary>
    /// <returns>False when there are no more.</returns>
    public bool Next(int bytesMax, List<RecordImage> into) => _records.Scan(_replica.Id, _cursor, bytesMax, into);

    /// <summary>Ends the scan.</summary>
    /// <param name="now">The moment.</param>
    /// <param name="requests">The answered requests.</param>
    public SnapshotMark End(Moment now, out ImmutableArray<RequestImage> requests)
    {
        requests = _replica.Requests.ToImages();
        return new SnapshotMark(First, _replica.Committed, _replica.Clock.At(now.Ticks));
    }

    // A partition that is being restored has only a part of its content.
    private static bool CanBegin(Replica replica) =>
        replica.Phase is Phase.InSync or Phase.Serving or Phase.Sealed
        || replica is { Phase: Phase.Promoting, Restoration: not { IsLoading: true } };
}
