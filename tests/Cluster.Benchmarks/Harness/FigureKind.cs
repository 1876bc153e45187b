namespace Cluster.Benchmarks.Harness;

/// <summary>What a figure is, which decides whether the machine's speed scales its bounds.</summary>
public enum FigureKind
{
    /// <summary>Ours over a rival's in the same run, a count or a size: never scaled.</summary>
    Plain,

    /// <summary>An absolute time: a machine half as fast may take twice as long.</summary>
    Time,

    /// <summary>An absolute rate: a machine half as fast need only reach half of it.</summary>
    Rate,
}
