namespace Cluster.StateStore.Records;

/// <summary>
/// One record as it lies in the pile and travels at a hand-off. A view over bytes that somebody else owns; normative in
/// <c>docs/formats/state-record.md</c>.
/// <code>
/// offset  bytes  content (little-endian)
///      0      8  version of the last write
///      8      8  UTC tick at which it expires, 0 for never
///     16      4  state id: the low half of the hash of the state's name
///     20      2  key length k
///     22      k  canonical key bytes
///   22+k   rest  value bytes, as the client serialized them
/// </code>
/// </summary>
internal readonly ref struct StateRecord(ReadOnlySpan<byte> bytes)
{
    public const int HeaderBytes = 22;
    public const int VersionOffset = 0;
    public const int ExpiryOffset = 8;
    public const int StateIdOffset = 16;
    public const int KeyLengthOffset = 20;

    private readonly ReadOnlySpan<byte> _bytes = bytes;

    public long Version => BinaryPrimitives.ReadInt64LittleEndian(_bytes[VersionOffset..]);

    public long ExpiryTicks => BinaryPrimitives.ReadInt64LittleEndian(_bytes[ExpiryOffset..]);

    public uint StateId => BinaryPrimitives.ReadUInt32LittleEndian(_bytes[StateIdOffset..]);

    public ReadOnlySpan<byte> Key => _bytes.Slice(HeaderBytes, KeyLength);

    public ReadOnlySpan<byte> Value => _bytes[(HeaderBytes + KeyLength)..];

    private int KeyLength => BinaryPrimitives.ReadUInt16LittleEndian(_bytes[KeyLengthOffset..]);

    /// <summary>Whether bytes from outside have the shape of a record.</summary>
    public static bool IsWellFormed(ReadOnlySpan<byte> bytes) =>
        bytes.Length >= HeaderBytes
        && bytes.Length - HeaderBytes >= BinaryPrimitives.ReadUInt16LittleEndian(bytes[KeyLengthOffset..])
        && BinaryPrimitives.ReadInt64LittleEndian(bytes[ExpiryOffset..]) >= 0;

    public bool IsOf(in StateKey key) => StateId == key.StateId && Key.SequenceEqual(key.Bytes);

    public bool IsExpired(long nowTicks) => ExpiryTicks != 0 && ExpiryTicks <= nowTicks;
}
