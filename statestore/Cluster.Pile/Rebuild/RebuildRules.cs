namespace Cluster.Pile.Rebuild;

/// <summary>The assumptions of a <see cref="Rebuilder"/>, and its handling of everything that breaks them.
/// Immutable.</summary>
internal sealed record RebuildRules
{
    /// <summary>How far the counters of slots are raised, because after a snapshot the slots may have had that many
    /// further lives; zero where the memory is the latest state.</summary>
    public required uint Margin { get; init; }

    /// <summary>Whether a locked slot holds a whole object, as between operations. False: the change may be half done,
    /// and the slot is freed.</summary>
    public required bool BusyIsWhole { get; init; }

    /// <summary>Whether an object with this deadline has expired.</summary>
    public required Func<uint, bool> IsPast { get; init; }

    /// <summary>Called with a block and a description of what is inconsistent in it. If the callback returns, the
    /// inconsistent part is freed.</summary>
    public required Action<long, string> Damaged { get; init; }
}
