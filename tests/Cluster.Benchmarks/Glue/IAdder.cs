namespace Cluster.Benchmarks.Glue;

/// <summary>The small call, as StreamJsonRpc carries it.</summary>
public interface IAdder
{
    /// <summary>Adds.</summary>
    /// <param name="left">A summand.</param>
    /// <param name="right">A summand.</param>
    Task<int> AddAsync(int left, int right);
}
