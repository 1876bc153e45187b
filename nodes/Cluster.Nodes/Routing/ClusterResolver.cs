using Cluster.StateStore.Hosting.Tables;
using Grpc.Core;
using Grpc.Net.Client.Balancer;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Routing;

/// <summary>Gives one gRPC channel the addresses of the active members that offer a service: at first, when the channel
/// asks again, and with each newer table. Lives as long as its channel.</summary>
internal sealed class ClusterResolver(ITableView view, string service, ILoggerFactory loggerFactory)
    : PollingResolver(loggerFactory)
{
    private readonly CancellationTokenSource _disposed = new();

    /// <inheritdoc />
    protected override void OnStarted() => _ = FollowAsync(_disposed.Token);

    /// <inheritdoc />
    protected override Task ResolveAsync(CancellationToken cancellationToken)
    {
        Tell(view.Current);
        return Task.CompletedTask;
    }

    /// <inheritdoc />
    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _disposed.Cancel();
        base.Dispose(disposing);
    }

    private async Task FollowAsync(CancellationToken cancellationToken)
    {
        try
        {
            for (var table = view.Current; ; Tell(table))
                table = await view.WaitForNewerAsync(table.Version, cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The channel was disposed of.
        }
    }

    private void Tell(ClusterTable table)
    {
        BalancerAddress[] addresses =
        [
            .. new OfferedAddresses(table).Of(service).Select(static address => new Uri(address))
                .Select(static address => new BalancerAddress(address.Host, address.Port)),
        ];
        var result = addresses.Length > 0
            ? ResolverResult.ForResult(addresses)
            : ResolverResult.ForFailure(new Grpc.Core.Status(
                StatusCode.Unavailable, $"No active node of the cluster offers '{service}' now."));
        try
        {
            Listener(result);
        }
        catch (ObjectDisposedException) when (_disposed.IsCancellationRequested)
        {
            // The channel was disposed of while it took the addresses. gRPC would log this as an error.
        }
    }
}
