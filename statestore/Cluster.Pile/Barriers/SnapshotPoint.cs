using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Barriers;

/// <summary>The blocks of a pile as they were at the snapshot point, while a snapshot of them is being written. Each
/// block is copied once: by the writer of the snapshot, or earlier by the thread that is about to change it. Owned by
/// one save; one byte per block, changed by compare-and-swap, says whether the block is being copied or was
/// copied.</summary>
internal sealed class SnapshotPoint(SlabTable table, PreImageLog log, long blockLast)
{
    private const byte Pending = 0;
    private const byte Copying = 1;
    private const byte Kept = 2;

    private readonly SlabTable _table = table;
    private readonly PreImageLog _log = log;
    private readonly byte[] _states = new byte[blockLast + 1];
    private string? _givenUp;
    private long _keptByChanges;

    /// <summary>The last block that was ever in use at the snapshot point.</summary>
    public long BlockLast { get; } = blockLast;

    /// <summary>Why the snapshot was given up; null while it is under way.</summary>
    public string? GivenUp => Volatile.Read(ref _givenUp);

    /// <summary>How many blocks were copied by threads that were about to change them.</summary>
    public long KeptByChanges => Volatile.Read(ref _keptByChanges);

    /// <summary>Copies a block to the pre-image log, unless it was copied before or held nothing at the snapshot
    /// point.</summary>
    public void Keep(long block)
    {
        if (block > BlockLast || Volatile.Read(ref _states[block]) == Kept)
            return;
        if (!TryClaim(block, out var entry))
            return;
        Interlocked.Increment(ref _keptByChanges);
        if (!_log.TryAdd(block, entry))
        {
            GiveUp(
                $"its pre-image log of {_log.BytesMax:N0} bytes is full, or the pile has no free block for it; raise "
                + $"{nameof(PileOptions)}.{nameof(PileOptions.SnapshotLogBytes)} or {nameof(PileOptions.BudgetBytes)}");
        }

        Release(block);
    }

    /// <summary>Copies a block to the pre-image log before any thread is about to change it, and counts the copy.
    /// False: the log has no room for copies ahead.</summary>
    public bool TryKeepAhead(long block, ref int copied)
    {
        if (!_log.HasRoomAhead)
            return false;
        if (!TryClaim(block, out var entry))
            return true;
        var isKept = _log.TryAdd(block, entry);
        Volatile.Write(ref _states[block], isKept ? Kept : Pending);
        copied++;
        return isKept;
    }

    /// <summary>Claims a block for the caller, who copies it and calls <see cref="Release"/>. False: the block was
    /// copied before, or holds nothing. Waits while another thread copies it.</summary>
    public bool TryClaim(long block, out SlabEntry entry)
    {
        entry = default;
        var spin = default(SpinWait);
        while (Volatile.Read(ref _states[block]) is var state and not Kept)
        {
            if (state == Pending && Interlocked.CompareExchange(ref _states[block], Copying, Pending) == Pending)
            {
                // No thread changes the entry before the block is copied.
                entry = _table.Entry(block);
                if (entry.IsKept)
                    return true;
                Release(block);
                return false;
            }

            spin.SpinOnce(sleep1Threshold: -1);
        }

        return false;
    }

    /// <summary>Marks a claimed block as copied.</summary>
    public void Release(long block) => Volatile.Write(ref _states[block], Kept);

    /// <summary>Whether copies take memory of the pile at the moment.</summary>
    public bool TakesMemory => _log.TakenBlocks > 0;

    /// <summary>Gives the snapshot up: it cannot be completed any more. Frees the memory of the log.</summary>
    public void GiveUp(string reason)
    {
        Interlocked.CompareExchange(ref _givenUp, reason, null);
        _log.Close();
    }
}
