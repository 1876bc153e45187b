using Cluster.Slim.Hosting;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Protocol.Coordination;

/// <summary>Chooses members for partitions: the one with the smallest load, and among equal ones the first in
/// rendezvous order, so that every coordinator chooses the same. A choice looks at each member once and sorts nothing:
/// a decision of a large cluster makes thousands of them. Used by one decision.</summary>
/// <param name="table">The members.</param>
/// <param name="loads">Their loads.</param>
internal sealed class Placement(ClusterTable table, Loads loads)
{
    private readonly Dictionary<NodeSlot, ulong> _hashes = table.Members.ToDictionary(
        member => member.Slot, member => XxHash3.Hash(Encoding.UTF8.GetBytes(member.Node.Name)));

    /// <summary>Returns the best member for a primary.</summary>
    /// <param name="partition">The partition.</param>
    public NodeSlot BestPrimary(int partition) =>
        Best(partition, loads.Primaries, loads.Members, static _ => true)!.Value;

    /// <summary>Returns the best member for a primary out of a few; null: none of them can take roles.</summary>
    public NodeSlot? BestPrimaryOf(int partition, IEnumerable<NodeSlot> candidates)
    {
        NodeSlot[] slots = [.. candidates.Where(loads.Contains)];
        return Best(partition, Array.ConvertAll(slots, loads.PrimariesOf), slots, static _ => true);
    }

    /// <summary>Returns the best member for a replica; null: none is accepted.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="isAccepted">Whether a member can be chosen.</param>
    public NodeSlot? BestReplica(int partition, Func<NodeSlot, bool> isAccepted) =>
        Best(partition, loads.Replicas, loads.Members, isAccepted);

    private NodeSlot? Best(
        int partition, ReadOnlySpan<int> loadOf, ReadOnlySpan<NodeSlot> slots, Func<NodeSlot, bool> isAccepted)
    {
        NodeSlot? best = null;
        ulong bestScore = 0;
        var bestLoad = int.MaxValue;
        for (var index = 0; index < slots.Length; index++)
        {
            if (loadOf[index] > bestLoad || !isAccepted(slots[index]))
                continue;
            var score = Score(slots[index], partition);
            var isBetter = loadOf[index] < bestLoad || score > bestScore
                || (score == bestScore && slots[index].Value < best!.Value.Value);
            if (isBetter)
                (best, bestScore, bestLoad) = (slots[index], score, loadOf[index]);
        }

        return best;
    }

    // The rank depends on the name, not on the incarnation: a node that started again ranks as before.
    private ulong Score(NodeSlot slot, int partition)
    {
        Span<byte> bytes = stackalloc byte[4];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, partition);
        return XxHash3.Hash(bytes, _hashes[slot]);
    }
}
