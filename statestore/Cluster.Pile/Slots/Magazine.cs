using Cluster.Pile.Layout;

namespace Cluster.Pile.Slots;

/// <summary>The free slots of one size class that one thread holds, each as the pointer of its next object, so that a
/// put need not load the slot's header first. First in, first out, so that a slot stays unused as long as possible.
/// Mutable, do not make readonly; guarded like the <see cref="ThreadCache"/> that contains it.</summary>
internal struct Magazine
{
    private PilePointer[]? _ring;
    private int _first;

    public int Count { get; private set; }

    public readonly bool IsFull => _ring is not null && Count == _ring.Length;

    /// <summary>Takes the slot that has been free longest, or returns <c>default</c> when there is none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public PilePointer Take()
    {
        var ring = _ring;
        if (Count == 0 || ring is null)
            return default;
        var first = _first & (ring.Length - 1);
        _first = first + 1;
        Count--;
        return ring[first];
    }

    /// <summary>Adds a slot, unless the ring is full or not created yet.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryAdd(PilePointer slot)
    {
        var ring = _ring;
        if (ring is null || Count >= ring.Length)
            return false;
        ring[(_first + Count) & (ring.Length - 1)] = slot;
        Count++;
        return true;
    }

    /// <summary>Adds a slot; the capacity is a power of two and the same in every call.</summary>
    public void Add(PilePointer slot, int capacity)
    {
        _ring ??= new PilePointer[capacity];
        Invariant.Holds(TryAdd(slot), "A magazine has room.");
    }

    /// <summary>Takes slots up to the length of the span; returns how many.</summary>
    public int TakeMany(Span<long> granules)
    {
        var count = Math.Min(Count, granules.Length);
        for (var i = 0; i < count; i++)
            granules[i] = Take().Granule;
        return count;
    }

    public void Clear()
    {
        _first = 0;
        Count = 0;
    }
}
