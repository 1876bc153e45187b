using Microsoft.Extensions.Hosting;

namespace Cluster.SystemTests.Host;

/// <summary>A service whose start does not end before the host stops, so that the host stays in its start.
/// Stateless.</summary>
internal sealed class EndlessStart : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken) =>
        Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellationToken);

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
