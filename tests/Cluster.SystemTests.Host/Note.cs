namespace Cluster.SystemTests.Host;

/// <summary>A value of the test state.</summary>
public sealed class Note
{
    /// <summary>The text of the note.</summary>
    public string Text { get; set; } = "";

    /// <summary>The number of changes that the note has had.</summary>
    public int Revision { get; set; }
}
