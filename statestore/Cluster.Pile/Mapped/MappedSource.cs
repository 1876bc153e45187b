using Cluster.Pile.Memory;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Mapped;

/// <summary>The memory of one pile in two files, shown in an address range that lies there as zero pages from the
/// start: tables as a whole, blocks by the segment, each from when it is committed until it is discarded. Owned by its
/// pile; which segments are shown is guarded by the lock.</summary>
/// <remarks>Whatever is not shown reads as zero and needs no place on the disk, so neither a late reader nor a full
/// disk ends the process.</remarks>
internal sealed class MappedSource : INativeMemorySource
{
    /// <summary>How long a disk that had no room is not asked again: asking takes about a millisecond, and callers hold
    /// a lock meanwhile that every put into a new slab needs. Room that this pile gives back ends the pause.</summary>
    public static readonly TimeSpan RefusalPause = TimeSpan.FromMilliseconds(200);

    private readonly Lock _gate = new();
    private readonly NativeRange _addresses;
    private readonly BlockLayout _layout;
    private readonly SafeFileHandle _blocks;
    private readonly bool[] _isShown;
    private readonly TimeProvider _time;
    private bool _isRefused;
    private long _refusedAt;

    /// <summary>Shows the tables, whose file has the size for this layout and its place on the disk.</summary>
    public MappedSource(BlockLayout layout, SafeFileHandle tables, SafeFileHandle blocks, TimeProvider time)
    {
        _layout = layout;
        _time = time;
        _blocks = blocks;
        _addresses = NativeRangePool.Rent(NativeMemorySource.ForThisSystem, layout.RangeBytes);
        _isShown = new bool[(layout.BlockCount + BlockLayout.BlocksPerSegment - 1) / BlockLayout.BlocksPerSegment];
        Range = new NativeRange(this, _addresses.Address, layout.RangeBytes);
        if (!FileMapping.TryShow(tables, 0, AddressOf(TablesOffset(layout)), TablesBytes(layout)))
        {
            NativeRangePool.Return(_addresses);
            throw new InsufficientMemoryException(
                $"The system refused to map {TablesBytes(layout):N0} bytes of bookkeeping; raise the limit on the "
                + "address space of this process.");
        }
    }

    /// <summary>The addresses with the files in them.</summary>
    public NativeRange Range { get; }

    /// <summary>Whether the disk had no room the last time that memory was asked for.</summary>
    public bool IsRefused => Volatile.Read(ref _isRefused);

    public bool ReservesFreely => true;

    /// <summary>Where in the range the file of the tables is shown: the last page border before the entries.</summary>
    public static long TablesOffset(BlockLayout layout) =>
        layout.EntriesOffset / Environment.SystemPageSize * Environment.SystemPageSize;

    /// <summary>The size of the file of the tables.</summary>
    public static long TablesBytes(BlockLayout layout) => layout.BlocksOffset - TablesOffset(layout);

    /// <summary>The size of the file of the blocks.</summary>
    public static long BlocksBytes(BlockLayout layout) => layout.BlockCount * BlockLayout.BlockBytes;

    // The range was reserved with the source; there is no other.
    public nint Reserve(long bytes) => 0;

    public bool TryCommit(nint address, long bytes)
    {
        var end = address - _addresses.Address + bytes - _layout.BlocksOffset;
        if (end <= 0)
            return true;
        var first = Math.Max(0, end - bytes) / BlockLayout.SegmentBytes;
        var isThere = true;
        for (var segment = first; segment * BlockLayout.SegmentBytes < end; segment++)
            isThere = isThere && (Volatile.Read(ref _isShown[segment]) || TryShowSegment(segment, isNew: true));
        return isThere;
    }

    /// <summary>Shows a segment of which blocks are in use, as the file has it; false when the system
    /// refuses.</summary>
    public bool TryAttach(long segment) =>
        Volatile.Read(ref _isShown[segment]) || TryShowSegment(segment, isNew: false);

    public void AdviseHugePages(nint address, long bytes)
    {
        // File systems have none, but for some in memory, whose administrator decides.
    }

    public void AdviseSmallPages(nint address, long bytes)
    {
        // They are small.
    }

    // By page faults in native code, as the memory without files does.
    public bool TryPopulate(nint address, long bytes) => _addresses.Source.TryPopulate(address, bytes);

    public void Discard(nint address, long bytes)
    {
        var start = address - _addresses.Address - _layout.BlocksOffset;
        Invariant.Holds(start >= 0 && start % BlockLayout.SegmentBytes == 0, "Whole segments are discarded.");
        var end = start + bytes;
        lock (_gate)
        {
            for (var segment = start / BlockLayout.SegmentBytes; segment * BlockLayout.SegmentBytes < end; segment++)
                HideNeedsLock(segment);
        }
    }

    /// <summary>Hides a segment in which nothing is of use, if it is shown.</summary>
    public void Hide(long segment)
    {
        lock (_gate)
            HideNeedsLock(segment);
    }

    /// <summary>Takes the place on the disk from every segment that is not shown: what lies there is of no
    /// use.</summary>
    public void DropHidden()
    {
        lock (_gate)
        {
            for (long segment = 0; segment < _isShown.LongLength; segment++)
            {
                var first = segment;
                while (segment < _isShown.LongLength && !_isShown[segment])
                    segment++;
                var end = Math.Min(segment * BlockLayout.SegmentBytes, BlocksBytes(_layout));
                FileSpace.Drop(_blocks, first * BlockLayout.SegmentBytes, end - (first * BlockLayout.SegmentBytes));
            }
        }
    }

    /// <summary>Replaces all files by zero pages and gives the addresses to the next pile. Nobody writes any
    /// more.</summary>
    public void Release()
    {
        // Should the system refuse, the files stay where they are, for the life of the process.
        if (FileMapping.TryHide(_addresses.Address, _layout.RangeBytes))
            NativeRangePool.Return(_addresses);
    }

    private bool TryShowSegment(long segment, bool isNew)
    {
        var (offset, bytes) = PartOf(segment);
        lock (_gate)
        {
            if (_isShown[segment])
                return true;
            if (isNew && _isRefused && _time.GetElapsedTime(_refusedAt) < RefusalPause)
                return false;
            var hasPlace = isNew
                ? FileSpace.TryMake(_blocks, offset, bytes)
                : FileSpace.TryKeep(_blocks, offset, bytes);
            _refusedAt = hasPlace ? 0 : _time.GetTimestamp();
            Volatile.Write(ref _isRefused, !hasPlace);
            var address = AddressOf(_layout.BlocksOffset + offset);
            if (!hasPlace || !FileMapping.TryShow(_blocks, offset, address, bytes))
                return false;
            Volatile.Write(ref _isShown[segment], true);
            return true;
        }
    }

    private void HideNeedsLock(long segment)
    {
        if (!_isShown[segment])
            return;
        var (offset, bytes) = PartOf(segment);
        if (!FileMapping.TryHide(AddressOf(_layout.BlocksOffset + offset), bytes))
        {
            // The process has as many mappings as it may; then the segment stays, zeroed, with its place.
            Clear(_layout.BlocksOffset + offset, bytes);
            return;
        }

        Volatile.Write(ref _isShown[segment], false);
        FileSpace.Drop(_blocks, offset, bytes);
        Volatile.Write(ref _isRefused, false);
    }

    private nint AddressOf(long offset) => _addresses.Address + (nint)offset;

    private void Clear(long offset, long bytes)
    {
        var window = Range.OpenWindow();
        for (long at = 0; at < bytes; at += sizeof(ulong))
            window.WriteWord(offset + at, 0);
    }

    private (long Offset, long Bytes) PartOf(long segment)
    {
        var offset = segment * BlockLayout.SegmentBytes;
        return (offset, Math.Min(BlockLayout.SegmentBytes, BlocksBytes(_layout) - offset));
    }
}
