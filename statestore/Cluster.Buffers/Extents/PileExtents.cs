using Cluster.Buffers.Errors;
using Cluster.Pile.Hosting;

namespace Cluster.Buffers.Extents;

/// <summary>Extents out of the blocks of one pile, within its budget. Thread-safe as the pile is.</summary>
internal sealed class PileExtents(PileMemory memory) : IExtentSource
{
    private readonly PileMemory _memory = memory;

    public long TakenBytes => _memory.TakenBytes;

    public Extent Take(long bytes, long alignment)
    {
        BufferInvariant.Holds(alignment <= PileMemory.AlignmentBytes, "Blocks of a pile are aligned as asked.");
        var blocks = _memory.Take(bytes);
        return new Extent(
            blocks.Address, blocks.Bytes, blocks.DirtyBytes == 0 ? [] : [new Interval(0, blocks.DirtyBytes)]);
    }

    public void Return(nint address, long bytes) => _memory.Return(address, bytes);
}
