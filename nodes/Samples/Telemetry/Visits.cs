using Cluster.StateStore;

namespace Telemetry;

/// <summary>Keeps the counts in the cluster.</summary>
/// <param name="visits">The state.</param>
public sealed class Visits(IPartitionedState<string, int> visits) : IVisits
{
    /// <inheritdoc />
    public async Task<int> CountAsync(string page, CancellationToken cancellationToken) =>
        await visits.UpdateAsync(page, new Visit(), cancellationToken);
}
