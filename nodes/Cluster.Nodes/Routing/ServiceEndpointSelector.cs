using Cluster.Glue;
using Cluster.Nodes.Configuration;
using Cluster.StateStore.Client;
using Cluster.StateStore.Partitions;

namespace Cluster.Nodes.Routing;

/// <summary>
/// Chooses where a service call goes: to this process when it offers the contract itself, otherwise to the active
/// nodes that do, evenly. Answers from the newest table; its only state of its own is the counter behind its
/// draws.
/// </summary>
internal sealed class ServiceEndpointSelector(ITableView view, ClusterComposition composition, NodeIdentity self)
    : IGlueEndpointSelector
{
    private ulong _draws = (ulong)self.Node.Incarnation.GetHashCode();

    public string? SelectEndpoint(Type contract, IReadOnlyCollection<string> excluded)
    {
        var name = contract.FullName!;
        if (composition.Services.Contains(name) && !excluded.Contains(self.InProcessAddress))
            return self.InProcessAddress;
        ClusterMember[] offering = [.. view.Current.Members.Where(member => Offers(member, name, excluded))];
        if (offering.Length == 0) return null;
        return offering[Draw() % (uint)offering.Length].Address;
    }

    // Scattered rather than in turn: one call may ask more than once, and two that ask in step would never meet all
    // nodes.
    private uint Draw()
    {
        var mixed = Interlocked.Add(ref _draws, 0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58_476D_1CE4_E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D0_49BB_1331_11EB;
        return (uint)(mixed >> 32);
    }

    private static bool Offers(ClusterMember member, string contract, IReadOnlyCollection<string> excluded) =>
        member.State == MemberState.Active && member.Services.Contains(contract) && !excluded.Contains(member.Address);
}
