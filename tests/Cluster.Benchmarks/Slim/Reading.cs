using MemoryPack;

namespace Cluster.Benchmarks.Slim;

/// <summary>Workload K: a small sealed object, of which a list holds a million.</summary>
[MemoryPackable]
public sealed partial class Reading
{
    /// <summary>Identifies the sensor.</summary>
    public int Sensor { get; set; }

    /// <summary>What was measured.</summary>
    public double Value { get; set; }

    /// <summary>When it was measured.</summary>
    public long Ticks { get; set; }

    /// <summary>One of the instances all contenders carry.</summary>
    /// <param name="number">Makes it distinct.</param>
    public static Reading Sample(int number) => new() { Sensor = number, Value = number * 0.5, Ticks = number * 7L };
}
