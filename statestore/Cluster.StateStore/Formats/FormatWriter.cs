using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace Cluster.StateStore.Formats;

/// <summary>Writes the little-endian pieces that the library's own layouts are made of. One user at a time.</summary>
internal sealed class FormatWriter
{
    private readonly ArrayBufferWriter<byte> _output;

    internal FormatWriter(int capacity) => _output = new ArrayBufferWriter<byte>(capacity);

    internal ReadOnlySpan<byte> Written => _output.WrittenSpan;

    internal void Byte(byte value)
    {
        _output.GetSpan(1)[0] = value;
        _output.Advance(1);
    }

    internal void UInt16(ushort value)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(_output.GetSpan(2), value);
        _output.Advance(2);
    }

    internal void UInt64(ulong value)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(_output.GetSpan(8), value);
        _output.Advance(8);
    }

    internal void Guid(Guid value)
    {
        value.TryWriteBytes(_output.GetSpan(16), bigEndian: true, out _);
        _output.Advance(16);
    }

    /// <summary>Seven bits per byte, the lowest first, the top bit set on all but the last byte.</summary>
    internal void Varint(ulong value)
    {
        while (value >= 0x80)
        {
            Byte((byte)(value | 0x80));
            value >>= 7;
        }

        Byte((byte)value);
    }

    /// <summary>The byte count as a varint, then UTF-8.</summary>
    internal void Text(string value)
    {
        var count = Encoding.UTF8.GetByteCount(value);
        Varint((uint)count);
        Encoding.UTF8.GetBytes(value, _output.GetSpan(count));
        _output.Advance(count);
    }
}
