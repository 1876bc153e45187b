using Cluster.Nodes.Stores;
using Cluster.Nodes.Stores.Files;
using Cluster.Nodes.Stores.Memory;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Configuration;

/// <summary>Makes the stores that come with this library. Stateless.</summary>
internal static class StoreFactory
{
    public static IClusterStore OpenFileStore(IServiceProvider provider, string path) => new FileClusterStore(
        path, provider.GetRequiredService<ClusterSettings>().Name, provider.GetRequiredService<TimeProvider>())
    {
        FolderRule = new StoreFolderRule(
            provider.GetRequiredService<ClusterSettings>().AllowSharedFolder,
            provider.GetRequiredService<ILogger<FileClusterStore>>()),
    };

    public static IClusterStore OpenInMemoryStore(IServiceProvider provider) => new InMemoryClusterStore(
        new InMemoryClusterHub(),
        provider.GetRequiredService<ClusterSettings>().Name,
        provider.GetRequiredService<TimeProvider>());
}
