using MemoryPack;
using MessagePack;

namespace Cluster.Benchmarks.Slim;

/// <summary>The nested object of a person.</summary>
[MemoryPackable]
[MessagePackObject]
public sealed partial class Address
{
    /// <summary>Street and house number.</summary>
    [Key(0)]
    public string? Street { get; set; }

    /// <summary>The town.</summary>
    [Key(1)]
    public string? City { get; set; }

    /// <summary>The code of the town.</summary>
    [Key(2)]
    public int PostalCode { get; set; }
}
