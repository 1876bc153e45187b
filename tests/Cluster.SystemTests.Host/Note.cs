namespace Cluster.SystemTests.Host;

/// <summary>A value of the test state.</summary>
public sealed class Note
{
    /// <summary>What it says.</summary>
    public string Text { get; set; } = "";

    /// <summary>How often it was changed.</summary>
    public int Revision { get; set; }
}
