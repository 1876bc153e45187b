using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.DataProtection.KeyManagement;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Cluster.Nodes.AspNetCore.Protection;

/// <summary>Warns once when this process protects cookies with keys that the other nodes of its cluster do not have.
/// Without a key repository, Data Protection keeps its keys in a folder of the machine or in memory. Owned by the
/// host; only its loop uses it.</summary>
internal sealed partial class KeyRingCheck(
    IServiceProvider services, ICluster cluster, TimeProvider time, ILogger<KeyRingCheck> logger)
    : BackgroundService
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    private int ActiveNodeCount => cluster.Nodes.Count(static node => node.State == NodeState.Active);

    protected override async Task ExecuteAsync(CancellationToken cancellationToken)
    {
        if (HasSharedKeys())
            return;
        try
        {
            using var timer = new PeriodicTimer(Interval, time);
            while (ActiveNodeCount < 2)
                await timer.WaitForNextTickAsync(cancellationToken).ConfigureAwait(false);
            LogUnsharedKeys(logger, ActiveNodeCount);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The host ends before another node has joined.
        }
    }

    // Without Data Protection, there are no keys to share.
    private bool HasSharedKeys() => services.GetService<IDataProtectionProvider>() switch
    {
        null => true,
        EphemeralDataProtectionProvider => false,
        _ => services.GetRequiredService<IOptions<KeyManagementOptions>>().Value.XmlRepository is not null,
    };
}
