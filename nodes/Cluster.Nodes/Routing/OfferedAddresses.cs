using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Routing;

/// <summary>Where the services of one table are offered: for each contract, the addresses of the active members that
/// have it. Each contract is looked up in the member list once. Safe for concurrent use; it lives as long as its table
/// is the newest one, and holds one entry per contract that this process calls.</summary>
internal sealed class OfferedAddresses(ClusterTable table)
{
    private readonly ConcurrentDictionary<string, string[]> _byContract = new(StringComparer.Ordinal);

    /// <summary>The table that the answers come from.</summary>
    public ClusterTable Table => table;

    public string[] Of(string contract) =>
        _byContract.TryGetValue(contract, out var known) ? known : _byContract.GetOrAdd(contract, Find);

    private string[] Find(string contract) =>
    [
        .. table.Members
            .Where(member => member.State == MemberState.Active && member.Services.Contains(contract))
            .Select(member => member.Address),
    ];
}
