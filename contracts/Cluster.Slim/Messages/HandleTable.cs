using Cluster.Slim.Errors;
using Cluster.Slim.Graph;

namespace Cluster.Slim.Messages;

/// <summary>The objects of one message by handle. Room that is left from earlier messages is charged like new room, so
/// that a limit does not depend on earlier messages of the thread. Owned by one reader; used by one thread.</summary>
internal sealed class HandleTable
{
    private const int CapacityMin = 16;

    private Entry[] _objects = new Entry[CapacityMin];
    private int _count;
    private int _chargedCount = CapacityMin;

    public int Count => _count;

    /// <summary>Gives the next handle to an object that does not exist yet.</summary>
    public int Reserve(SlimReader reader)
    {
        if (_count == _chargedCount)
            Grow(reader);
        return _count++;
    }

    public void Set(int handle, object value) => _objects[handle] = new Entry(value);

    /// <summary>Gives the next handle to an object.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(SlimReader reader, object value)
    {
        var count = _count;
        if (count == _chargedCount)
            Grow(reader);
        _objects[count] = new Entry(value);
        _count = count + 1;
    }

    /// <summary>The object, or null when it was skipped or is not complete.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public object? FindOrNull(uint handle)
    {
        // Entries after the last handle are empty.
        var objects = _objects;
        return handle < (uint)objects.Length && objects[handle].Value is { } value ? value : FindNothing(handle);
    }

    /// <summary>The handles of the given objects.</summary>
    public Dictionary<object, int> HandlesOf(IEnumerable<object> objects)
    {
        Dictionary<object, int> handles = new(ReferenceEqualityComparer.Instance);
        foreach (var value in objects)
            handles[value] = -1;
        for (var i = 0; i < _count; i++)
        {
            if (_objects[i].Value is { } value && handles.ContainsKey(value))
                handles[value] = i;
        }

        return handles;
    }

    /// <summary>Makes later references find the real objects.</summary>
    public void Replace(Substitutions substitutions)
    {
        for (var i = 0; i < _count; i++)
        {
            if (_objects[i].Value is { } value && substitutions.TryFind(value, out var real))
                _objects[i] = new Entry(real);
        }
    }

    public void Clear()
    {
        if (_count == 0)
            return;
        if (_objects.Length > TableArrays<Entry>.OwnLengthMax)
        {
            TableArrays<Entry>.GiveBack(_objects, _count);
            _objects = new Entry[CapacityMin];
        }
        else
        {
            Array.Clear(_objects, 0, _count);
        }

        _count = 0;
        _chargedCount = CapacityMin;
    }

    private void Grow(SlimReader reader)
    {
        var capacity = checked(_chargedCount * 2);
        reader.Charge(8L * capacity);
        if (capacity > _objects.Length)
            _objects = TableArrays<Entry>.Grown(_objects, _count, capacity);
        _chargedCount = capacity;
    }

    private object? FindNothing(uint handle)
    {
        if (handle >= (uint)_count)
            Throw.Malformed($"The reference {handle} points behind the {_count} objects read so far.");
        return null;
    }

    /// <summary>An object. A struct, because storing it in an array needs no check of its type.</summary>
    /// <param name="Value">The object, or null before it exists.</param>
    private readonly record struct Entry(object? Value);
}
