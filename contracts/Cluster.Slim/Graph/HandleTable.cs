namespace Cluster.Slim.Graph;

/// <summary>The objects of one message by handle. Owned by one reader; used by one thread.</summary>
internal sealed class HandleTable
{
    private const int CapacityMin = 16;
    private const int RetainedCount = 4096;

    private object?[] _objects = new object?[CapacityMin];
    private int _count;

    internal int Count => _count;

    internal int Reserve(SlimReader reader)
    {
        if (_count == _objects.Length)
        {
            reader.Charge(_objects.Length * 8L * 2);
            Array.Resize(ref _objects, checked(_objects.Length * 2));
        }

        return _count++;
    }

    internal void Set(int handle, object value) => _objects[handle] = value;

    internal object Find(uint handle)
    {
        if (handle >= (uint)_count)
            Throw.Malformed($"The reference {handle} points behind the {_count} objects read so far.");
        object? value = _objects[handle];
        if (value is null)
            Throw.Malformed($"The reference {handle} points to an object that is not complete.");
        return value;
    }

    /// <summary>The handles of the given objects.</summary>
    internal Dictionary<object, int> HandlesOf(IEnumerable<object> objects)
    {
        Dictionary<object, int> handles = new(ReferenceEqualityComparer.Instance);
        foreach (object value in objects)
            handles[value] = -1;
        for (int i = 0; i < _count; i++)
        {
            if (_objects[i] is { } value && handles.ContainsKey(value))
                handles[value] = i;
        }

        return handles;
    }

    /// <summary>Lets later references find the real objects.</summary>
    internal void Replace(Substitutions substitutions)
    {
        for (int i = 0; i < _count; i++)
        {
            if (_objects[i] is { } value && substitutions.TryFind(value, out object? real))
                _objects[i] = real;
        }
    }

    internal void Clear()
    {
        if (_count == 0)
            return;
        if (_count > RetainedCount)
            _objects = new object?[CapacityMin];
        else
            Array.Clear(_objects, 0, _count);
        _count = 0;
    }
}
