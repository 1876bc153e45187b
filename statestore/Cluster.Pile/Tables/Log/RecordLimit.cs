using Cluster.Pile.Layout;
using Cluster.Pile.Tables.Index;

namespace Cluster.Pile.Tables.Log;

/// <summary>The limit of the memory that one table may take, log, index and ghosts together. Owned by one table; one
/// atomic word that may be set at any time.</summary>
internal sealed class RecordLimit(RecordIndex index, RecordGhosts? ghosts, long bytes)
{
    private readonly RecordIndex _index = index;
    private readonly RecordGhosts? _ghosts = ghosts;
    private long _bytes = bytes;

    /// <summary>The limit in bytes; <see cref="long.MaxValue"/>: only the budget of the pile limits the
    /// table.</summary>
    public long Bytes
    {
        get => Volatile.Read(ref _bytes);
        set => Volatile.Write(ref _bytes, value);
    }

    /// <summary>The blocks that the log may take: the limit without the blocks of index and ghosts.</summary>
    public long Blocks => Math.Max(0, (Bytes >> BlockLayout.BlockBytesShift) - _index.Blocks - (_ghosts?.Blocks ?? 0));

    /// <summary>Whether the table evicts records when there is no room for others.</summary>
    public bool MayForget { get; } = ghosts is not null;
}
