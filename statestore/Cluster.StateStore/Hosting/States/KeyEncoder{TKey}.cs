using Cluster.Pile.Caching;

namespace Cluster.StateStore.Hosting.States;

/// <summary>Turns the keys of one state into canonical bytes: strings into UTF-8, integers into their own width,
/// little-endian, Guids and byte arrays into their bytes, all others by the user's codec. The bytes decide which
/// partition a key belongs to, so they are the same in every process and for ever. Immutable and thread-safe.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
public sealed class KeyEncoder<TKey>
    where TKey : notnull
{
    private const int SmallKeyBytes = 256;

    private static readonly UTF8Encoding Utf8 = new(false, throwOnInvalidBytes: true);

    private readonly IKeyCodec<TKey>? _custom;

    private KeyEncoder(IKeyCodec<TKey>? custom) => _custom = custom;

    /// <summary>Finds the encoder of a key type. Null, with the remedy: this library knows no canonical form of the
    /// type.</summary>
    internal static KeyEncoder<TKey>? Find(IKeyCodec<TKey>? custom, out string? remedy)
    {
        remedy = null;
        if (custom is not null || HasCanonicalForm(typeof(TKey)))
            return new KeyEncoder<TKey>(custom);
        remedy = $"keys of type {typeof(TKey).FullName} have no canonical bytes; set s.KeyCodec to an "
            + $"IKeyCodec<{typeof(TKey).Name}>, or use a string, an integer, a Guid or a byte array as key";
        return null;
    }

    /// <summary>The bytes of a key in a new array. Null: the user's codec gives too many.</summary>
    /// <param name="key">The key.</param>
    public byte[]? ToBytes(TKey key)
    {
        if (_custom is not null)
            return Encode(_custom, key);
        if (typeof(TKey) == typeof(Guid))
            return ((Guid)(object)key).ToByteArray();
        return key switch
        {
            string text => Encode(text),
            byte[] bytes => [.. bytes],
            _ => EncodeInteger(key),
        };
    }

    /// <summary>The key with these bytes, which may come from another node.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <exception cref="StateFormatException">No key has these bytes.</exception>
    public TKey FromBytes(ReadOnlySpan<byte> bytes)
    {
        if (_custom is not null)
            return _custom.Decode(bytes);
        if (typeof(TKey) == typeof(string))
            return (TKey)(object)Decode(bytes);
        if (typeof(TKey) == typeof(byte[]))
            return (TKey)(object)bytes.ToArray();
        if (bytes.Length != Unsafe.SizeOf<TKey>())
            throw Malformed(bytes);
        if (typeof(TKey) == typeof(Guid))
            return (TKey)(object)new Guid(bytes);
        if (BitConverter.IsLittleEndian)
            return Unsafe.ReadUnaligned<TKey>(in bytes[0]);
        Span<byte> reversed = [.. bytes];
        reversed.Reverse();
        return Unsafe.ReadUnaligned<TKey>(in reversed[0]);
    }

    private static string Decode(ReadOnlySpan<byte> bytes)
    {
        try
        {
            return Utf8.GetString(bytes);
        }
        catch (DecoderFallbackException)
        {
            throw Malformed(bytes);
        }
    }

    private static StateFormatException Malformed(ReadOnlySpan<byte> bytes) =>
        new($"Key of type {typeof(TKey).Name}: {bytes.Length} bytes are none.");

    private static bool HasCanonicalForm(Type type) =>
        type == typeof(string) || type == typeof(Guid) || type == typeof(byte[]) || IsInteger(type);

    // Native-sized integers differ between processes and are not keys.
    private static bool IsInteger(Type type) =>
        type.IsPrimitive && type != typeof(bool) && type != typeof(float) && type != typeof(double)
            && type != typeof(nint) && type != typeof(nuint)
        || type == typeof(Int128) || type == typeof(UInt128);

    private static byte[] Encode(string text)
    {
        try
        {
            return Utf8.GetBytes(text);
        }
        catch (EncoderFallbackException e)
        {
            // Replacing lone surrogates would give different keys the same bytes.
            throw new ArgumentException("The key is not valid text: it holds half a surrogate pair.", nameof(text), e);
        }
    }

    private static byte[] EncodeInteger(TKey key)
    {
        var bytes = new byte[Unsafe.SizeOf<TKey>()];
        Unsafe.WriteUnaligned(ref bytes[0], key);
        if (!BitConverter.IsLittleEndian)
            Array.Reverse(bytes);
        return bytes;
    }

    private static byte[]? Encode(IKeyCodec<TKey> codec, TKey key)
    {
        Span<byte> small = stackalloc byte[SmallKeyBytes];
        if (codec.TryEncode(key, small, out var length))
            return small[..length].ToArray();
        var large = ArrayPool<byte>.Shared.Rent(StateDefinition.MaxKeyBytes);
        try
        {
            var place = large.AsSpan(0, StateDefinition.MaxKeyBytes);
            return codec.TryEncode(key, place, out length) ? place[..length].ToArray() : null;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(large);
        }
    }
}
