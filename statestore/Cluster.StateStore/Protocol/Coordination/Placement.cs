using Cluster.Slim.Hosting;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Protocol.Coordination;

/// <summary>Chooses members for partitions: those with the smallest load first, and among equal ones in rendezvous
/// order, so that every coordinator chooses the same. Used by one decision.</summary>
/// <param name="table">The members.</param>
/// <param name="loads">Their loads.</param>
internal sealed class Placement(ClusterTable table, Loads loads)
{
    private readonly Dictionary<NodeSlot, ulong> _hashes = table.Members.ToDictionary(
        member => member.Slot, member => XxHash3.Hash(Encoding.UTF8.GetBytes(member.Node.Name)));

    /// <summary>Returns the members that can take a role, the best one first.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="load">The load that counts.</param>
    public IEnumerable<NodeSlot> Rank(int partition, Func<NodeSlot, int> load) => loads.Members
        .OrderBy(load)
        .ThenByDescending(slot => Score(slot, partition))
        .ThenBy(slot => slot.Value);

    // The rank depends on the name, not on the incarnation: a node that started again ranks as before.
    private ulong Score(NodeSlot slot, int partition)
    {
        Span<byte> bytes = stackalloc byte[4];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, partition);
        return XxHash3.Hash(bytes, _hashes[slot]);
    }
}
