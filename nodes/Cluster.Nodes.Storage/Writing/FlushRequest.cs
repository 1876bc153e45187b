namespace Cluster.Nodes.Storage.Writing;

/// <summary>Names a key that has to be stored. Filled once, then only read.</summary>
public sealed class FlushRequest
{
    /// <summary>The name of the state.</summary>
    public string State { get; init; } = "";

    /// <summary>The canonical bytes of the key.</summary>
    public byte[] Key { get; init; } = [];

    /// <summary>The revision that the caller has written.</summary>
    public long Revision { get; init; }

    /// <summary>From which knowledge of the key the caller's write has come.</summary>
    public long LineageId { get; init; }

    /// <summary>Whether the caller has removed the value.</summary>
    public bool IsRemoval { get; init; }
}
