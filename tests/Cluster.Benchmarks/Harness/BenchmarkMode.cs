namespace Cluster.Benchmarks.Harness;

/// <summary>How thoroughly an area is measured.</summary>
public enum BenchmarkMode
{
    /// <summary>The designs' sizes; takes minutes.</summary>
    Full,

    /// <summary>Smaller sizes; ends within 55 seconds after the build.</summary>
    Quick,
}
