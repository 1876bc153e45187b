using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>What the parts of a shard share. Used under the shard's lock.</summary>
/// <param name="options">The sizes and times.</param>
/// <param name="records">The committed records.</param>
/// <param name="leases">What is known about the peers.</param>
internal sealed class ShardContext(ShardOptions options, IRecords records, ILeases leases)
{
    public ShardOptions Options { get; } = options;

    public ProtocolTimes Times => Options.Times;

    public IRecords Records { get; } = records;

    public ILeases Leases { get; } = leases;

    public ShardLog Log { get; } = new(options.ChunkBytes, options.LogBytesMax, options.LogBytesKept);

    public ProtocolCounters Counters { get; } = new();

    public Effects Effects { get; } = new();

    /// <summary>This node's slot; null: it is not a member.</summary>
    public NodeSlot? Self { get; set; }

    /// <summary>Since when the table lists this node; null: it has never done so.</summary>
    public long? MemberSince { get; set; }

    /// <summary>The version of the protocol that a member speaks.</summary>
    public Func<NodeSlot, int> ProtocolOf { get; set; } = static _ => ProtocolVersion.First;

    /// <summary>Whether a test has built a mistake in.</summary>
    public bool Has(Mutant mutant) => Options.Mutant == mutant;

    /// <summary>Notes up to which entry the records of a partition are complete, if they outlive the process.</summary>
    public void Mark(Replica replica, EntryId entry) =>
        Options.Marks?.Set(replica.Id, new BaseMark(entry, replica.ContentLossCount));

    /// <summary>Returns when the lease of a partition ends.</summary>
    public long LeaseEnd(Replica replica)
    {
        var end = long.MaxValue;
        foreach (var member in replica.Entry.InSync.Items)
        {
            if (member != Self)
                end = Math.Min(end, Leases.LeaseEnd(member, replica.Id));
        }

        return replica.Pending is { Wish: { Change: PartitionChange.Join } wish }
            ? Math.Min(end, Leases.LeaseEnd(wish.Member, replica.Id))
            : end;
    }

    /// <summary>Returns whether the lease of a partition lasts: that of every member whose acknowledgement a commit
    /// needs.</summary>
    public bool HasLease(Replica replica, long now)
    {
        if (Has(Mutant.NoReadLease) || (Has(Mutant.OwnViewOfHealth) && replica.Entry.Primary != Self))
            return true;
        var (isFirst, first) = (true, false);
        foreach (var member in replica.Entry.InSync.Items)
        {
            if (member == Self)
                continue;
            var lasts = Leases.LeaseEnd(member, replica.Id) > now;
            if (!lasts && !Has(Mutant.FirstLease))
                return false;
            (isFirst, first) = (false, first || lasts);
        }

        if (replica.Pending is { Wish: { Change: PartitionChange.Join } wish }
            && !Has(Mutant.LeaseWithoutTarget)
            && Leases.LeaseEnd(wish.Member, replica.Id) <= now)
            return false;
        return isFirst || !Has(Mutant.FirstLease) || first;
    }
}
