using Cluster.Glue;
using Cluster.Nodes.Configuration;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Routing;

/// <summary>Chooses the node for a service call: this process when it offers the contract itself, otherwise one of the
/// active nodes that do, evenly. Answers from the newest table, whose member list it searches once per contract. Its
/// own state is the counter of its draws and the addresses for the newest table, which are published whole.</summary>
internal sealed class ServiceEndpointSelector(ITableView view, ClusterComposition composition, NodeIdentity self)
    : IGlueEndpointSelector
{
    private volatile OfferedAddresses _offered = new(view.Current);
    private ulong _draws = (ulong)self.Node.Incarnation.GetHashCode();

    public string? SelectEndpoint(Type contract, IReadOnlyCollection<string> excluded)
    {
        var name = contract.FullName!;
        if (composition.Services.Contains(name) && !excluded.Contains(self.InProcessAddress))
            return self.InProcessAddress;
        var offering = Current().Of(name);
        if (excluded.Count > 0)
            offering = Without(offering, excluded);
        return offering.Length == 0 ? null : offering[Draw() % (uint)offering.Length];
    }

    // A separate method, because the usual path allocates nothing.
    private static string[] Without(string[] offering, IReadOnlyCollection<string> excluded) =>
        Array.FindAll(offering, address => !excluded.Contains(address));

    private OfferedAddresses Current()
    {
        var (table, known) = (view.Current, _offered);
        return ReferenceEquals(known.Table, table) ? known : _offered = new OfferedAddresses(table);
    }

    // Scattered draws rather than turns: a call that asks twice, in step with another call, would never meet all nodes.
    private uint Draw()
    {
        var mixed = Interlocked.Add(ref _draws, 0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58_476D_1CE4_E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D0_49BB_1331_11EB;
        return (uint)(mixed >> 32);
    }
}
