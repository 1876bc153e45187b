using Cluster.Nodes.Members;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Cluster.Nodes.Lifecycle;

/// <summary>Ready: this node is an active member, or this client knows the table. Degraded while the store does not
/// answer for this cluster, a loop fails or copies are missing; none of these stops the calls that run.
/// Stateless.</summary>
internal sealed class NodeReadyCheck(
    ITableView view, Expulsion expulsion, StoreReachability reachability, NodeWatch watch, CurrentMemberRole role)
    : IHealthCheck
{
    public const string Name = "cluster-ready";

    public Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        if (FindObstacle() is { } obstacle)
            return Task.FromResult(HealthCheckResult.Unhealthy(obstacle));
        if (reachability.Trouble is { } trouble)
        {
            return Task.FromResult(HealthCheckResult.Degraded(
                watch.RestoreObstacle is { } missing ? $"{trouble} {missing}" : trouble));
        }

        string[] failures = [.. watch.Failures, .. role.Current?.Failures ?? []];
        if (failures.Length > 0)
            return Task.FromResult(HealthCheckResult.Degraded(string.Join(" ", failures)));
        return Task.FromResult(view.Current.CountUnderReplicated() is > 0 and var count
            ? HealthCheckResult.Degraded($"{count} partitions have fewer copies than their states ask for.")
            : HealthCheckResult.Healthy());
    }

    private string? FindObstacle()
    {
        if (view.Current.Version == 0)
            return "The cluster's table has not been read yet.";
        if (view.Self is not { } self)
            return null;
        if (expulsion.Reason is { } reason)
            return $"This node serves nothing any more: {reason}.";
        return view.Current.FindMember(self)?.State switch
        {
            MemberState.Active => null,
            null => "This node has not joined yet.",
            var state => $"This node is {state}.",
        };
    }
}
