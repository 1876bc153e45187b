namespace Cluster.Nodes.Storage.Tests.Storages;

/// <summary>The value of the suite of storages.</summary>
public sealed class StorageSample
{
    /// <summary>A number.</summary>
    public int Number { get; set; }

    /// <summary>A text of any length.</summary>
    public string Text { get; set; } = "";
}
