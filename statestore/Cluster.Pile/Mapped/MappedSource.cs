using Cluster.Pile.Files;
using Cluster.Pile.Layout;
using Cluster.Pile.Memory;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Mapped;

/// <summary>The memory of one pile in two files, mapped into an address range that has zero pages at first. The tables
/// are mapped as a whole; blocks are mapped by segment, each from its commit until its discard. Owned by its pile; the
/// lock guards which segments are mapped.</summary>
/// <remarks>Addresses without a file read as zero and need no disk space, so neither a late reader nor a full disk
/// kills the process.</remarks>
internal sealed class MappedSource : INativeMemorySource
{
    /// <summary>How long this source does not ask a full disk again. Asking takes about a millisecond, and the caller
    /// holds a lock that every put into a new slab needs. Space that this pile frees ends the pause.</summary>
    public static readonly TimeSpan RefusalPause = TimeSpan.FromMilliseconds(200);

    private readonly Lock _gate = new();
    private readonly NativeRange _addresses;
    private readonly BlockLayout _layout;
    private readonly SafeFileHandle _blocks;
    private readonly bool[] _isShown;
    private readonly TimeProvider _time;
    private bool _isRefused;
    private long _refusedAt;

    /// <summary>Maps the tables, whose file has the size for this layout and its disk space.</summary>
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

    /// <summary>The address range of the pile.</summary>
    public NativeRange Range { get; }

    /// <summary>The folder of the files, for messages.</summary>
    public string Folder { get; init; } = "";

    public string? FullDisk => IsRefused ? Folder : null;

    /// <summary>Whether the disk was full at the last request for memory.</summary>
    public bool IsRefused => Volatile.Read(ref _isRefused);

    public bool ReservesFreely => true;

    /// <summary>Where in the range the file of the tables is mapped: the last page border before the entries.</summary>
    public static long TablesOffset(BlockLayout layout) =>
        layout.EntriesOffset / Environment.SystemPageSize * Environment.SystemPageSize;

    public static long TablesBytes(BlockLayout layout) => layout.BlocksOffset - TablesOffset(layout);

    public static long BlocksBytes(BlockLayout layout) => layout.BlockCount * BlockLayout.BlockBytes;

    // The constructor reserved the only range of this source.
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

    /// <summary>Maps a segment in which blocks are in use, with its content in the file. False: the system
    /// refuses.</summary>
    public bool TryAttach(long segment) =>
        Volatile.Read(ref _isShown[segment]) || TryShowSegment(segment, isNew: false);

    public void AdviseHugePages(nint address, long bytes)
    {
        // File systems have no huge pages, except some in memory, whose administrator decides.
    }

    public void AdviseSmallPages(nint address, long bytes)
    {
        // The pages of files are small.
    }

    // Page faults in native code, as for memory without files.
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

    /// <summary>Unmaps a segment without used blocks, if it is mapped.</summary>
    public void Hide(long segment)
    {
        lock (_gate)
            HideNeedsLock(segment);
    }

    /// <summary>Frees the disk space of every segment that is not mapped; its content is not needed.</summary>
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

    /// <summary>Replaces all files by zero pages and gives the addresses to the next pile. No thread may write any
    /// more.</summary>
    public void Release()
    {
        // If the system refuses, the files stay mapped as long as the process lives.
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
            // The process has reached its limit of mappings. The segment stays mapped, is zeroed, and keeps its disk
            // space.
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
