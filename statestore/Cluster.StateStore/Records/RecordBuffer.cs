namespace Cluster.StateStore.Records;

/// <summary>Rented memory that holds one record, while it is composed or after it was read. Used by one user at a time,
/// who disposes it.</summary>
internal sealed class RecordBuffer(int capacity) : IBufferWriter<byte>, IDisposable
{
    private const int CapacityMin = 256;
    private byte[] _bytes = ArrayPool<byte>.Shared.Rent(Math.Max(capacity, CapacityMin));
    private int _length;

    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, _length);

    public StateRecord Record => new(Bytes);

    public int Length => _length;

    /// <summary>Creates a buffer with the header and the key; the caller writes the value next.</summary>
    public static RecordBuffer Start(in StateKey key, int valueCapacity = 0)
    {
        var buffer = new RecordBuffer(StateRecord.HeaderBytes + key.Bytes.Length + valueCapacity);
        var header = buffer.GetSpan(StateRecord.HeaderBytes + key.Bytes.Length);
        header[..StateRecord.HeaderBytes].Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(header[StateRecord.StateIdOffset..], key.StateId);
        BinaryPrimitives.WriteUInt16LittleEndian(
            header[StateRecord.KeyLengthOffset..], checked((ushort)key.Bytes.Length));
        key.Bytes.CopyTo(header[StateRecord.HeaderBytes..]);
        buffer.Advance(StateRecord.HeaderBytes + key.Bytes.Length);
        return buffer;
    }

    /// <summary>Creates a buffer with a record of another node and the expiry that it has on this node.</summary>
    public static RecordBuffer CopyOf(ReadOnlySpan<byte> record, long expiryTicks)
    {
        var buffer = new RecordBuffer(record.Length);
        record.CopyTo(buffer.GetSpan(record.Length));
        buffer.Advance(record.Length);
        buffer.Stamp(buffer.Record.Version, expiryTicks);
        return buffer;
    }

    /// <summary>Sets version and expiry, which only the owner knows, when the record is committed.</summary>
    public void Stamp(long version, long expiryTicks)
    {
        BinaryPrimitives.WriteInt64LittleEndian(_bytes.AsSpan(StateRecord.VersionOffset), version);
        BinaryPrimitives.WriteInt64LittleEndian(_bytes.AsSpan(StateRecord.ExpiryOffset), expiryTicks);
    }

    /// <inheritdoc />
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, _bytes.Length - _length);
        _length += count;
    }

    /// <inheritdoc />
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _bytes.AsMemory(_length);
    }

    /// <inheritdoc />
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _bytes.AsSpan(_length);
    }

    /// <inheritdoc />
    public void Dispose()
    {
        if (_bytes.Length == 0)
            return;
        ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = [];
        _length = 0;
    }

    private void EnsureRoom(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        var needed = checked(_length + Math.Max(sizeHint, 1));
        if (needed <= _bytes.Length)
            return;
        var larger = ArrayPool<byte>.Shared.Rent(Math.Max(needed, checked(_bytes.Length * 2)));
        Bytes.CopyTo(larger);
        ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = larger;
    }
}
