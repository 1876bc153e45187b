using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Makes a node with a state that is kept in Redis.</summary>
internal static class StoredInRedis
{
    public static void Add(HostApplicationBuilder builder) => builder.AddCluster()
        .AddStoredState<string, string>("names", storage => storage.UseRedis("localhost:6379", "names/"));
}
