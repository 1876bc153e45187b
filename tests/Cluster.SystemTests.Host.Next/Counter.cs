namespace Cluster.SystemTests.Host;

/// <summary>The value of the fault scenarios as the next version of the service has it: the ballast is gone, and there
/// are an origin and marks.</summary>
public sealed class Counter
{
    /// <summary>Who has changed the number last.</summary>
    public Origin? Origin { get; set; }

    /// <summary>The number.</summary>
    public long Number { get; set; }

    /// <summary>What has happened to the counter, the newest last.</summary>
    public List<string> Marks { get; set; } = [];
}
