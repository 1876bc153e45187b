using Cluster.Nodes.AspNetCore.Tests.Clusters;
using Cluster.Nodes.Hosting;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Tests.Hybrid;

/// <summary>A node with a hybrid cache of the cluster.</summary>
public sealed class HybridNode : SingleNode
{
    /// <summary>The cache.</summary>
    public HybridCache Cache => Services.GetRequiredService<HybridCache>();

    /// <summary>Sets the options that all nodes of the tests have.</summary>
    internal static void SetOptions(ClusterHybridCacheOptions options)
    {
        options.MaximumPayloadBytes = HybridConformanceTests.MaxPayloadBytes;
        options.ConfigureTypes(types => types.Allow<Article>().Allow<Book>().Allow<List<Article>>());
    }

    protected override void Compose(ClusterBuilder cluster) => cluster.AddClusterHybridCache(SetOptions);
}
