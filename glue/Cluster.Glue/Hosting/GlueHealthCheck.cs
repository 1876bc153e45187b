using Cluster.Glue.Sessions;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Cluster.Glue.Hosting;

/// <summary>Reports to the host's health checks whether the server takes calls. It does not from the moment at which it
/// drains. Stateless.</summary>
internal sealed class GlueHealthCheck(ServerRuntime server) : IHealthCheck
{
    public const string Name = "glue";

    public Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(server.IsDraining
            ? HealthCheckResult.Unhealthy("The Glue server is stopping and takes no new calls.")
            : HealthCheckResult.Healthy(
                data: new Dictionary<string, object> { ["links"] = server.Links.Count }));
}
