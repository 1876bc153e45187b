using Cluster.Pile.Layout;
using Cluster.Pile.Memory;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Slabs;

/// <summary>The slots of a slab that are free and that no thread holds, one bit each. The bits lie outside the slots,
/// so that freeing touches no payload and slots come back in address order. In native memory; guarded by the lock of
/// the slab's size class.</summary>
internal sealed class SlotBitmap(NativeWindow window, BlockLayout layout)
{
    private const int WordBits = 64;

    private readonly NativeWindow _window = window;
    private readonly BlockLayout _layout = layout;

    public void SetAll(long head, int slots)
    {
        for (var slot = 0; slot < slots; slot += WordBits)
        {
            var left = slots - slot;
            _window.WriteWord(WordOffset(head, slot), left >= WordBits ? ulong.MaxValue : (1UL << left) - 1);
        }
    }

    /// <summary>Reports a slot that is freed twice.</summary>
    public SlotDamage Damage { get; init; } = new(blocksFile: null);

    public void Set(long head, int slot)
    {
        var offset = WordOffset(head, slot);
        var word = _window.ReadWord(offset);
        var bit = 1UL << (slot % WordBits);
        if ((word & bit) != 0)
            throw Damage.Of(head << BlockLayout.GranulesPerBlockShift, $"slot {slot} is freed, and was free.");
        _window.WriteWord(offset, word | bit);
    }

    public void Clear(long head, int slot)
    {
        var offset = WordOffset(head, slot);
        _window.WriteWord(offset, _window.ReadWord(offset) & ~(1UL << (slot % WordBits)));
    }

    /// <summary>Clears all bits in the row of a block.</summary>
    public void ClearRow(long block)
    {
        for (var at = 0; at < BlockLayout.BitmapBytes; at += sizeof(ulong))
            _window.WriteWord(_layout.BitmapsOffset + (block * BlockLayout.BitmapBytes) + at, 0);
    }

    public bool IsSet(long head, int slot) =>
        (_window.ReadWord(WordOffset(head, slot)) & (1UL << (slot % WordBits))) != 0;

    /// <summary>Clears the lowest set bits and gives their slots; returns their number.</summary>
    public int Take(long head, int slots, Span<int> taken)
    {
        var count = 0;
        for (var slot = 0; slot < slots && count < taken.Length; slot += WordBits)
        {
            var offset = WordOffset(head, slot);
            var word = _window.ReadWord(offset);
            if (word == 0)
                continue;
            for (; word != 0 && count < taken.Length; word &= word - 1)
                taken[count++] = slot + BitOperations.TrailingZeroCount(word);
            _window.WriteWord(offset, word);
        }

        return count;
    }

    private long WordOffset(long head, int slot) =>
        _layout.BitmapsOffset + (head * BlockLayout.BitmapBytes) + (slot / WordBits * sizeof(ulong));
}
