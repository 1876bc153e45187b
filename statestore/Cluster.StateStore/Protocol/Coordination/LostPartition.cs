using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Coordination;

/// <summary>A partition whose members are all gone. Used under the node's lock.</summary>
/// <param name="epoch">The last epoch of these members.</param>
/// <param name="since">When the coordinator learned of it.</param>
internal sealed class LostPartition(long epoch, long since)
{
    /// <summary>The last epoch of the members that are gone.</summary>
    public long Epoch { get; } = epoch;

    /// <summary>When the coordinator learned of it.</summary>
    public long Since { get; } = since;

    /// <summary>Up to which entry each node can restore the partition; zero: it has no snapshot. A life counts, not its
    /// slot: another node may get the slot.</summary>
    public Dictionary<NodeId, EntryId> Marks { get; } = [];

    /// <summary>Returns the members with the newest snapshot.</summary>
    /// <param name="members">The members that can take the partition now.</param>
    /// <param name="takesAny">Whether older ones are as good; only tests say so.</param>
    public NodeSlot[] FindBest(IEnumerable<ClusterMember> members, bool takesAny)
    {
        var offers = members
            .Select(member => (member.Slot, Mark: Marks.GetValueOrDefault(member.Node)))
            .Where(offer => offer.Mark != default)
            .ToArray();
        if (offers.Length == 0)
            return [];
        var newest = takesAny ? offers.Min(offer => offer.Mark) : offers.Max(offer => offer.Mark);
        return [.. offers.Where(offer => offer.Mark >= newest).Select(offer => offer.Slot)];
    }
}
