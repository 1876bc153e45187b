using MemoryPack;
using MessagePack;

namespace Cluster.Benchmarks.Slim;

/// <summary>Workload A: seven fields, one text. The attributes are for rivals that need them; Slim ignores
/// them.</summary>
[MemoryPackable]
[MessagePackObject]
public sealed partial class SmallRequest
{
    /// <summary>Identifies the request.</summary>
    [Key(0)]
    public Guid Id { get; set; }

    /// <summary>The customer's number.</summary>
    [Key(1)]
    public long Customer { get; set; }

    /// <summary>How many.</summary>
    [Key(2)]
    public int Quantity { get; set; }

    /// <summary>When it was made.</summary>
    [Key(3)]
    public DateTime Created { get; set; }

    /// <summary>The weight of the parcel.</summary>
    [Key(4)]
    public double Weight { get; set; }

    /// <summary>Whether it is urgent.</summary>
    [Key(5)]
    public bool IsExpress { get; set; }

    /// <summary>The article.</summary>
    [Key(6)]
    public string? Sku { get; set; }

    /// <summary>The instance all contenders carry.</summary>
    public static SmallRequest Sample() => new()
    {
        Id = new Guid(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), Customer = 8_812_345, Quantity = 3,
        Created = new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc), Weight = 1.25, IsExpress = true,
        Sku = "ABC-1234-5678",
    };
}
