namespace Cluster.Pile.Tables.Rebuild;

/// <summary>The assumptions of a <see cref="RecordRebuild"/>, and its handling of everything that breaks them.
/// Immutable.</summary>
internal sealed record RecordRebuildRules
{
    /// <summary>Whether a record with this deadline has expired; null: the clock of the tables decides.</summary>
    public Func<uint, bool>? IsPast { get; init; }

    /// <summary>Whether a segment may be half made, as after the death of a process; such a segment is freed.</summary>
    public required bool MayBeHalfMade { get; init; }

    /// <summary>Called with a block and a description of what is inconsistent in it. If the callback returns, the
    /// inconsistent part is lost.</summary>
    public required Action<long, string> Damaged { get; init; }
}
