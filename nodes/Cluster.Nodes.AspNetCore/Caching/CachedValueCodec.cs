using Cluster.Slim.Messages;

namespace Cluster.Nodes.AspNetCore.Caching;

/// <summary>The form of a cached value in messages and in memory: a byte that says whether an end follows; then the
/// end, and the window, as eight bytes each; then the number of bytes, and the bytes. Values are written from where
/// they lie, and read into arrays of the shared pool, so that a read allocates nothing of the value's size.
/// Stateless.</summary>
internal sealed class CachedValueCodec : SlimCodec<CachedValue>
{
    /// <summary>The most that the form takes beside the bytes, with what the serializer writes around it.</summary>
    public const int OverheadBytes = 64;

    private const int EndBytes = 2 * sizeof(long);

    public override void Write(SlimWriter writer, CachedValue value)
    {
        Span<byte> head = stackalloc byte[1 + EndBytes];
        head[0] = value.EndTicks == 0 ? (byte)0 : (byte)1;
        BinaryPrimitives.WriteInt64LittleEndian(head[1..], value.EndTicks);
        BinaryPrimitives.WriteInt64LittleEndian(head[(1 + sizeof(long))..], value.WindowTicks);
        writer.WriteBytes(value.EndTicks == 0 ? head[..1] : head);
        writer.WriteCount((int)value.Bytes.Length);
        foreach (var part in value.Bytes)
            writer.WriteBytes(part.Span);
    }

    public override CachedValue Create(SlimReader reader)
    {
        Span<byte> head = stackalloc byte[1 + EndBytes];
        reader.ReadBytes(head[..1]);
        if (head[0] != 0)
            reader.ReadBytes(head[1..]);
        else
            head.Clear();
        var length = reader.ReadCount(1);
        reader.Charge(length);
        var bytes = ArrayPool<byte>.Shared.Rent(length);
        reader.ReadBytes(bytes.AsSpan(0, length));
        return CachedValue.OfPooled(
            bytes,
            length,
            BinaryPrimitives.ReadInt64LittleEndian(head[1..]),
            BinaryPrimitives.ReadInt64LittleEndian(head[(1 + sizeof(long))..]));
    }
}
