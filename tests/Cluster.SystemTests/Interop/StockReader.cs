namespace Cluster.SystemTests.Interop;

/// <summary>Reads the basic values of the wire page. Not thread-safe.</summary>
internal sealed class StockReader(byte[] bytes)
{
    private int _at;

    public bool IsAtEnd => _at == bytes.Length;

    public byte[] Rest => bytes[_at..];

    public byte Byte() => bytes[_at++];

    public byte[] Take(int count)
    {
        _at += count;
        return bytes[(_at - count).._at];
    }

    public ulong Varint()
    {
        ulong value = 0;
        for (var shift = 0; ; shift += 7)
        {
            var part = Byte();
            value |= (ulong)(part & 0x7F) << shift;
            if (part < 0x80)
                return value;
        }
    }

    public int Count() => checked((int)Varint());

    public byte[] Block() => Take(Count());

    public string Text() => Encoding.UTF8.GetString(Block());
}
