namespace Cluster.Pile.Tables;

/// <summary>Where a read copies a value to. Owned by the method that makes it.</summary>
internal readonly ref struct RecordTarget(Span<byte> bytes, RecordPart part)
{
    private readonly Span<byte> _bytes = bytes;
    private readonly RecordPart _part = part;

    /// <summary>The bytes to fill from the start of a value of this length; empty if the value is not to be
    /// copied.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> For(int valueBytes) =>
        valueBytes <= _bytes.Length ? _bytes[..valueBytes]
            : _part == RecordPart.Head ? _bytes
            : default;
}
