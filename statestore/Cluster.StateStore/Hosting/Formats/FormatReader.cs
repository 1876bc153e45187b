namespace Cluster.StateStore.Hosting.Formats;

/// <summary>Reads what <see cref="FormatWriter"/> wrote, from bytes that may be damaged: every read is checked against
/// the end and fails with <see cref="StateFormatException"/>. Lives on the stack of one reader.</summary>
internal ref struct FormatReader
{
    private static readonly UTF8Encoding StrictUtf8 = new(false, throwOnInvalidBytes: true);
    private readonly ReadOnlySpan<byte> _input;
    private readonly string _what;
    private int _offset;

    public FormatReader(ReadOnlySpan<byte> input, string what)
    {
        _input = input;
        _what = what;
    }

    public readonly int BytesLeft => _input.Length - _offset;

    /// <summary>Where the next read begins.</summary>
    public readonly int Offset => _offset;

    public byte Byte() => Take(1)[0];

    public ushort UInt16() => BinaryPrimitives.ReadUInt16LittleEndian(Take(2));

    public uint UInt32() => BinaryPrimitives.ReadUInt32LittleEndian(Take(4));

    public ulong UInt64() => BinaryPrimitives.ReadUInt64LittleEndian(Take(8));

    public Guid Guid() => new(Take(16), bigEndian: true);

    public ulong Varint()
    {
        var rest = _input[_offset..];
        if (!Slim.Hosting.Varint.TryRead(rest, out var value, out var length))
        {
            throw Malformed(length < rest.Length || length == Slim.Hosting.Varint.BytesMax
                ? "a number of more than 64 bits"
                : "a number that is cut off");
        }

        if (length > 1 && rest[length - 1] == 0)
            throw Malformed("a number with idle bytes");
        _offset += length;
        return value;
    }

    /// <summary>Reads a varint and checks that it is at most the maximum.</summary>
    public int Count(int maximum, string of)
    {
        var value = Varint();
        return value <= (ulong)maximum ? (int)value : throw Malformed($"{value} {of}, more than {maximum}");
    }

    public string Text(int bytesMax)
    {
        var bytes = Take(Count(bytesMax, "bytes of text"));
        try
        {
            return StrictUtf8.GetString(bytes);
        }
        catch (DecoderFallbackException e)
        {
            throw new StateFormatException($"{_what}: text before offset {_offset} is not UTF-8.", e);
        }
    }

    /// <summary>Reads a byte count and passes over as many bytes.</summary>
    /// <returns>Where the bytes are.</returns>
    public Range Block()
    {
        var count = Count(BytesLeft, "bytes of a block");
        Take(count);
        return (_offset - count).._offset;
    }

    public readonly void End()
    {
        if (BytesLeft != 0)
            throw Malformed($"{BytesLeft} bytes left over");
    }

    public readonly StateFormatException Malformed(string found) => new($"{_what}: at offset {_offset} {found}.");

    private ReadOnlySpan<byte> Take(int count)
    {
        if (count > BytesLeft)
            throw Malformed($"{count} bytes expected, {BytesLeft} left");
        var taken = _input.Slice(_offset, count);
        _offset += count;
        return taken;
    }
}
