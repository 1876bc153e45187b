namespace Cluster.Buffers.Handles;

/// <summary>What the table knows of one buffer. Lies in native memory that is never given back, so that a handle can be
/// checked at any time. The state is written last when a buffer begins and first when it ends.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct BufferEntry
{
    /// <summary>Bytes of an entry.</summary>
    public const int Bytes = 32;

    /// <summary>A <see cref="BufferWord"/>.</summary>
    public ulong State;

    public nint Address;

    /// <summary>The size that was asked for.</summary>
    public long Length;

    /// <summary>The heap whose memory it is.</summary>
    public int Heap;

    /// <summary>The next vacant entry, while this one is vacant; guarded by the table's lock.</summary>
    public int Next;
}
