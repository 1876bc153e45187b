using Cluster.Nodes.AspNetCore.Protection;
using Cluster.Nodes.AspNetCore.Tests.Clusters;
using Cluster.Testing;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.AspNetCore.Tests.Protection;

/// <summary>The warning of nodes whose cookies the other nodes refuse.</summary>
public sealed class KeyRingCheckTests
{
    private const int UnsharedKeys = 6300;
    private const int NoEncryptor = 35;

    [Fact]
    public async Task TwoNodes_WithKeysInMemory_WarnOnceEach()
    {
        await using var cluster = new WebCluster();
        cluster.Logs.Allow(UnsharedKeys);
        await StartAsync(cluster, static builder => builder.UseEphemeralDataProtectionProvider());
        await Eventually.TrueAsync(() => CountWarnings(cluster) == 2, WebCluster.WaitBudget);
        Assert.Contains("PersistKeysToCluster()", cluster.Logs.Entries.First(IsWarning).Message);
    }

    [Fact]
    public async Task TwoNodes_WithoutARepository_Warn()
    {
        await using var cluster = new WebCluster();
        cluster.Logs.Allow(static _ => true);
        await StartAsync(cluster, static _ => { });
        await Eventually.TrueAsync(() => CountWarnings(cluster) == 2, WebCluster.WaitBudget);
    }

    [Fact]
    public async Task TwoNodes_WithKeysInTheCluster_DoNotWarn()
    {
        await using var cluster = new WebCluster();
        cluster.Logs.Allow(NoEncryptor);
        await StartAsync(cluster, static builder => builder.PersistKeysToCluster());
        await EndOfCheckAsync(cluster);
        Assert.Equal(0, CountWarnings(cluster));
    }

    [Fact]
    public async Task TwoNodes_WithoutDataProtection_DoNotWarn()
    {
        await using var cluster = new WebCluster();
        await cluster.StartAsync(2, static (_, nodes) => nodes.AddDistributedCache());
        await EndOfCheckAsync(cluster);
        Assert.Equal(0, CountWarnings(cluster));
    }

    [Fact]
    public async Task OneNode_WithKeysInMemory_DoesNotWarn()
    {
        await using var node = await OneNode.StartAsync(
            static cluster => cluster.AddDistributedCache(),
            static services => services.AddDataProtection().UseEphemeralDataProtectionProvider());
        Assert.DoesNotContain(node.Logs.Entries, IsWarning);
    }

    private static Task StartAsync(WebCluster cluster, Action<IDataProtectionBuilder> configure) =>
        cluster.StartAsync(2, (builder, nodes) =>
        {
            nodes.AddDistributedCache();
            configure(builder.Services.AddDataProtection().SetApplicationName("shop"));
        });

    // The check of a node that has nothing to warn of ends at once.
    private static Task EndOfCheckAsync(WebCluster cluster) => Task.WhenAll(cluster.Nodes.Select(static node =>
        node.Services.GetServices<IHostedService>()
            .OfType<KeyRingCheck>()
            .Single()
            .ExecuteTask!));

    private static int CountWarnings(WebCluster cluster) => cluster.Logs.Entries.Count(IsWarning);

    private static bool IsWarning(LogEntry entry) => entry.Event.Id == UnsharedKeys;
}
