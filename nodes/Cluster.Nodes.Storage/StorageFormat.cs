using Cluster.Pile.Caching;
using Cluster.Slim;
using Cluster.StateStore.Hosting.States;

namespace Cluster.Nodes.Storage;

/// <summary>How the keys and values of one state become bytes in a storage. Keys have the bytes that decide their
/// partition, and values describe their types, so that a later version of the service reads them. Immutable and
/// thread-safe.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
public sealed class StorageFormat<TKey, TValue>
    where TKey : notnull
{
    private readonly KeyEncoder<TKey> _keys;
    private readonly SlimSerializer _values;

    internal StorageFormat(
        IKeyCodec<TKey>? keys, int maxValueBytes, IEnumerable<Action<SlimOptions>> typeConfigurations)
    {
        _keys = KeyEncoder.Find(keys, out var remedy)
            ?? throw new ArgumentException($"A stored state: {remedy}.", nameof(keys));
        var types = new SlimOptions();
        foreach (var configure in typeConfigurations)
            configure(types);
        _values = new SlimSerializer(types);
        MaxValueBytes = maxValueBytes;
    }

    /// <summary>The largest value of the state, in bytes, without the description of its types.</summary>
    public int MaxValueBytes { get; }

    /// <summary>The bytes of a key, in a new array: at most 4,096.</summary>
    /// <param name="key">The key.</param>
    /// <exception cref="ArgumentException">The key has more bytes.</exception>
    public byte[] WriteKey(TKey key) =>
        _keys.ToBytes(key) is { Length: <= StateDefinition.MaxKeyBytes } bytes
            ? bytes
            : throw new ArgumentException(
                $"The key has more than {StateDefinition.MaxKeyBytes} bytes. Use a shorter key.", nameof(key));

    /// <summary>The key with these bytes.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <exception cref="StateStore.StateFormatException">No key has these bytes.</exception>
    public TKey ReadKey(ReadOnlySpan<byte> bytes) => _keys.FromBytes(bytes);

    /// <summary>The bytes of a value, in a new array.</summary>
    /// <param name="value">The value.</param>
    /// <exception cref="SlimException">The value cannot be carried.</exception>
    public byte[] WriteValue(TValue value) => _values.Serialize(value);

    /// <summary>The value with these bytes.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <exception cref="SlimException">The bytes are no value of this type.</exception>
    public TValue ReadValue(ReadOnlySpan<byte> bytes) => _values.Deserialize<TValue>(bytes);
}
