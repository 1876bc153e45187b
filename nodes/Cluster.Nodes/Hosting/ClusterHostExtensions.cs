using Cluster.Nodes;
using Cluster.Nodes.Configuration;
using Cluster.Nodes.Hosting;
using Microsoft.Extensions.Hosting;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Makes a host a part of a cluster.</summary>
public static class ClusterHostExtensions
{
    /// <summary>
    /// Makes this host a node of a cluster, or a client of one. Options come from the configuration section
    /// <c>Cluster</c>
    /// and then from <paramref name="configure"/>. The host starts once it has joined; it throws
    /// <see cref="ClusterStartException"/> when it cannot.
    /// </summary>
    /// <param name="builder">The host.</param>
    /// <param name="configure">Runs after the configuration section.</param>
    /// <exception cref="InvalidOperationException">This host is already part of a cluster.</exception>
    public static ClusterBuilder AddCluster(
        this IHostApplicationBuilder builder, Action<ClusterOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        if (builder.Services.Any(service => service.ServiceType == typeof(ClusterComposition)))
            throw new InvalidOperationException("A host is one node: call AddCluster once per host.");

        return ClusterServices.Add(builder.Services, builder.Configuration, configure);
    }
}
