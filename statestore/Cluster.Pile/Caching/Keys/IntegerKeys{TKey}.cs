namespace Cluster.Pile.Caching.Keys;

/// <summary>Integers up to 64 bits, characters and enums as eight bytes, little-endian, with zeros above the bytes of
/// the type. Stateless.</summary>
internal sealed class IntegerKeys<TKey> : IKeyCodec<TKey>
    where TKey : notnull
{
    /// <summary>Whether the codec supports the type.</summary>
    public static bool Applies =>
        typeof(TKey).IsEnum || typeof(TKey) == typeof(char)
        || typeof(TKey) == typeof(long) || typeof(TKey) == typeof(ulong)
        || typeof(TKey) == typeof(int) || typeof(TKey) == typeof(uint)
        || typeof(TKey) == typeof(short) || typeof(TKey) == typeof(ushort)
        || typeof(TKey) == typeof(sbyte) || typeof(TKey) == typeof(byte)
        || typeof(TKey) == typeof(nint) || typeof(TKey) == typeof(nuint);

    // An enum has the form of its integers.
    public string Form => Type.GetTypeCode(typeof(TKey)) switch
    {
        TypeCode.SByte => "int8",
        TypeCode.Byte => "uint8",
        TypeCode.Int16 => "int16",
        TypeCode.UInt16 => "uint16",
        TypeCode.Char => "char",
        TypeCode.Int32 => "int32",
        TypeCode.UInt32 => "uint32",
        TypeCode.Int64 => "int64",
        TypeCode.UInt64 => "uint64",
        _ => typeof(TKey) == typeof(nint) ? "int64" : "uint64",
    };

    /// <summary>The eight bytes as a number; only for supported types.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long ToInt64(TKey key) => Unsafe.SizeOf<TKey>() switch
    {
        sizeof(byte) => Unsafe.As<TKey, byte>(ref key),
        sizeof(ushort) => Unsafe.As<TKey, ushort>(ref key),
        sizeof(uint) => Unsafe.As<TKey, uint>(ref key),
        _ => Unsafe.As<TKey, long>(ref key),
    };

    public bool TryEncode(TKey key, Span<byte> destination, out int length)
    {
        length = sizeof(long);
        return BinaryPrimitives.TryWriteInt64LittleEndian(destination, ToInt64(key));
    }

    public TKey Decode(ReadOnlySpan<byte> bytes)
    {
        var number = BinaryPrimitives.ReadInt64LittleEndian(bytes);
        return Unsafe.As<long, TKey>(ref number);
    }
}
