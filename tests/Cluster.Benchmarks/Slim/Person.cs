using MemoryPack;
using MessagePack;

namespace Cluster.Benchmarks.Slim;

/// <summary>Workload B: fourteen fields with texts, arrays and a nested object.</summary>
[MemoryPackable]
[MessagePackObject]
public sealed partial class Person
{
    /// <summary>Identifies the person.</summary>
    [Key(0)]
    public int Id { get; set; }

    /// <summary>Identifies the record.</summary>
    [Key(1)]
    public Guid Key { get; set; }

    /// <summary>Given name.</summary>
    [Key(2)]
    public string? FirstName { get; set; }

    /// <summary>Family name.</summary>
    [Key(3)]
    public string? LastName { get; set; }

    /// <summary>Where mail goes.</summary>
    [Key(4)]
    public string? Email { get; set; }

    /// <summary>Where calls go.</summary>
    [Key(5)]
    public string? Phone { get; set; }

    /// <summary>Date of birth.</summary>
    [Key(6)]
    public DateTime Born { get; set; }

    /// <summary>What the account holds.</summary>
    [Key(7)]
    public decimal Balance { get; set; }

    /// <summary>A rating.</summary>
    [Key(8)]
    public double Score { get; set; }

    /// <summary>Whether the account is open.</summary>
    [Key(9)]
    public bool IsActive { get; set; }

    /// <summary>How often the person came.</summary>
    [Key(10)]
    public long Visits { get; set; }

    /// <summary>Labels.</summary>
    [Key(11)]
    public string?[]? Tags { get; set; }

    /// <summary>Numbers of orders.</summary>
    [Key(12)]
    public int[]? Orders { get; set; }

    /// <summary>Where parcels go.</summary>
    [Key(13)]
    public Address? Home { get; set; }

    /// <summary>One of the instances all contenders carry.</summary>
    /// <param name="id">Makes it distinct.</param>
    public static Person Sample(int id) => new()
    {
        Id = id, Key = new Guid(id, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), FirstName = "Gabriela", LastName = "Montenegro",
        Email = "gabriela.montenegro@example.org", Phone = "+49 30 1234567", Born = new DateTime(1980, 1, 1),
        Balance = 1234.56m, Score = 4.5, IsActive = true, Visits = 812, Tags = ["gold", "newsletter", "berlin"],
        Orders = [1001, 1002, 1003, 1004, 1005],
        Home = new Address { Street = "Invalidenstrasse 117", City = "Berlin", PostalCode = 10115 },
    };
}
