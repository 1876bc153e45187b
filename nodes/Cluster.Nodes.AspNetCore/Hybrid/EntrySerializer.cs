using Cluster.Slim;

namespace Cluster.Nodes.AspNetCore.Hybrid;

/// <summary>Turns entries into bytes, for those that only this process has. Immutable and thread-safe.</summary>
internal sealed class EntrySerializer
{
    private readonly SlimSerializer _serializer;

    /// <summary>Makes a serializer.</summary>
    /// <param name="options">The types that values may contain.</param>
    public EntrySerializer(ClusterHybridCacheOptions options)
    {
        var types = new SlimOptions();
        options.AddTypes(types);
        _serializer = new SlimSerializer(types);
    }

    /// <summary>Makes bytes.</summary>
    /// <exception cref="SlimException">The serializer refuses the value.</exception>
    public byte[] ToBytes(HybridEntry entry) => _serializer.Serialize(entry);

    /// <summary>Makes an entry of its own.</summary>
    public HybridEntry FromBytes(byte[] bytes) => _serializer.Deserialize<HybridEntry>(bytes)!;
}
