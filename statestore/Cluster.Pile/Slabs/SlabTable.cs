using Cluster.Pile.Barriers;
using Cluster.Pile.Layout;
using Cluster.Pile.Memory;

namespace Cluster.Pile.Slabs;

/// <summary>The bookkeeping of blocks in native memory: the entry that readers check, and the descriptor that owners
/// keep. Entries are atomic words; descriptors of a slab are guarded by the lock of its size class, of a vacant block
/// by the arena's.</summary>
/// <remarks>
/// Descriptor, 32 bytes:
/// <code>
/// bytes  0..3   high water  next unused counter of the block's addresses; above the maximum: never used again
/// bytes  4..7   deadline    no object whose slot begins in the block expires before it; zero for none
/// bytes  8..11  count       first block: free slots of the slab that no thread holds, or blocks of the run or
///                           segment; later block of a segment: its first block
/// bytes 12..15  list        first block: the number of its list of slabs by fill, zero for none
/// bytes 16..23  links       first block: neighbours in its list of slabs (next 32 bits, previous 32 bits), or bytes
///                           of the segment that are not used any more
/// bytes 24..27  check       in files: the <see cref="RowCheck"/> of the row
/// bytes 28..31  sum         in files: checksum of the block; zero when the content may have changed since
/// </code>
/// </remarks>
/// <param name="window">The memory.</param>
/// <param name="layout">Where the tables lie in it.</param>
/// <param name="isLasting">Whether the tables outlive the process, and so have check numbers.</param>
internal sealed class SlabTable(NativeWindow window, BlockLayout layout, bool isLasting = false)
{
    /// <summary>The offset of check and sum in a descriptor.</summary>
    public const int ChecksAt = 24;

    private const int DeadlineShift = 32;
    private const int CountAt = 8;
    private const int LinksAt = 16;

    private readonly NativeWindow _window = window;
    private readonly BlockLayout _layout = layout;
    private readonly long _entries = layout.EntriesOffset;
    private readonly bool _isLasting = isLasting;

    public long BlockCount => _layout.BlockCount;

    /// <summary>The offset of the entries, for readers that have checked the block number.</summary>
    public long EntriesOffset => _entries;

    /// <summary>The write barrier that runs before the first store into a block or its entry.</summary>
    public WriteBarrier Barrier { get; } = new();

    /// <summary>The block that a granule lies in.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long BlockOf(long granule) => granule >> BlockLayout.GranulesPerBlockShift;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SlabEntry Entry(long block) => new(_window.ReadWord(_entries + (block * BlockLayout.EntryBytes)));

    public void SetEntry(long block, SlabEntry entry)
    {
        BeginChange(block);
        _window.WriteWord(_entries + (block * BlockLayout.EntryBytes), entry.Word);
        if (_isLasting)
            SettleRow(block);
    }

    /// <summary>Called before a version wraps to zero, so that a reader that slept through all versions still
    /// notices.</summary>
    public void NoteWrap(long granule) =>
        _window.AddToWord(_entries + (BlockOf(granule) * BlockLayout.EntryBytes), SlabEntry.OneWrap);

    public uint HighWater(long block) => (uint)_window.ReadWord(Descriptor(block));

    /// <summary>Adds unused bytes to those of a segment, by its first block, and returns the sum.</summary>
    public long AddDead(long head, long bytes) => (long)_window.AddToWord(Descriptor(head) + LinksAt, (ulong)bytes);

    /// <summary>The unused bytes of a segment.</summary>
    public long Dead(long head) => (long)_window.ReadWord(Descriptor(head) + LinksAt);

    public void ClearDead(long head) => _window.WriteWord(Descriptor(head) + LinksAt, 0);

    /// <summary>Sets the high water of an unused block, and clears its deadline.</summary>
    public void SetHighWater(long block, uint counter)
    {
        BeginChange(block);
        _window.WriteWord(Descriptor(block), counter);
        if (_isLasting)
            SettleRow(block);
    }

    public uint Deadline(long block) => (uint)(_window.ReadWord(Descriptor(block)) >> DeadlineShift);

    /// <summary>Sets the deadline of a used block. False: it has changed since it was seen.</summary>
    public bool TryReplaceDeadline(long block, uint seen, uint deadline)
    {
        var word = _window.ReadWord(Descriptor(block));
        var next = (uint)word | ((ulong)deadline << DeadlineShift);
        return (uint)(word >> DeadlineShift) == seen && _window.TryExchangeWord(Descriptor(block), word, next);
    }

    public long Count(long head) => _window.ReadHalf(Descriptor(head) + CountAt);

    public void SetCount(long head, long count) => _window.WriteHalf(Descriptor(head) + CountAt, (uint)count);

    public int List(long head) => (int)_window.ReadUpperHalf(Descriptor(head) + CountAt);

    public void SetList(long head, int list) => _window.WriteUpperHalf(Descriptor(head) + CountAt, (uint)list);

    public (long Next, long Previous) Links(long head)
    {
        var word = _window.ReadWord(Descriptor(head) + LinksAt);
        return ((long)(word >> 32), (long)(uint)word);
    }

    public void SetLinks(long head, long next, long previous) =>
        _window.WriteWord(Descriptor(head) + LinksAt, ((ulong)next << 32) | (uint)previous);

    /// <summary>Whether the check of a row is right, or says that the row was being changed.</summary>
    public bool IsRowWhole(long block)
    {
        var check = _window.ReadHalf(Descriptor(block) + ChecksAt);
        return check == RowCheck.Of(block, Entry(block), HighWater(block)) || check == RowCheck.Changing(block);
    }

    /// <summary>Sets the check of a row to its present content.</summary>
    public void SettleRow(long block) =>
        _window.WriteHalf(Descriptor(block) + ChecksAt, RowCheck.Of(block, Entry(block), HighWater(block)));

    /// <summary>The checksum of a block, or zero when the block may have changed since.</summary>
    public uint Sum(long block) => _window.ReadUpperHalf(Descriptor(block) + ChecksAt);

    public void SetSum(long block, uint sum) => _window.WriteUpperHalf(Descriptor(block) + ChecksAt, sum);

    // Only the owner of a row changes it.
    private void BeginChange(long block)
    {
        if (_isLasting)
            _window.WriteHalf(Descriptor(block) + ChecksAt, RowCheck.Changing(block));
    }

    private long Descriptor(long block)
    {
        Invariant.Holds((ulong)block <= (ulong)_layout.BlockCount, "The block exists.");
        return _layout.DescriptorsOffset + (block * BlockLayout.DescriptorBytes);
    }
}
