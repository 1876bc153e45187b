using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Caching.Keys;

/// <summary>The bytes and hash of a key for one operation, on the caller's stack where the key is short. Owned by the
/// method that declares it, which disposes it.</summary>
internal readonly ref struct EncodedKey<TKey>
    where TKey : notnull
{
    /// <summary>The size of the caller's stack buffer.</summary>
    public const int StackBytes = 128;

    private readonly byte[]? _rented;

    public EncodedKey(IKeyCodec<TKey> codec, KeyHash hash, TKey key, Span<byte> stack)
    {
        if (!codec.TryEncode(key, stack, out var length))
        {
            stack = _rented = ArrayPool<byte>.Shared.Rent(RecordStore.KeyBytesMax);
            if (!codec.TryEncode(key, stack[..RecordStore.KeyBytesMax], out length))
            {
                ArrayPool<byte>.Shared.Return(_rented);
                CacheErrors.KeyTooLong(typeof(TKey), RecordStore.KeyBytesMax);
            }
        }

        Bytes = stack[..length];
        Hash = hash.OfBytes(Bytes);
    }

    public ReadOnlySpan<byte> Bytes { get; }

    public ulong Hash { get; }

    public RecordKey Record => new(Hash, Bytes);

    public void Dispose()
    {
        if (_rented is not null)
            ArrayPool<byte>.Shared.Return(_rented);
    }
}
