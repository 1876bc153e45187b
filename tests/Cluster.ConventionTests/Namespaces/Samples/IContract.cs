using Cluster.Contracts;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>A contract with marked methods.</summary>
internal interface IContract
{
    [Idempotent]
    Task<decimal> FindAsync(string product, CancellationToken cancellationToken = default);

    [OneWay]
    Task TrackAsync(string what, CancellationToken cancellationToken = default);
}
