namespace Cluster.Nodes.Storage.Values;

/// <summary>What became of a write.</summary>
internal enum WriteOutcome
{
    /// <summary>It has happened.</summary>
    Written = 1,

    /// <summary>Nothing has happened: the key is not in memory, and the write depends on what the storage
    /// has.</summary>
    NotInMemory = 2,

    /// <summary>Nothing has happened: the condition does not hold.</summary>
    Refused = 3,
}

/// <summary>The answer of the owner to a write.</summary>
/// <param name="Outcome">What became of it.</param>
/// <param name="Revision">The revision of what was written.</param>
/// <param name="LineageId">The lineage of what was written.</param>
internal readonly record struct WriteAnswer(WriteOutcome Outcome, long Revision = 0, long LineageId = 0)
{
    /// <summary>Whether the write found a marker and left it, so that the marker may go.</summary>
    public bool IsMarkerLeft { get; init; }
}
