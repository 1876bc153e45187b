using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>What the primary knows about one backup, or about the target of a copy. Used under the shard's
/// lock.</summary>
/// <param name="slot">The member.</param>
internal sealed class Follower(NodeSlot slot)
{
    public NodeSlot Slot { get; } = slot;

    /// <summary>Up to this entry, the member's log is that of the primary.</summary>
    public EntryId Acked { get; set; }

    /// <summary>Whether the member has acknowledged anything to this primary.</summary>
    public bool HasAcked { get; set; }

    /// <summary>The epoch of the newest acknowledgement. A target that missed an epoch begins its copy again, so its
    /// older acknowledgements say nothing.</summary>
    public long AckedEpoch { get; set; }

    /// <summary>The last entry that was sent.</summary>
    public EntryId Sent { get; set; }

    /// <summary>The newest commit that was sent.</summary>
    public EntryId SentCommit { get; set; }

    /// <summary>Since when an entry has waited for this member without progress; null: none waits.</summary>
    public long? WaitingSince { get; set; }

    /// <summary>Whether the member has refused entries for lack of room.</summary>
    public bool IsFull { get; set; }

    /// <summary>Whether the member is in the queue of its link.</summary>
    public bool IsQueued { get; set; }

    /// <summary>The number of the scan that the member got its records from; zero: it had them before.</summary>
    public long Scan { get; init; }

    /// <summary>The member's number of the copy that it gets; zero: it gets none.</summary>
    public long Copy { get; init; }

    /// <summary>Whether the member has all records of the scan.</summary>
    public bool IsCopied { get; set; } = true;

    /// <summary>Whether the first chunk of the scan has arrived, so that the member can take entries.</summary>
    public bool TakesEntries { get; set; } = true;

    /// <summary>From here the log goes on for this member.</summary>
    public EntryId Base(EntryId start) => HasAcked ? Acked : EntryId.Max(start, Acked);
}
