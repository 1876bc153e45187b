using Cluster.Nodes.Watching;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Cluster.Nodes.Lifecycle;

/// <summary>Live: this process has not read that the table lists it no more. Never fails because another system is
/// down. Stateless.</summary>
internal sealed class NodeLiveCheck(Expulsion expulsion) : IHealthCheck
{
    public const string Name = "cluster-live";

    public Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(expulsion.Reason is { } reason
            ? HealthCheckResult.Unhealthy($"This node serves nothing any more: {reason}.")
            : HealthCheckResult.Healthy());
}
