namespace Cluster.Benchmarks.Slim;

/// <summary>Workload B: fourteen fields with texts, arrays and a nested object.</summary>
public sealed class Person
{
    /// <summary>Identifies the person.</summary>
    public int Id { get; set; }

    /// <summary>Identifies the record.</summary>
    public Guid Key { get; set; }

    /// <summary>Given name.</summary>
    public string? FirstName { get; set; }

    /// <summary>Family name.</summary>
    public string? LastName { get; set; }

    /// <summary>Where mail goes.</summary>
    public string? Email { get; set; }

    /// <summary>Where calls go.</summary>
    public string? Phone { get; set; }

    /// <summary>Date of birth.</summary>
    public DateTime Born { get; set; }

    /// <summary>What the account holds.</summary>
    public decimal Balance { get; set; }

    /// <summary>A rating.</summary>
    public double Score { get; set; }

    /// <summary>Whether the account is open.</summary>
    public bool IsActive { get; set; }

    /// <summary>How often the person came.</summary>
    public long Visits { get; set; }

    /// <summary>Labels.</summary>
    public string?[]? Tags { get; set; }

    /// <summary>Numbers of orders.</summary>
    public int[]? Orders { get; set; }

    /// <summary>Where parcels go.</summary>
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
