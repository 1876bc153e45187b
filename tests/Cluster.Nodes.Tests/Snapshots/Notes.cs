namespace Cluster.Nodes.Tests.Snapshots;

/// <summary>A value as the first version of a service has it.</summary>
public sealed class OldNote
{
    public string Text { get; set; } = "";

    public int Stars { get; set; }
}

/// <summary>The same value in the next version: a field is new and another one is larger.</summary>
public sealed class NewNote
{
    public string? Place { get; set; }

    public long Stars { get; set; }

    public string Text { get; set; } = "";
}
