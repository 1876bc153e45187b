namespace Cluster.Benchmarks.Glue;

/// <summary>The small call, as a grain of Orleans has it.</summary>
public interface IAdderGrain : IGrainWithIntegerKey
{
    /// <summary>Adds.</summary>
    /// <param name="left">A summand.</param>
    /// <param name="right">A summand.</param>
    ValueTask<int> AddAsync(int left, int right);
}
