using Cluster.Nodes.Members;
using Cluster.StateStore.Engine.Statistics;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Testing.Faults;

/// <summary>Tells what each replica on a node contains, so that a test can compare copies. Stateless.</summary>
public static class ReplicaDigests
{
    /// <summary>Reads the replicas of a node, as <c>partition:epoch:phase:count:digest</c>, separated by
    /// commas.</summary>
    /// <param name="services">The services of the host of the node.</param>
    public static string Read(IServiceProvider services)
    {
        var replicas = services.GetRequiredService<CurrentMemberRole>().Current?.Store.Engine.Look(
            0, static (parts, _) => StatisticsCollector.CollectReplicas(parts.Shard)) ?? [];
        return string.Join(',', replicas.Select(replica => string.Create(
            CultureInfo.InvariantCulture,
            $"{replica.Partition.Value}:{replica.Epoch.Value}:{replica.Phase}:"
            + $"{replica.Sums.Count}:{replica.Sums.Digest:x}")));
    }
}
