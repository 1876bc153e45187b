namespace Cluster.Pile.Threads;

/// <summary>
/// The free slots of one size class that one thread holds, first in, first out, so that a slot rests as long as
/// possible before its next life. Mutable, do not make readonly; guarded like the <see cref="ThreadCache"/>
/// that contains it.
/// </summary>
internal struct Magazine
{
    private long[]? _ring;
    private int _first;

    public int Count { get; private set; }

    public readonly bool IsFull => _ring is not null && Count == _ring.Length;

    /// <summary>Takes the slot that rests longest, or gives 0 when there is none.</summary>
    public long Take()
    {
        var ring = _ring;
        if (Count == 0 || ring is null)
            return 0;
        var first = _first & (ring.Length - 1);
        _first = first + 1;
        Count--;
        return ring[first];
    }

    /// <summary>Adds a slot; the capacity is a power of two and the same in every call.</summary>
    public void Add(long granule, int capacity)
    {
        var ring = _ring ??= new long[capacity];
        Invariant.Holds(Count < ring.Length, "A magazine has room.");
        ring[(_first + Count) & (ring.Length - 1)] = granule;
        Count++;
    }

    /// <summary>Takes up to as many slots as fit; gives how many.</summary>
    public int TakeMany(Span<long> granules)
    {
        var count = Math.Min(Count, granules.Length);
        for (var i = 0; i < count; i++)
            granules[i] = Take();
        return count;
    }

    public void Clear()
    {
        _first = 0;
        Count = 0;
    }
}
