using Orleans.Concurrency;

namespace Cluster.Benchmarks.Glue;

/// <summary>A grain without state, of which Orleans runs several at once, as a service of Glue does.</summary>
[StatelessWorker]
public sealed class AdderGrain : Grain, IAdderGrain
{
    /// <inheritdoc />
    public ValueTask<int> AddAsync(int left, int right) => new(left + right);
}
