using Cluster.Pile.Slabs;

namespace Cluster.Pile.Slots;

/// <summary>What one thread keeps of one pile: magazines of free slots and its share of the counters. Used by its
/// thread between <see cref="TryEnter"/> and <see cref="Exit"/>, by others only after the registry has locked it
/// out.</summary>
/// <remarks>Entering is two plain stores and a load instead of an interlocked operation. A thread that locks this one
/// out sets the flag, makes all processors pass a barrier, and then waits until the sequence is even: the thread has
/// either seen the flag or left.</remarks>
internal sealed class ThreadCache(long pileId, int number)
{
    private readonly Magazine[] _magazines = new Magazine[SizeClasses.Count];
    private readonly WeakReference<Thread> _thread = new WeakReference<Thread>(Thread.CurrentThread);
    private long[] _records = [];
    private long _sequence;
    private bool _lockedOut;

    /// <summary>The number of the pile. A reference would keep a forgotten pile in memory.</summary>
    public long PileId { get; } = pileId;

    /// <summary>The number of the cache in its pile, so that threads can choose different lanes.</summary>
    public int Number { get; } = number;

    /// <summary>Live objects that this thread added, less those that it removed.</summary>
    public long Objects { get; set; }

    /// <summary>Like <see cref="Objects"/>, for linked bodies.</summary>
    public long Links { get; set; }

    /// <summary>Like <see cref="Objects"/>, for payload bytes.</summary>
    public long LiveBytes { get; set; }

    /// <summary>Like <see cref="Objects"/>, for large slots.</summary>
    public long Runs { get; set; }

    /// <summary>Like <see cref="Objects"/>, for blocks of large slots.</summary>
    public long RunBlocks { get; set; }

    /// <summary>Objects that this thread put or replaced, ever.</summary>
    public long Puts { get; set; }

    /// <summary>Objects that this thread deleted, ever.</summary>
    public long Deletes { get; set; }

    /// <summary>The views that the thread has open.</summary>
    public OpenViews Views { get; } = new();

    public bool IsThreadAlive => _thread.TryGetTarget(out var thread) && thread.IsAlive;

    /// <summary>Changes whenever the thread enters or leaves; odd while it is inside.</summary>
    public long Sequence => Volatile.Read(ref _sequence);

    /// <summary>Whether the pile is closed, so that the thread can forget this cache.</summary>
    public bool IsAbandoned { get; private set; }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref Magazine MagazineOf(int classIndex) => ref _magazines[classIndex];

    /// <summary>Records of a table that this thread added, less those that it removed.</summary>
    public long RecordsOf(int table) => table < _records.Length ? _records[table] : 0;

    public void AddRecords(int table, long count)
    {
        if (table >= _records.Length)
            Array.Resize(ref _records, table + 1);
        _records[table] += count;
    }

    /// <summary>Begins an operation. False: the thread is locked out at the moment.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryEnter()
    {
        Volatile.Write(ref _sequence, _sequence + 1);
        if (!Volatile.Read(ref _lockedOut))
            return true;
        Exit();
        return false;
    }

    public void Exit() => Volatile.Write(ref _sequence, _sequence + 1);

    public void SetLockedOut(bool value) => Volatile.Write(ref _lockedOut, value);

    /// <summary>Gives the cache to a new thread, after the old one died.</summary>
    public void Adopt() => _thread.SetTarget(Thread.CurrentThread);

    public void Abandon()
    {
        Clear();
        Views.Clear();
        IsAbandoned = true;
    }

    public void Clear()
    {
        foreach (ref var magazine in _magazines.AsSpan())
            magazine.Clear();
        Objects = Links = LiveBytes = Runs = RunBlocks = 0;
        ClearRecords();
    }

    /// <summary>Sets the counts of all tables to zero.</summary>
    public void ClearRecords() => _records.AsSpan().Clear();
}
