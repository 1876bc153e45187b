namespace Cluster.Pile.Caching.Keys;

/// <summary>Guids as their sixteen bytes. Stateless.</summary>
internal sealed class GuidKeys : IKeyCodec<Guid>
{
    private const int Bytes = 16;

    public string Form => "guid";

    public bool TryEncode(Guid key, Span<byte> destination, out int length)
    {
        length = Bytes;
        return key.TryWriteBytes(destination);
    }

    public Guid Decode(ReadOnlySpan<byte> bytes) => new(bytes);
}
