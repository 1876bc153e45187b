using Cluster.Buffers.Errors;

namespace Cluster.Buffers.Extents;

/// <summary>Buffers too small for their own extent, in slabs of 64 KiB by size. Guarded by the lock of its
/// heap.</summary>
internal sealed class SmallBuffers
{
    public const int SlabBytes = 1 << SlabShift;

    /// <summary>Every buffer starts at a multiple of this, one line of the processor's cache.</summary>
    public const int AlignmentBytes = 64;

    /// <summary>The largest size that shares a slab.</summary>
    public const int BytesMax = SlabBytes / 2;

    private const int SlabShift = 16;

    // At most an eighth of a slot is unused because of rounding up to its size.
    private const int StepFactor = 8;

    private static readonly int[] Sizes = [.. AllSizes()];

    private readonly IExtentSource _source;
    private readonly List<SmallBufferSlab>[] _open = new List<SmallBufferSlab>[Sizes.Length];
    private readonly Dictionary<nint, SmallBufferSlab> _slabs = [];

    public SmallBuffers(IExtentSource source)
    {
        _source = source;
        for (var index = 0; index < _open.Length; index++)
            _open[index] = [];
    }

    /// <summary>Takes memory with any content.</summary>
    public nint Take(long bytes)
    {
        var index = IndexFor(bytes);
        if (_open[index].Count == 0)
            AddSlab(index);
        var slab = _open[index][^1];
        var address = slab.Take();
        if (slab.FreeCount == 0)
            Close(slab);
        return address;
    }

    public void Return(nint address)
    {
        var isKnown = _slabs.TryGetValue(address >> SlabShift, out var slab);
        BufferInvariant.Holds(isKnown && slab is not null, "A small buffer lies in a slab.");
        slab.Return(address);
        if (slab.FreeCount == 1)
            Open(slab);

        // The last slab of a size stays, so that a single buffer that comes and goes does not create and end slabs.
        if (slab.FreeCount < slab.SlotCount || _open[slab.SizeIndex].Count == 1)
            return;
        Close(slab);
        _slabs.Remove(slab.Address >> SlabShift);
        _source.Return(slab.Address, SlabBytes);
    }

    private static IEnumerable<int> AllSizes()
    {
        for (var size = AlignmentBytes; size < BytesMax;)
        {
            yield return size;
            var wanted = Aligned(size + Math.Max(AlignmentBytes, size / StepFactor));
            size = Math.Min(BytesMax, SlabBytes / (SlabBytes / wanted) / AlignmentBytes * AlignmentBytes);
        }

        yield return BytesMax;
    }

    private static int Aligned(int bytes) => (bytes + AlignmentBytes - 1) / AlignmentBytes * AlignmentBytes;

    private static int IndexFor(long bytes)
    {
        var index = Array.BinarySearch(Sizes, (int)bytes);
        return index < 0 ? ~index : index;
    }

    private void AddSlab(int index)
    {
        var extent = _source.Take(SlabBytes, SlabBytes);
        var slab = new SmallBufferSlab(extent.Address, index, Sizes[index]);
        _slabs.Add(slab.Address >> SlabShift, slab);
        Open(slab);
    }

    private void Open(SmallBufferSlab slab)
    {
        slab.Position = _open[slab.SizeIndex].Count;
        _open[slab.SizeIndex].Add(slab);
    }

    private void Close(SmallBufferSlab slab)
    {
        var open = _open[slab.SizeIndex];
        var last = open[^1];
        open[slab.Position] = last;
        last.Position = slab.Position;
        open.RemoveAt(open.Count - 1);
        slab.Position = -1;
    }
}
