namespace Cluster.Pile.Tables.Records;

/// <summary>A key for tables of records: its canonical bytes and their hash by <see cref="KeyHash"/>. Owned by the
/// method that makes it.</summary>
internal readonly ref struct RecordKey
{
    public RecordKey(ulong hash, ReadOnlySpan<byte> bytes)
    {
        Hash = hash;
        Bytes = bytes;
    }

    public ulong Hash { get; }

    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>The key of an integer; the caller keeps the integer alive.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static RecordKey Of(KeyHash hash, ref readonly long key) =>
        new(hash.OfInteger(key), MemoryMarshal.AsBytes(new ReadOnlySpan<long>(in key)));
}
