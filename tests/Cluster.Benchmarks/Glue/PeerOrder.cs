namespace Cluster.Benchmarks.Glue;

/// <summary>A plain object of about 200 bytes. Filled by the benchmark.</summary>
public sealed class PeerOrder
{
    /// <summary>Who ordered.</summary>
    public string Customer { get; set; } = new('c', 60);

    /// <summary>Where it goes.</summary>
    public string Address { get; set; } = new('a', 80);

    /// <summary>How many.</summary>
    public int Count { get; set; } = 3;

    /// <summary>At what price.</summary>
    public decimal Price { get; set; } = 19.99m;

    /// <summary>The number of the order.</summary>
    public Guid Id { get; set; } = Guid.NewGuid();
}
