namespace Cluster.Nodes.Storage.Values;

/// <summary>The answer of the owner to an operation of the user. Filled once, then only read.</summary>
/// <typeparam name="TResult">What the operation answers.</typeparam>
internal sealed class OperationAnswer<TResult>
{
    /// <summary>Nothing has happened: the key is not in memory, and the storage may have a value.</summary>
    public bool IsNotInMemory { get; init; }

    /// <summary>The revision of what was written; zero: nothing was.</summary>
    public long Revision { get; init; }

    /// <summary>The lineage of what was written.</summary>
    public long LineageId { get; init; }

    /// <summary>Whether the operation found a marker and left it, so that the marker may go.</summary>
    public bool IsMarkerLeft { get; init; }

    /// <summary>Whether the operation has removed the value.</summary>
    public bool IsRemoval { get; init; }

    /// <summary>What the operation answers.</summary>
    public TResult? Result { get; init; }
}
