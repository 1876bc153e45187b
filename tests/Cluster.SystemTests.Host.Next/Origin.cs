namespace Cluster.SystemTests.Host;

/// <summary>Who has changed a counter; only the next version of the service has it.</summary>
public sealed class Origin
{
    /// <summary>A name.</summary>
    public string Name { get; set; } = "";
}
