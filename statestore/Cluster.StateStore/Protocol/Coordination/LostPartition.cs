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

    /// <summary>Up to which entry each node can restore the partition; zero: it has no snapshot.</summary>
    public Dictionary<NodeSlot, EntryId> Marks { get; } = [];

    /// <summary>Returns the nodes with the newest snapshot.</summary>
    /// <param name="isAvailable">Whether a node can take the partition now.</param>
    /// <param name="takesAny">Whether older ones are as good; only tests say so.</param>
    public NodeSlot[] FindBest(Func<NodeSlot, bool> isAvailable, bool takesAny)
    {
        var offers = Marks.Where(offer => offer.Value != default && isAvailable(offer.Key)).ToArray();
        if (offers.Length == 0)
            return [];
        var newest = takesAny ? offers.Min(offer => offer.Value) : offers.Max(offer => offer.Value);
        return [.. offers.Where(offer => offer.Value >= newest).Select(offer => offer.Key)];
    }
}
