namespace Cluster.Pile;

/// <summary>A snapshot could not be written or restored. A failed save leaves the snapshots before it valid; a failed
/// restore leaves nothing behind. Immutable.</summary>
public sealed class PileSnapshotException : PileException
{
    internal PileSnapshotException(PileSnapshotProblem problem, string message, Exception? inner = null)
        : base(message, inner) => Problem = problem;

    /// <summary>What is wrong.</summary>
    public PileSnapshotProblem Problem { get; }

    /// <summary>The file concerned.</summary>
    /// <value>Null when it is none in particular.</value>
    public string? File { get; internal init; }

    /// <summary>Where in the file the damage begins or was noticed.</summary>
    /// <value>Null unless the file is damaged.</value>
    public long? Offset { get; internal init; }

    /// <summary>The block of 64 KiB that is damaged.</summary>
    /// <value>Null unless it is known.</value>
    public long? Block { get; internal init; }

    /// <summary>An older snapshot in the same folder that is whole; restore it with the overload that takes a
    /// generation.</summary>
    /// <value>Null when there is none, or nothing was to be restored.</value>
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
