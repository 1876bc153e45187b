namespace Cluster.Pile;

/// <summary>A snapshot could not be written or restored. A failed save leaves the earlier snapshots valid; a failed
/// restore leaves no pile. Immutable.</summary>
public sealed class PileSnapshotException : PileException
{
    internal PileSnapshotException(PileSnapshotProblem problem, string message, Exception? inner = null)
        : base(message, inner) => Problem = problem;

    /// <summary>The kind of problem.</summary>
    public PileSnapshotProblem Problem { get; }

    private protected override Enum? Code => Problem;

    /// <summary>The file that has the problem.</summary>
    /// <value>Null when the problem concerns no single file.</value>
    public string? File { get; internal init; }

    /// <summary>The position in the file where the damage begins or was noticed.</summary>
    /// <value>Null unless the file is damaged.</value>
    public long? Offset { get; internal init; }

    /// <summary>The damaged block of 64 KiB.</summary>
    /// <value>Null unless it is known.</value>
    public long? Block { get; internal init; }

    /// <summary>The generation of an older snapshot in the same folder that is whole; give it to
    /// <see cref="LocalPile.RestoreAsync"/>.</summary>
    /// <value>Null when there is none, or when no restore was requested.</value>
    public long? GoodGeneration { get; internal init; }

    internal PileSnapshotException WithGoodGeneration(long generation) => new(
        Problem, $"{Message} Generation {generation} in the same folder is whole.", InnerException)
    {
        File = File,
        Offset = Offset,
        Block = Block,
        GoodGeneration = generation,
    };
}
