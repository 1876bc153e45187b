namespace Cluster.Benchmarks.Pile;

/// <summary>The graph of the person rows: 15 fields, as in the ancestor's benchmark.</summary>
internal sealed class Person
{
    public long Id { get; set; }

    public string FirstName { get; set; } = "";

    public string LastName { get; set; } = "";

    public string? MiddleName { get; set; }

    public string Address1 { get; set; } = "";

    public string Address2 { get; set; } = "";

    public string City { get; set; } = "";

    public string State { get; set; } = "";

    public string Zip { get; set; } = "";

    public DateTime Born { get; set; }

    public DateTime? Died { get; set; }

    public decimal Salary { get; set; }

    public double Score { get; set; }

    public bool Registered { get; set; }

    public int? Luck { get; set; }

    /// <summary>Distinct people, so that nothing is written from a warm cache line only.</summary>
    public static Person[] CreateMany(int count) => [.. Enumerable.Range(0, count).Select(i => new Person
    {
        Id = i,
        FirstName = "Oleg" + i,
        LastName = "Popov-" + (i * 7),
        MiddleName = i % 3 == 0 ? "M" : null,
        Address1 = (i % 900) + " Main Street",
        Address2 = "Apt " + (i % 90),
        City = "Cleveland",
        State = "OH",
        Zip = "44" + (i % 1000),
        Born = new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddDays(i),
        Died = i % 5 == 0 ? new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc) : null,
        Salary = 1000.25m + i,
        Score = i * 0.5,
        Registered = i % 2 == 0,
        Luck = i % 4 == 0 ? null : i,
    })];
}
