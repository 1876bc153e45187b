using Cluster.Pile.Memory;

namespace Cluster.Pile.Records;

/// <summary>How much of the pile one table may take, log and index together. Owned by one table; one atomic word that
/// may be set at any time.</summary>
internal sealed class RecordLimit(RecordIndex index, RecordGhosts? ghosts, long bytes)
{
    private readonly RecordIndex _index = index;
    private readonly RecordGhosts? _ghosts = ghosts;
    private long _bytes = bytes;

    /// <summary>The limit; <see cref="long.MaxValue"/> is the pile's own.</summary>
    public long Bytes
    {
        get => Volatile.Read(ref _bytes);
        set => Volatile.Write(ref _bytes, value);
    }

    /// <summary>The blocks that the log may take at most.</summary>
    public long Blocks => Math.Max(0, (Bytes >> BlockLayout.BlockBytesShift) - _index.Blocks - (_ghosts?.Blocks ?? 0));

    /// <summary>Whether the table evicts records when there is no room for others.</summary>
    public bool MayForget { get; } = ghosts is not null;
}
