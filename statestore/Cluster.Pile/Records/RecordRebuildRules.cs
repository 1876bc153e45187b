namespace Cluster.Pile.Records;

/// <summary>What a <see cref="RecordRebuild"/> takes for granted and what it does about the rest. Immutable.</summary>
internal sealed record RecordRebuildRules
{
    /// <summary>Whether a record with this deadline is gone; null asks the clock of the tables.</summary>
    public Func<uint, bool>? IsPast { get; init; }

    /// <summary>Whether a segment may have been in the making, as memory has it after the death of a process; it is
    /// ended then.</summary>
    public required bool MayBeHalfMade { get; init; }

    /// <summary>Told the block, and what in it does not fit together. When it returns, what does not fit is
    /// lost.</summary>
    public required Action<long, string> Damaged { get; init; }
}
