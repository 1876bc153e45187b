using Cluster.Glue.Sessions;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Cluster.Glue.Hosting;

/// <summary>Tells the host's health checks whether the server takes calls: not any more from the moment at which it
/// drains. Stateless.</summary>
internal sealed class GlueHealthCheck(ServerRuntime server) : IHealthCheck
{
    /// <summary>The name of the check.</summary>
    public const string Name = "glue";

    public Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(server.IsDraining
            ? HealthCheckResult.Unhealthy("The Glue server is stopping and takes no new calls.")
            : HealthCheckResult.Healthy(
                data: new Dictionary<string, object> { ["links"] = server.Links.Count }));
}
