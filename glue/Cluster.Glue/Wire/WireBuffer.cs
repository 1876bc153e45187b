using Cluster.Slim.Hosting;

namespace Cluster.Glue.Wire;

/// <summary>A growing byte buffer with methods for the fields of the protocol and a hard limit. Owned by one user at a
/// time; reused through <see cref="Reset"/>, which returns large arrays to the pool.</summary>
internal sealed class WireBuffer(int initialBytes, int bytesMax) : IBufferWriter<byte>
{
    private readonly byte[] _own = new byte[initialBytes];
    private byte[]? _rented;
    private int _count;

    public int Count => _count;

    public int BytesMax { get; set; } = bytesMax;

    public ReadOnlySpan<byte> WrittenSpan => Current.AsSpan(0, _count);

    public ReadOnlyMemory<byte> WrittenMemory => Current.AsMemory(0, _count);

    private byte[] Current => _rented ?? _own;

    public void Reset()
    {
        _count = 0;
        if (_rented is null)
            return;
        ArrayPool<byte>.Shared.Return(_rented);
        _rented = null;
    }

    /// <summary>Hands over the written bytes, without a copy if they are many. The buffer is empty
    /// afterwards.</summary>
    public PooledBytes Detach()
    {
        var bytes = _rented ?? ArrayPool<byte>.Shared.Rent(_count);
        if (_rented is null)
            WrittenSpan.CopyTo(bytes);
        var detached = new PooledBytes(bytes, _count);
        _rented = null;
        _count = 0;
        return detached;
    }

    /// <summary>Replaces the written bytes by bytes that their only user gives up.</summary>
    public void Adopt(PooledBytes bytes)
    {
        Reset();
        _count = bytes.Count;
        _rented = bytes.Take();
    }

    /// <summary>Removes bytes at the beginning; the others move there.</summary>
    public void RemoveFirst(int count)
    {
        if (count == _count)
        {
            Reset();
            return;
        }

        Current.AsSpan(count, _count - count).CopyTo(Current);
        _count -= count;
    }

    /// <summary>Inserts bytes at an offset. The bytes of the buffer from that offset on move behind them.</summary>
    public void Insert(int offset, ReadOnlySpan<byte> bytes)
    {
        EnsureRoom(bytes.Length);
        Current.AsSpan(offset, _count - offset).CopyTo(Current.AsSpan(offset + bytes.Length));
        bytes.CopyTo(Current.AsSpan(offset));
        Advance(bytes.Length);
    }

    /// <summary>Removes all bytes behind an offset.</summary>
    public void Truncate(int count) => _count = Math.Min(_count, count);

    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        if (count > Current.Length - _count)
            throw new ArgumentOutOfRangeException(nameof(count), count, "More than the span that was handed out.");
        _count += count;
        if (_count > BytesMax)
            throw new WireLimitException(_count, BytesMax);
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return Current.AsMemory(_count);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return Current.AsSpan(_count);
    }

    public void WriteByte(byte value)
    {
        GetSpan(1)[0] = value;
        Advance(1);
    }

    public void WriteVarint(ulong value) => Advance(Varint.Write(GetSpan(Varint.BytesMax), value));

    public void WriteUInt32(uint value)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(GetSpan(4), value);
        Advance(4);
    }

    public void WriteUInt64(ulong value)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(GetSpan(8), value);
        Advance(8);
    }

    public void WriteGuid(Guid value)
    {
        value.TryWriteBytes(GetSpan(16));
        Advance(16);
    }

    public void WriteBytes(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(GetSpan(bytes.Length));
        Advance(bytes.Length);
    }

    public void WriteBlock(ReadOnlySpan<byte> bytes)
    {
        WriteVarint((ulong)bytes.Length);
        WriteBytes(bytes);
    }

    public void WriteText(string text)
    {
        var length = Encoding.UTF8.GetByteCount(text);
        WriteVarint((ulong)length);
        Encoding.UTF8.GetBytes(text, GetSpan(length));
        Advance(length);
    }

    private void EnsureRoom(int sizeHint)
    {
        var needed = checked(_count + Math.Max(sizeHint, 1));
        if (needed <= Current.Length)
            return;
        // Slightly more room than the limit is handed out, because writers ask for more than they use. Advance enforces
        // the limit.
        if (_count > BytesMax || sizeHint > BytesMax + 64L * 1024)
            throw new WireLimitException(needed, BytesMax);
        // Grow by four: that copies a third of the written bytes once more in total; growing by two would copy all of
        // them once more.
        var grown = (int)Math.Min(Current.Length * 4L, Math.Min(BytesMax + 64L, Array.MaxLength));
        var larger = ArrayPool<byte>.Shared.Rent(Math.Max(needed, grown));
        Current.AsSpan(0, _count).CopyTo(larger);
        if (_rented is not null)
            ArrayPool<byte>.Shared.Return(_rented);
        _rented = larger;
    }
}
