namespace Cluster.Testing.Simulation;

/// <summary>The events to come, ordered by their time; events of one time come in the order in which they were added. A
/// heap with four children per entry over an array of slots: only keys move, and nothing is allocated once the arrays
/// have grown. Used by one thread.</summary>
internal sealed class EventQueue
{
    private const int Arity = 4;
    private const int SlotBits = 24;
    private const int SlotMask = (1 << SlotBits) - 1;

    private Key[] _heap = new Key[256];
    private SimulatedEvent[] _events = new SimulatedEvent[256];
    private int[] _free = new int[256];
    private int _freeCount;
    private int _slotCount;
    private long _sequence;

    /// <summary>How many events are waiting.</summary>
    public int Count { get; private set; }

    /// <summary>The time of the next event. There must be one.</summary>
    public long NextTime => _heap[0].Time;

    public void Add(long time, in SimulatedEvent occurrence)
    {
        var slot = _freeCount > 0 ? _free[--_freeCount] : _slotCount++;
        if (slot > SlotMask)
            throw new InvalidOperationException($"More than {SlotMask} events wait: a part of the run never ends.");
        if (slot >= _events.Length)
        {
            Array.Resize(ref _events, _events.Length * 2);
            Array.Resize(ref _free, _events.Length);
        }

        if (Count == _heap.Length)
            Array.Resize(ref _heap, Count * 2);
        _events[slot] = occurrence;
        Rise(Count++, new Key(time, (_sequence++ << SlotBits) | (uint)slot));
    }

    public SimulatedEvent Take()
    {
        var slot = (int)(_heap[0].Order & SlotMask);
        var occurrence = _events[slot];
        _events[slot] = default;
        _free[_freeCount++] = slot;
        var last = _heap[--Count];
        if (Count > 0)
            Sink(last);
        return occurrence;
    }

    private void Rise(int index, Key key)
    {
        var heap = _heap;
        while (index > 0)
        {
            var parent = (index - 1) / Arity;
            if (!key.IsBefore(heap[parent]))
                break;
            heap[index] = heap[parent];
            index = parent;
        }

        heap[index] = key;
    }

    private void Sink(Key key)
    {
        var heap = _heap;
        var index = 0;
        while ((index * Arity) + 1 is var child && child < Count)
        {
            var end = Math.Min(child + Arity, Count);
            var least = child;
            for (var other = child + 1; other < end; other++)
                least = heap[other].IsBefore(heap[least]) ? other : least;
            if (!heap[least].IsBefore(key))
                break;
            heap[index] = heap[least];
            index = least;
        }

        heap[index] = key;
    }

    // The order is the number of the event, with its slot in the low bits.
    private readonly record struct Key(long Time, long Order)
    {
        public bool IsBefore(in Key other) => Time < other.Time || (Time == other.Time && Order < other.Order);
    }
}
