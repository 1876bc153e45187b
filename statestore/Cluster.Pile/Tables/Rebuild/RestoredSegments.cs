using Cluster.Pile.Layout;
using Cluster.Pile.Objects;
using Cluster.Pile.Tables.Log;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tables.Rebuild;

/// <summary>The log segments in the blocks of a restored or attached pile that no table has taken over yet: those of
/// non-evicting tables first, and the segments of each table in the order of their creation. Segments of evicting
/// tables are given up here when other restored parts need their memory. Owned by one rebuild; not
/// thread-safe.</summary>
internal sealed class RestoredSegments(
    RecordContext context, ObjectStore objects, IReadOnlyList<RecordTableOptions> tables, RecordRebuildRules rules)
{
    private const int LevelMax = 32;

    private readonly RecordContext _context = context;
    private readonly RecordSpace _space = context.Space;
    private readonly ObjectStore _objects = objects;
    private readonly IReadOnlyList<RecordTableOptions> _tables = tables;
    private readonly RecordRebuildRules _rules = rules;
    private readonly LinkedList<(LogSegment Segment, int Table)> _waiting = [];

    /// <summary>Reads the headers of all segments that were found. Damaged segments are reported and freed.</summary>
    public void Open(IReadOnlyList<(long Head, long Blocks)> segments)
    {
        var opened = new List<(LogSegment Segment, int Table)>();
        foreach (var (head, blocks) in segments)
        {
            if (TryOpen(head, blocks, out var segment, out var table))
                opened.Add((segment, table));
            else
                Drop(head);
        }

        foreach (var one in opened.OrderBy(one => _tables[one.Table].MayForget).ThenBy(one => one.Segment.Sequence))
            _waiting.AddLast(one);
    }

    /// <summary>Takes the next segment. False: no segment is left.</summary>
    public bool TryTake([NotNullWhen(true)] out LogSegment? segment, out int table)
    {
        (segment, table) = _waiting.First?.Value ?? default;
        if (segment is null)
            return false;
        _waiting.RemoveFirst();
        return true;
    }

    /// <summary>Gives up one segment of an evicting table: the oldest one of the lowest priority. Deletes the objects
    /// that its records own. False: no such segment is left.</summary>
    public bool TryGiveUp()
    {
        var victims = _waiting.Where(one => _tables[one.Table].MayForget);
        if (!victims.Any())
            return false;
        var victim = victims.MinBy(one => (one.Segment.Class.Priority, one.Segment.Class.IsMain, one.Segment.Sequence));
        _waiting.Remove(victim);
        DeleteOwned(victim.Segment);
        Drop(victim.Segment.Head);
        return true;
    }

    /// <summary>The offset of the first record of a segment.</summary>
    public static long FirstIn(LogSegment segment) => segment.Offset + SegmentHeader.Bytes;

    /// <summary>Describes what is wrong with the header of a record; null when nothing is wrong.</summary>
    public string? Problem(LogSegment segment, long offset, RecordHeader header)
    {
        var isNone = header.State == RecordState.Blank && header.Word != 0;
        var problem = isNone || header.State > RecordState.Owing ? "is in no state"
            : header.Kind > RecordKind.Pointer ? "is of no kind"
            : header.Kind == RecordKind.Pointer && header.ValueBytes < sizeof(ulong) ? "has no room for its pointer"
            : header.Extent > _space.EndOf(segment) - offset ? "ends behind the last one"
            : null;
        return problem is null ? null : $"The record at byte {offset - segment.Offset} of its log segment {problem}.";
    }

    private bool TryOpen(long head, long blocks, [NotNullWhen(true)] out LogSegment? segment, out int table)
    {
        var offset = _space.BlockOffset(head);
        var window = _space.Window;
        var described = window.ReadWord(offset + SegmentHeader.TableAt);
        var logClass = SegmentHeader.ClassOf(described, window.ReadWord(offset + SegmentHeader.WindowAt));
        var bytes = blocks * BlockLayout.BlockBytes;
        segment = new LogSegment(
            head, offset, bytes, logClass, window.ReadWord(offset + SegmentHeader.SequenceAt));
        table = (int)SegmentHeader.TableOf(described);
        var end = _space.EndOf(segment) - offset;
        var magic = window.ReadWord(offset + SegmentHeader.MagicAt);
        if (magic == SegmentHeader.Unmade && _rules.MayBeHalfMade)
            return false;
        var problem = magic != SegmentHeader.Magic ? "A log segment does not begin like one."
            : (uint)table >= (uint)_tables.Count ? $"A log segment belongs to table {(uint)table}, which is not there."
            : logClass.Level > LevelMax ? "The window of deadlines of a log segment is none."
            : end < SegmentHeader.Bytes || end > bytes || end % RecordHeader.WordBytes != 0
                ? "The cursor of a log segment is outside of it."
            : null;
        if (problem is not null)
            _rules.Damaged(head, problem);
        return problem is null;
    }

    private void DeleteOwned(LogSegment segment)
    {
        for (var offset = FirstIn(segment); offset < _space.EndOf(segment);)
        {
            var header = _space.Header(offset);
            if (Problem(segment, offset, header) is not null)
                return;
            if (header.Kind == RecordKind.Pointer && header.State is RecordState.Live or RecordState.Owing)
                _objects.Delete(_space.Pointer(offset, header));
            offset += header.Extent;
        }
    }

    private void Drop(long head)
    {
        using (_context.Registry.Begin())
            _context.Arena.Free(head);
        _context.Allocator.Reclaim();
    }
}
