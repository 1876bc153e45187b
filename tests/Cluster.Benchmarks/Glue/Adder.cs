namespace Cluster.Benchmarks.Glue;

/// <summary>The peer's side of <see cref="IAdder"/>. Stateless.</summary>
public sealed class Adder : IAdder
{
    /// <inheritdoc />
    public Task<int> AddAsync(int left, int right) => Task.FromResult(left + right);
}
