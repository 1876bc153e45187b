using Cluster.Testing.Simulation;
using Cluster.Testing.Simulation.Invariants;

namespace Cluster.ConventionTests.TestKit.Simulation;

/// <summary>Setups with toy programs. Stateless.</summary>
internal static class Toys
{
    /// <summary>A setup that judges what a single copy can keep: everything but replication.</summary>
    public static SimulationSetup Setup(ToyVariant variant) => new(() =>
    {
        var disks = new Dictionary<string, ToyDisk>(StringComparer.Ordinal);
        return host => new ToyNode(host, disks, variant);
    })
    {
        Invariants = () => SimulationSetup.StandardInvariants().Where(each => each is not ReplicationInvariant),
        Describe = message =>
            message.Content is Dictionary<string, ToyEntry> copy ? $"copy of {copy.Count} entries" : null,
    };
}
