using System.Runtime.Intrinsics;

namespace Cluster.Slim.Messages;

/// <summary>The objects of one message in the order in which they were met, found by reference. Owned by one writer;
/// used by one thread. Up to 32 objects are scanned, more are hashed. A message of 31 objects took 18.6 ns for each of
/// them; with hashes 19.3 ns, and 32 ns if the runtime had not made the hashes of the objects before.</summary>
internal sealed class IdentityTable
{
    private const int ScanCountMin = 16;
    private const int ScanCountMax = 32;
    private const int SlotsPerLine = 8;
    private const int LineLength = 2 * SlotsPerLine;
    private const int LinesMin = 8;
    private const int OwnLengthMax = 8 * TableArrays<Entry>.OwnLengthMax;

    private Entry[] _objects = new Entry[ScanCountMax];
    private int _count;

    // Smaller after a message with more objects, because the next message probably has as many, which are hashed.
    private int _scanCount = ScanCountMax;

    // A line of 64 bytes holds eight slots, first their tags, then their handles; a tag of zero is a free slot. All
    // tags of a line are compared at once. No branch depends on the other tags, so the processor goes on while it waits
    // for the memory of a large table: 80 instead of 100 ns for each of a million objects. Only the first lines are
    // used and cleared, as many as the last message needed, so that a small message after a bigger one does not pay for
    // it.
    private uint[] _lines = [];
    private int _lineMask;
    private int _countMax;
    private int _countBefore;

    /// <summary>The number of handles given, also to objects that are not kept.</summary>
    public int Count => _count;

    /// <summary>Returns the handle of the object; gives a new object the next handle and returns -1.</summary>
    public int FindOrAdd(object value)
    {
        var count = _count;
        if (count >= _scanCount)
            return FindOrAddHashed(value);
        var objects = _objects;
        for (var i = 0; i < count && i < objects.Length; i++)
        {
            if (ReferenceEquals(objects[i].Value, value))
                return i;
        }

        objects[count] = new Entry(value);
        _count = count + 1;
        return -1;
    }

    /// <summary>Returns the handle of the object, or -1.</summary>
    public int Find(object value)
    {
        if (_count < _scanCount)
            return Array.FindIndex(_objects, 0, _count, entry => ReferenceEquals(entry.Value, value));
        if (_count >= _countMax)
            Rehash();
        return Search(value, isAdding: false);
    }

    /// <summary>Gives the next handle to a value that no place can refer to.</summary>
    public void Skip() => Append(null);

    /// <summary>Gives the next handles to objects that no place can refer to.</summary>
    public void Skip(int count)
    {
        var length = checked(_count + count);
        if (length > _objects.Length)
            _objects = TableArrays<Entry>.Grown(_objects, _count, length);
        _count = length;
    }

    /// <summary>Forgets all objects, and returns big arrays to the pool, so that later small messages stay
    /// fast.</summary>
    public void Clear()
    {
        if (_count == 0)
            return;
        if (_count > TableArrays<Entry>.OwnLengthMax)
        {
            TableArrays<Entry>.GiveBack(_objects, _count);
            _objects = new Entry[ScanCountMax];
        }
        else
        {
            Array.Clear(_objects, 0, _count);
        }

        if (_countMax > 0)
            ForgetLines();
        _countBefore = Math.Min(_count, TableArrays<Entry>.OwnLengthMax);
        _scanCount = _count > ScanCountMax ? ScanCountMin : ScanCountMax;
        _count = 0;
    }

    private int FindOrAddHashed(object value)
    {
        if (_count >= _countMax)
            Rehash();
        return Search(value, isAdding: true);
    }

    // A search ends in the first line that has room.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Search(object value, bool isAdding)
    {
        var hash = HashOf(value);
        for (var line = LineOf(hash); ; line = (line + 1) & _lineMask)
        {
            var slots = _lines.AsSpan(line * LineLength, LineLength);
            var tags = Vector256.Create<uint>(slots);
            var equal = Vector256.Equals(tags, Vector256.Create(TagOf(hash))).ExtractMostSignificantBits();
            for (; equal != 0; equal &= equal - 1)
            {
                var handle = (int)slots[SlotsPerLine + BitOperations.TrailingZeroCount(equal)];
                if (ReferenceEquals(_objects[handle].Value, value))
                    return handle;
            }

            var free = Vector256.Equals(tags, Vector256<uint>.Zero).ExtractMostSignificantBits();
            if (free == 0)
                continue;
            if (isAdding)
            {
                Put(slots, free, hash, _count);
                Append(value);
            }

            return -1;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Append(object? value)
    {
        if (_count == _objects.Length)
            Grow();
        _objects[_count++] = new Entry(value);
    }

    // A separate method, so that small messages do not pay for it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow() => _objects = TableArrays<Entry>.Grown(_objects, _count, checked(_count * 2));

    private void Rehash()
    {
        var expected = Math.Max(_countBefore, checked(_count * 2));
        var lineCount = (int)BitOperations.RoundUpToPowerOf2((uint)expected * 2 / SlotsPerLine);
        MakeLines(Math.Max(LinesMin, lineCount));
        for (var handle = 0; handle < _count; handle++)
        {
            if (_objects[handle].Value is { } value)
                Place(HashOf(value), handle);
        }
    }

    // For an object that is not in the table.
    private void Place(uint hash, int handle)
    {
        for (var line = LineOf(hash); ; line = (line + 1) & _lineMask)
        {
            var slots = _lines.AsSpan(line * LineLength, LineLength);
            var tags = Vector256.Create<uint>(slots);
            var free = Vector256.Equals(tags, Vector256<uint>.Zero).ExtractMostSignificantBits();
            if (free == 0)
                continue;
            Put(slots, free, hash, handle);
            return;
        }
    }

    private static void Put(Span<uint> slots, uint free, uint hash, int handle)
    {
        var slot = BitOperations.TrailingZeroCount(free);
        slots[slot] = TagOf(hash);
        slots[SlotsPerLine + slot] = (uint)handle;
    }

    private void MakeLines(int lineCount)
    {
        ForgetLines();
        var length = lineCount * LineLength;
        if (length > OwnLengthMax)
        {
            // Other users of these arrays leave any content in them.
            _lines = ArrayPool<uint>.Shared.Rent(length);
            Array.Clear(_lines, 0, length);
        }
        else if (length > _lines.Length)
        {
            _lines = new uint[length];
        }

        _lineMask = lineCount - 1;

        // Half of the slots stay free, so that few lines are full.
        _countMax = lineCount * SlotsPerLine / 2;
    }

    private void ForgetLines()
    {
        if (_lines.Length > OwnLengthMax)
        {
            ArrayPool<uint>.Shared.Return(_lines);
            _lines = [];
        }
        else if (_countMax > 0)
        {
            Array.Clear(_lines, 0, (_lineMask + 1) * LineLength);
        }

        _countMax = 0;
    }

    // The runtime's identity hashes have 26 random bits; the multiplication spreads the low ones too.
    private static uint HashOf(object value) => (uint)RuntimeHelpers.GetHashCode(value) * 0x9E3779B1u;

    private int LineOf(uint hash) => (int)(hash >> 7) & _lineMask;

    // Never zero, which marks a free slot.
    private static uint TagOf(uint hash) => hash | 1;

    /// <summary>An object. A struct, because storing it in an array needs no check of its type.</summary>
    /// <param name="Value">The object, or null for a value that stands alone.</param>
    private readonly record struct Entry(object? Value);
}
