using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Makes a node whose table is in Consul.</summary>
internal static class ConsulNode
{
    public static void Add(HostApplicationBuilder builder) =>
        builder.AddCluster(options => options.Name = "shop").UseConsul();
}
