using Cluster.Slim.Hosting;

namespace Cluster.Glue.Wire;

/// <summary>Reads the fields of the protocol from one received message and refuses invalid ones. Lives on one stack
/// frame.</summary>
internal ref struct WireReader(ReadOnlySpan<byte> source)
{
    private ReadOnlySpan<byte> _rest = source;

    public readonly bool AtEnd => _rest.IsEmpty;

    public readonly int Remaining => _rest.Length;

    /// <summary>The bytes that are not read yet.</summary>
    public readonly ReadOnlySpan<byte> Rest => _rest;

    public byte ReadByte(string what) => ReadBytes(1, what)[0];

    public ulong ReadVarint(string what)
    {
        if (!Varint.TryRead(_rest, out var value, out var length))
            throw new WireException($"{what}: the number is cut short or longer than 64 bits.");
        _rest = _rest[length..];
        return value;
    }

    public int ReadLength(int max, string what)
    {
        var value = ReadVarint(what);
        if (value > (ulong)max)
            throw new WireException($"{what}: {value} is above the limit of {max}.");
        return (int)value;
    }

    public ulong ReadUInt64(string what) => BinaryPrimitives.ReadUInt64LittleEndian(ReadBytes(8, what));

    public uint ReadUInt32(string what) => BinaryPrimitives.ReadUInt32LittleEndian(ReadBytes(4, what));

    public Guid ReadGuid(string what) => new(ReadBytes(16, what));

    public ReadOnlySpan<byte> ReadBytes(int count, string what)
    {
        if (count > _rest.Length)
            throw new WireException($"{what}: {count} bytes are announced, {_rest.Length} are there.");
        var bytes = _rest[..count];
        _rest = _rest[count..];
        return bytes;
    }

    /// <summary>Reads a length and that many bytes. A length beyond the rest of the message is refused.</summary>
    public ReadOnlySpan<byte> ReadBlock(string what) => ReadBytes(ReadLength(_rest.Length, what), what);

    /// <summary>Reads text for messages and logs, cleaned so that it stays on one line.</summary>
    public string ReadPlainText(int bytesMax, string what) => LogText.Clean(ReadText(bytesMax, what), bytesMax);

    public string ReadText(int bytesMax, string what) =>
        Encoding.UTF8.GetString(ReadBytes(ReadLength(bytesMax, what), what));
}
