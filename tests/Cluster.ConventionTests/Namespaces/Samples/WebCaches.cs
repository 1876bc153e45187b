using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Adds caches and sessions.</summary>
internal static class WebCaches
{
    public static void Add(WebApplicationBuilder builder) =>
        builder.AddCluster(options => options.Name = "shop").UseInMemoryStore()
            .AddDistributedCache().AddClusterSession().AddOutputCacheStore();
}
