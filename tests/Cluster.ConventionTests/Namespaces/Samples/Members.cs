using Cluster.Nodes;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Waits for an event of the cluster.</summary>
internal static class Members
{
    public static async Task<ClusterEvent?> NextAsync(ICluster cluster, CancellationToken cancellationToken) =>
        await cluster.WatchAsync(cancellationToken).FirstOrDefaultAsync(cancellationToken);
}
