namespace Cluster.SystemTests.Host;

/// <summary>A value of the state that the fault scenarios use.</summary>
public sealed class Counter
{
    /// <summary>The number.</summary>
    public long Number { get; set; }

    /// <summary>Bytes that make the value larger.</summary>
    public byte[]? Ballast { get; set; }
}
