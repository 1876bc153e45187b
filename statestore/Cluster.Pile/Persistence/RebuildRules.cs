namespace Cluster.Pile.Persistence;

/// <summary>What a <see cref="Rebuilder"/> takes for granted and what it does about the rest. Immutable.</summary>
internal sealed record RebuildRules
{
    /// <summary>How far the counters of slots are raised, because that many lives may have followed of which memory
    /// knows nothing; zero where memory is the latest that there was.</summary>
    public required uint Margin { get; init; }

    /// <summary>Whether a locked slot holds a whole object, as between operations; otherwise a change may have been
    /// half done, and the slot is freed.</summary>
    public required bool BusyIsWhole { get; init; }

    /// <summary>Whether an object with this deadline is gone.</summary>
    public required Func<uint, bool> IsPast { get; init; }

    /// <summary>Told the block, and what in it does not fit together. When it returns, what does not fit is
    /// freed.</summary>
    public required Action<long, string> Damaged { get; init; }
}
