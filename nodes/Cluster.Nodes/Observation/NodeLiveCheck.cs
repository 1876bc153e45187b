using Cluster.Nodes.Handoff;
using Cluster.StateStore.Client;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Cluster.Nodes.Observation;

/// <summary>
/// Live: this process has not read of its own death. Never fails because something else is down. Stateless.
/// </summary>
internal sealed class NodeLiveCheck(ITableView view) : IHealthCheck
{
    internal const string Name = "cluster-live";

    public Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(view.Self is { } self && PartitionKeeper.IsExpelled(view.Current, self)
            ? HealthCheckResult.Unhealthy("The table lists this node as gone.")
            : HealthCheckResult.Healthy());
}
