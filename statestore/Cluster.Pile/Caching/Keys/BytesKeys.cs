namespace Cluster.Pile.Caching.Keys;

/// <summary>Byte arrays as they are; equal ones are the same key. Stateless.</summary>
internal sealed class BytesKeys : IKeyCodec<byte[]>
{
    public string Form => "bytes";

    public bool TryEncode(byte[] key, Span<byte> destination, out int length)
    {
        length = key.Length;
        return key.AsSpan().TryCopyTo(destination);
    }

    public byte[] Decode(ReadOnlySpan<byte> bytes) => bytes.ToArray();
}
