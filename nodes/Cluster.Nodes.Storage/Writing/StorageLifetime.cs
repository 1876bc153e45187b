using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Storage.Writing;

/// <summary>Starts and stops the writers with the host. Added after the node, so it starts after the node and stops
/// before it: what waits is stored before the node hands its partitions over, and once more before it leaves. Owned by
/// the host, which calls one method after the other.</summary>
internal sealed partial class StorageLifetime(
    ICluster cluster,
    IEnumerable<IStateWriter> writers,
    TakeoverScan scan,
    TimeProvider time,
    ILogger<StorageLifetime> logger) : IHostedLifecycleService
{
    // Well below the time that a host has by default to stop, of which the node needs most for its partitions.
    private static readonly TimeSpan DrainTimeout = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan CountTimeout = TimeSpan.FromSeconds(2);

    private readonly IStateWriter[] _writers = [.. writers];

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        foreach (var writer in _writers)
            writer.Start();
        scan.Start();
        return Task.CompletedTask;
    }

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        using var budget = new CancellationTokenSource(DrainTimeout, time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(budget.Token, cancellationToken);
        await DrainWritersAsync(ended.Token).ConfigureAwait(false);
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        await scan.StopAsync().ConfigureAwait(false);

        // A last node keeps its partitions, and has taken writes until now. Nobody would find later what it has not
        // stored.
        var keepsPartitions = OwnsPartitions();
        if (keepsPartitions)
            await DrainAsync(cancellationToken).ConfigureAwait(false);
        foreach (var writer in _writers)
            await writer.StopAsync().ConfigureAwait(false);
        if (keepsPartitions)
            await ReportMissingAsync().ConfigureAwait(false);
    }

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    private bool OwnsPartitions() =>
        cluster.Snapshot.Partitions.Any(partition => partition.Owner?.Node == cluster.Self);

    private async Task DrainAsync(CancellationToken cancellationToken)
    {
        using var budget = new CancellationTokenSource(DrainTimeout, time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(budget.Token, cancellationToken);
        try
        {
            await scan.ScanAllAsync(ended.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // What is queued is stored with what is left of the host's time.
        }

        await DrainWritersAsync(ended.Token).ConfigureAwait(false);
    }

    // The time of the host may be over by now, but these values are gone when the process ends.
    private async Task ReportMissingAsync()
    {
        using var budget = new CancellationTokenSource(CountTimeout, time);
        foreach (var writer in _writers)
        {
            var count = await scan.CountMissingAsync(writer, budget.Token).ConfigureAwait(false);
            if (count > 0)
                LogNotStored(logger, LogText.Clean(writer.Name), count);
        }
    }

    private Task DrainWritersAsync(CancellationToken cancellationToken) =>
        Task.WhenAll(_writers.Select(writer => writer.DrainAsync(cancellationToken)));
}
