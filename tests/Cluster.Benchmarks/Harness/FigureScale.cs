namespace Cluster.Benchmarks.Harness;

/// <summary>Which loop says how fast the machine is for a figure.</summary>
public enum FigureScale
{
    /// <summary>Register arithmetic: <see cref="ReferenceLoop"/>.</summary>
    Processor,

    /// <summary>Reads that wait for memory: <see cref="MemoryLoop"/>.</summary>
    Memory,
}
