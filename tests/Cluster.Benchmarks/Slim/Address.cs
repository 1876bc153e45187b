namespace Cluster.Benchmarks.Slim;

/// <summary>The nested object of a person.</summary>
public sealed class Address
{
    /// <summary>Street and house number.</summary>
    public string? Street { get; set; }

    /// <summary>The town.</summary>
    public string? City { get; set; }

    /// <summary>The code of the town.</summary>
    public int PostalCode { get; set; }
}
