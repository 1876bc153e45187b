namespace Cluster.Buffers.Handles;

/// <summary>The table's entry of one buffer. It is in native memory that is never freed, so that a handle can be
/// checked at any time. The state is written last when a buffer begins and first when it ends.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct BufferEntry
{
    public const int Bytes = 32;

    /// <summary>A <see cref="BufferWord"/>.</summary>
    public ulong State;

    public nint Address;

    /// <summary>The requested size in bytes.</summary>
    public long Length;

    /// <summary>The heap that the memory belongs to.</summary>
    public int Heap;

    /// <summary>The next vacant entry, while this one is vacant; guarded by the table's lock.</summary>
    public int Next;
}
