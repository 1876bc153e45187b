using Cluster.Pile.Layout;
using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Barriers;

/// <summary>The pre-image log: copies of blocks that changed before they were written to a snapshot. The copies lie in
/// vacant blocks of the pile, up to a limit, and each block becomes vacant again when its copy is written. Owned by one
/// save; guarded by its lock.</summary>
internal sealed class PreImageLog(NativeWindow window, BlockLayout layout, SlabArena arena, long bytesMax)
{
    private readonly Lock _gate = new();
    private readonly Queue<LoggedBlock> _blocks = new();
    private readonly NativeWindow _window = window;
    private readonly BlockLayout _layout = layout;
    private readonly SlabArena _arena = arena;
    private readonly long _blocksMax = bytesMax / BlockLayout.BlockBytes;
    private long _taken;
    private bool _closed;

    public long BytesMax { get; } = bytesMax;

    public long TakenBlocks => Volatile.Read(ref _taken);

    /// <summary>Whether the save may copy blocks ahead of changes. Half of the log, and vacant memory of the size of
    /// the log, stay reserved for changes.</summary>
    public bool HasRoomAhead => TakenBlocks < _blocksMax / 2 && _arena.VacantBlocks > _blocksMax;

    /// <summary>Copies a block. False: the log is full, or no block is vacant.</summary>
    public bool TryAdd(long block, SlabEntry entry)
    {
        if (!TryReserve())
            return false;
        var copy = _arena.TryTakeForBuffer(1, out _);
        if (copy == 0)
        {
            Unreserve();
            return false;
        }

        _window.CopyWithin(_layout.BlockOffset(block), _layout.BlockOffset(copy), BlockLayout.BlockBytes);
        lock (_gate)
        {
            if (!_closed)
            {
                _blocks.Enqueue(new LoggedBlock(block, entry, copy));
                return true;
            }
        }

        Return(copy);
        return false;
    }

    /// <summary>Takes the oldest copy; the caller then calls <see cref="Return"/>.</summary>
    public bool TryTake(out LoggedBlock logged)
    {
        lock (_gate)
            return _blocks.TryDequeue(out logged);
    }

    /// <summary>Makes the block vacant that held a copy.</summary>
    public void Return(long copy)
    {
        _arena.ReturnFromBuffer(copy, 1);
        Unreserve();
    }

    /// <summary>Drops all copies and accepts no more.</summary>
    public void Close()
    {
        lock (_gate)
            _closed = true;
        while (TryTake(out var logged))
            Return(logged.Copy);
    }

    private bool TryReserve()
    {
        lock (_gate)
        {
            if (_closed || _taken == _blocksMax)
                return false;
            _taken++;
            return true;
        }
    }

    private void Unreserve()
    {
        lock (_gate)
            _taken--;
    }
}

/// <summary>A block of the snapshot, its entry at the snapshot point, and the block that holds its copy.
/// Immutable.</summary>
internal readonly record struct LoggedBlock(long Block, SlabEntry Entry, long Copy);
