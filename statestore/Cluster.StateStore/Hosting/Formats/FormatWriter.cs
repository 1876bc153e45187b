namespace Cluster.StateStore.Hosting.Formats;

/// <summary>Writes the little-endian parts of this library's own layouts: numbers, varints and texts. Used by one
/// writer at a time.</summary>
internal sealed class FormatWriter(int capacity)
{
    private readonly ArrayBufferWriter<byte> _output = new ArrayBufferWriter<byte>(capacity);

    public ReadOnlySpan<byte> Written => _output.WrittenSpan;

    /// <summary>Begins again; what was written before is no longer valid.</summary>
    public void Clear() => _output.ResetWrittenCount();

    public void Byte(byte value)
    {
        _output.GetSpan(1)[0] = value;
        _output.Advance(1);
    }

    public void UInt16(ushort value)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(_output.GetSpan(2), value);
        _output.Advance(2);
    }

    public void UInt32(uint value)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(_output.GetSpan(4), value);
        _output.Advance(4);
    }

    public void UInt64(ulong value)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(_output.GetSpan(8), value);
        _output.Advance(8);
    }

    public void Guid(Guid value)
    {
        value.TryWriteBytes(_output.GetSpan(16), bigEndian: true, out _);
        _output.Advance(16);
    }

    /// <summary>Seven bits per byte, the lowest first, the top bit set on all but the last byte.</summary>
    public void Varint(ulong value) =>
        _output.Advance(Slim.Hosting.Varint.Write(_output.GetSpan(Slim.Hosting.Varint.BytesMax), value));

    public void Bytes(ReadOnlySpan<byte> bytes) => _output.Write(bytes);

    /// <summary>The byte count as a varint, then the bytes.</summary>
    public void Block(ReadOnlySpan<byte> bytes)
    {
        Varint((uint)bytes.Length);
        _output.Write(bytes);
    }

    /// <summary>The byte count as a varint, then UTF-8.</summary>
    public void Text(string value)
    {
        var count = Encoding.UTF8.GetByteCount(value);
        Varint((uint)count);
        Encoding.UTF8.GetBytes(value, _output.GetSpan(count));
        _output.Advance(count);
    }
}
