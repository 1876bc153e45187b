using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>The state of one partition on one node, without the rules. Used under the shard's lock.</summary>
/// <param name="id">The partition.</param>
/// <param name="memory">Where the log lies.</param>
internal sealed class Replica(PartitionId id, ShardLog memory)
{
    public PartitionId Id { get; } = id;

    public Phase Phase { get; set; }

    /// <summary>The entry that the store has confirmed.</summary>
    public PartitionEntry Entry { get; set; } = PartitionEntry.Unowned;

    /// <summary>The table from which the entry is.</summary>
    public long TableVersion { get; set; }

    /// <summary>When this epoch was learned. No grace is older.</summary>
    public long LearnedAt { get; set; }

    /// <summary>The first table known here with the primary of the entry.</summary>
    public long PrimaryVersion { get; set; }

    /// <summary>Since which epoch this node has been the primary without a break; zero: it is not.</summary>
    public long PrimarySince { get; set; }

    public PartitionLog Log { get; } = new(memory);

    /// <summary>Up to this entry, everything is committed and applied.</summary>
    public EntryId Committed { get; set; }

    /// <summary>Up to this entry, the log is known to be that of the primary of this epoch.</summary>
    public EntryId Matched { get; set; }

    /// <summary>A new primary serves when everything up to this entry is committed.</summary>
    public EntryId PromotedUntil { get; set; }

    /// <summary>The partition time.</summary>
    public PartitionClock Clock { get; } = new();

    public RequestTable Requests { get; } = new();

    /// <summary>Whether records, answers or entries may be here.</summary>
    public bool HasContent { get; set; }

    /// <summary>Rises whenever the content is given up.</summary>
    public long ContentNumber { get; set; }

    /// <summary>The loss count that the content belongs to.</summary>
    public int ContentLossCount { get; set; }

    public Heads Heads { get; } = new();

    /// <summary>The members that this primary sends entries to.</summary>
    public Dictionary<NodeSlot, Follower> Followers { get; } = [];

    public PendingWish? Pending { get; set; }

    /// <summary>The epoch in which this node has proposed to take over: it promises the primary nothing more.</summary>
    public long RefusedEpoch { get; set; }

    /// <summary>Since when a move keeps writes out; null: no move does.</summary>
    public long? ClosedSince { get; set; }

    /// <summary>A move that could not be sealed in time is tried again from here on.</summary>
    public long MoveNotBefore { get; set; }

    /// <summary>When the target of the copy made progress last.</summary>
    public long CopyProgressAt { get; set; }

    /// <summary>A target that had no room asks for a copy from here on.</summary>
    public long AskNotBefore { get; set; }

    /// <summary>The copy that this node receives.</summary>
    public CopyState? Copy { get; set; }

    /// <summary>What an earlier life of the node has left, as long as nothing has changed it; null: nothing.</summary>
    public BaseMark? Base { get; set; }

    /// <summary>Whether the partition shall have backups.</summary>
    public bool WantsBackups { get; set; }

    /// <summary>What is known about restoring the partition, which was lost; null: it was not.</summary>
    public Restoration? Restoration { get; set; }

    /// <summary>When expired records are looked for again.</summary>
    public long ExpiryAt { get; set; }

    /// <summary>How new the content of a backup is.</summary>
    public Freshness Freshness { get; } = new();

    /// <summary>The strict reads whose question is on its way; null: there are none.</summary>
    public Confirmation? Confirming { get; set; }

    /// <summary>The strict reads that wait for the next question.</summary>
    public List<object> ConfirmingNext { get; } = [];

    /// <summary>The operations that wait for a commit, the earliest one first.</summary>
    public PriorityQueue<WaitingOperation, ulong> Waiting { get; } = new();

    /// <summary>Whether this node is the primary by the table.</summary>
    public bool IsPrimary => Phase is Phase.Promoting or Phase.Serving or Phase.Sealed;

    /// <summary>Whether a change of a kind waits for its outcome.</summary>
    public bool Awaits(PartitionChange change) => Pending?.Wish.Change == change;

    /// <summary>Whether a member's acknowledgement is needed for a commit.</summary>
    public bool Needs(NodeSlot member) =>
        Entry.InSync.Items.Contains(member)
        || (Pending is { Wish: { Change: PartitionChange.Join } wish } && wish.Member == member);
}
