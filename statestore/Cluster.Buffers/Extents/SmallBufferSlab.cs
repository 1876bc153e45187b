using Cluster.Buffers.Errors;

namespace Cluster.Buffers.Extents;

/// <summary>An extent of 64 KiB, cut into slots of one size. Each free slot has a bit outside of the memory. Guarded by
/// the lock of its heap.</summary>
internal sealed class SmallBufferSlab
{
    private const int WordBits = 64;

    private readonly ulong[] _free;

    public SmallBufferSlab(nint address, int sizeIndex, int slotBytes)
    {
        Address = address;
        SizeIndex = sizeIndex;
        SlotBytes = slotBytes;
        SlotCount = SmallBuffers.SlabBytes / slotBytes;
        FreeCount = SlotCount;
        _free = new ulong[(SlotCount + WordBits - 1) / WordBits];
        for (var slot = 0; slot < SlotCount; slot++)
            _free[slot / WordBits] |= 1UL << (slot % WordBits);
    }

    public nint Address { get; }

    public int SizeIndex { get; }

    public int SlotBytes { get; }

    public int SlotCount { get; }

    public int FreeCount { get; private set; }

    /// <summary>The position of the slab in the list of its size; -1 when it has no free slot.</summary>
    public int Position { get; set; } = -1;

    public nint Take()
    {
        var word = Array.FindIndex(_free, bits => bits != 0);
        BufferInvariant.Holds(word >= 0, "A slab in the list has a free slot.");
        var slot = (word * WordBits) + BitOperations.TrailingZeroCount(_free[word]);
        _free[word] &= _free[word] - 1;
        FreeCount--;
        return Address + ((nint)slot * SlotBytes);
    }

    public void Return(nint address)
    {
        var slot = (int)(address - Address) / SlotBytes;
        var isSlot = address == Address + ((nint)slot * SlotBytes) && slot < SlotCount;
        var bit = 1UL << (slot % WordBits);
        BufferInvariant.Holds(isSlot && (_free[slot / WordBits] & bit) == 0, "A slot of the slab is returned once.");
        _free[slot / WordBits] |= bit;
        FreeCount++;
    }
}
