using Cluster.Contracts;
using Cluster.Nodes.Status;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Testing.Nodes;

/// <summary>
/// What a process of a cluster knows of another node's entries, which is what it will count as lost with that node.
/// Stateless.
/// </summary>
public static class ReportedEntries
{
    /// <summary>How many entries a node reported last, or <c>null</c> where it has not reported here.</summary>
    /// <param name="services">The services of the process that watches.</param>
    /// <param name="node">The node watched.</param>
    public static long? Of(IServiceProvider services, NodeId node)
    {
        ArgumentNullException.ThrowIfNull(services);
        return services.GetRequiredService<NodeStatusBoard>().LastReportOf(node)?.PartitionEntries.Sum();
    }
}
