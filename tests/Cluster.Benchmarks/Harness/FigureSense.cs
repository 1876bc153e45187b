namespace Cluster.Benchmarks.Harness;

/// <summary>Which side of its bound a figure has to stay on.</summary>
public enum FigureSense
{
    /// <summary>Smaller is better.</summary>
    AtMost,

    /// <summary>Bigger is better.</summary>
    AtLeast,
}
