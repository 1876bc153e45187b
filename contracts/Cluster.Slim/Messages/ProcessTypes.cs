
namespace Cluster.Slim.Messages;

/// <summary>The integers by which messages of the in-process profile name types. Reads are lock-free; callers that add
/// a type hold their own lock.</summary>
internal sealed class ProcessTypes
{
    private volatile TypeSerializer?[] _serializers = [];

    /// <summary>The number of types with an integer.</summary>
    public int Count => _serializers.Length;

    /// <summary>The serializers by integer; null where an integer of an earlier process has no type in this
    /// one.</summary>
    public ReadOnlySpan<TypeSerializer?> Serializers => _serializers;

    public TypeSerializer? Find(uint number)
    {
        var serializers = _serializers;
        return number < (uint)serializers.Length ? serializers[number] : null;
    }

    /// <summary>Gives the serializer the next integer.</summary>
    public void Add(TypeSerializer serializer)
    {
        serializer.ProcessId = _serializers.Length;
        _serializers = [.. _serializers, serializer];
    }

    /// <summary>Gives types the integers of an earlier process. Types that have an integer already follow
    /// them.</summary>
    public void Restore(IReadOnlyCollection<TypeSerializer?> restored)
    {
        TypeSerializer?[] serializers = [.. restored, .. _serializers.Except(restored)];
        for (var id = 0; id < serializers.Length; id++)
        {
            if (serializers[id] is { } serializer)
                serializer.ProcessId = id;
        }

        _serializers = serializers;
    }
}
