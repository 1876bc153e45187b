using Cluster.Slim.Hosting;

namespace Cluster.Slim.Messages;

/// <summary>Bytes in a message, in memory that need not be an array of their own. The written form is that of a
/// <c>byte[]</c>: a member of one type can be read as a member of the other. The writer does not refer to the bytes any
/// more when the message is complete. The reader's host says in whose memory bytes lie that were read, see
/// <see cref="SlimBytesMemory"/>. For members of messages only: not a root, and not in a box. Immutable, except that
/// <see cref="Return"/> ends its use.</summary>
public readonly record struct SlimBytes
{
    // The start of bytes that fill an array of the shared pool from its beginning.
    private const int Pooled = -1;

    private readonly byte[]? _array;
    private readonly int _start;
    private readonly int _count;

    /// <summary>Creates bytes that are a whole array.</summary>
    /// <param name="array">The array; null: there are no bytes.</param>
    public SlimBytes(byte[]? array)
        : this(array, 0, array?.Length ?? 0)
    {
    }

    /// <summary>Creates bytes that are a part of the memory of somebody else, who keeps them unchanged until the
    /// message has been used.</summary>
    /// <param name="memory">The bytes. Memory that lies in no array is copied.</param>
    public SlimBytes(ReadOnlyMemory<byte> memory)
    {
        var part = MemoryMarshal.TryGetArray(memory, out var segment) ? segment : new(memory.ToArray());
        (_array, _start, _count) = (part.Array ?? [], part.Offset, part.Count);
    }

    private SlimBytes(byte[]? array, int start, int count) => (_array, _start, _count) = (array, start, count);

    /// <summary>Whether there are no bytes, not even an empty array of them.</summary>
    public bool IsNull => _array is null;

    /// <summary>The number of bytes.</summary>
    public int Length => _count;

    /// <summary>The bytes; empty if there are none.</summary>
    public ReadOnlySpan<byte> Span => _array.AsSpan(Math.Max(0, _start), _count);

    /// <summary>The bytes; empty if there are none.</summary>
    public ReadOnlyMemory<byte> Memory => _array.AsMemory(Math.Max(0, _start), _count);

    /// <summary>Makes bytes of an array.</summary>
    /// <param name="array">The array; null: there are no bytes.</param>
    public static implicit operator SlimBytes(byte[]? array) => new(array);

    /// <summary>Copies the bytes into an array. Null: there are none.</summary>
    public byte[]? ToArray() => IsNull ? null : Span.ToArray();

    /// <summary>Gives memory of the shared pool back; does nothing for other memory. Only the one who owns the message
    /// may call it, once, and nobody may read the bytes afterwards.</summary>
    public void Return()
    {
        if (_start == Pooled)
            ArrayPool<byte>.Shared.Return(_array!);
    }

    /// <summary>Copies bytes into an array of the shared pool.</summary>
    internal static SlimBytes CopyToPool(ReadOnlySpan<byte> bytes)
    {
        var array = ArrayPool<byte>.Shared.Rent(bytes.Length);
        bytes.CopyTo(array);
        return new SlimBytes(array, Pooled, bytes.Length);
    }
}
