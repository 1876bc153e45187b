using Cluster.Pile;

namespace Cluster.StateStore.Records;

/// <summary>A partition's table from key tags to records: open addressing with linear probing in one array of unmanaged
/// slots. Removal shifts followers back, so there are no tombstones. Different keys may have equal tags; the owner
/// compares the records. Not thread-safe: the partition's lock protects it.</summary>
internal sealed class StateRecordIndex
{
    private const int CapacityMin = 16;
    private IndexSlot[] _slots = [];

    public int Count { get; private set; }

    /// <summary>The number of slots, for walks over all of them.</summary>
    public int Capacity => _slots.Length;

    /// <summary>A slot, to read it or to change its pointer and due second.</summary>
    public ref IndexSlot this[int position] => ref _slots[position];

    /// <summary>The first position with this tag, or -1.</summary>
    public int FindFirst(uint tag) => _slots.Length == 0 ? -1 : FindFrom(Home(tag), tag);

    /// <summary>The next position with the same tag, or -1.</summary>
    public int FindNext(int position) => FindFrom(Following(position), _slots[position].Tag);

    /// <summary>Adds a record. The caller has checked that the key is new.</summary>
    public void Add(uint tag, PilePointer pointer, uint dueSecond)
    {
        // Above four fifths the probe sequences of linear probing grow quickly.
        if ((Count + 1) * 5L > _slots.Length * 4L)
            Resize(Math.Max(CapacityMin, checked(_slots.Length / 2 * 3)));
        Place(new IndexSlot { Tag = tag, DueSecond = dueSecond, Pointer = pointer });
        Count++;
    }

    /// <summary>Frees a position. The record of a later position may move into it.</summary>
    public void RemoveAt(int position)
    {
        Debug.Assert(!_slots[position].IsFree, "Only a taken slot can be removed.");
        var hole = position;
        for (var at = Following(hole); !_slots[at].IsFree; at = Following(at))
        {
            // A later record may fill the hole unless its home position lies between the hole and the record.
            if (Distance(Home(_slots[at].Tag), at) < Distance(hole, at))
                continue;
            _slots[hole] = _slots[at];
            hole = at;
        }

        _slots[hole] = default;
        Count--;
    }

    /// <summary>Shrinks the array when most of the slots are free.</summary>
    public void Trim()
    {
        if (Count == 0)
            _slots = [];
        else if (Count * 8L < _slots.Length && _slots.Length > CapacityMin)
            Resize(Math.Max(CapacityMin, Count * 2));
    }

    // The high bits of the product: no power of two is needed, so the table can grow by half.
    private int Home(uint tag) => (int)(((ulong)tag * (uint)_slots.Length) >> 32);

    private int Following(int position) => position + 1 == _slots.Length ? 0 : position + 1;

    private int Distance(int from, int to) => to >= from ? to - from : to - from + _slots.Length;

    private int FindFrom(int position, uint tag)
    {
        while (!_slots[position].IsFree)
        {
            if (_slots[position].Tag == tag)
                return position;
            position = Following(position);
        }

        return -1;
    }

    private void Place(IndexSlot slot)
    {
        var position = Home(slot.Tag);
        while (!_slots[position].IsFree)
            position = Following(position);
        _slots[position] = slot;
    }

    private void Resize(int capacity)
    {
        var old = _slots;
        _slots = new IndexSlot[capacity];
        foreach (var slot in old)
        {
            if (!slot.IsFree)
                Place(slot);
        }
    }
}
