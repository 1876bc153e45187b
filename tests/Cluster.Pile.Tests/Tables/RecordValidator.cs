using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Log;

namespace Cluster.Pile.Tests.Tables;

/// <summary>Walks over the log segments of a table and compares their records with the index and with all counters.
/// Nothing else may run meanwhile.</summary>
internal static class RecordValidator
{
    public static void Check(LocalPile pile, RecordStore store)
    {
        long live = 0;
        long blocks = 0;
        long dead = 0;
        foreach (var segment in store.Log.Snapshot())
        {
            live += CheckSegment(pile, store, segment);
            blocks += segment.Bytes / 65536;
            dead += pile.Records.Space.Table.Dead(segment.Head);
        }

        Assert.Equal(store.Count, live);
        Assert.Equal(store.Log.Blocks, blocks);
        Assert.Equal(store.DeadBytes, dead);
        Assert.Equal(store.Count, CountByScan(store));
    }

    /// <summary>How many keys a walk finds; each is different.</summary>
    public static long CountByScan(RecordStore store)
    {
        var seen = new HashSet<string>();
        var scan = RecordStore.BeginScan();
        while (store.TryNext(scan, out var key))
            Assert.True(seen.Add(Convert.ToHexString(key)), "A walk gives each key once.");
        return seen.Count;
    }

    private static long CheckSegment(LocalPile pile, RecordStore store, LogSegment segment)
    {
        var space = pile.Records.Space;
        var cursor = space.Window.ReadWord(segment.CursorAt);
        var isClosed = (cursor & SegmentHeader.Closed) != 0;
        var end = segment.Offset + (long)(cursor & ~SegmentHeader.Closed);
        Assert.Equal(SegmentHeader.Magic, space.Window.ReadWord(segment.Offset));
        long live = 0;
        var dead = isClosed ? segment.Offset + segment.Bytes - end + SegmentHeader.Bytes : 0;
        for (var offset = segment.Offset + SegmentHeader.Bytes; offset < end;)
        {
            var header = space.Header(offset);
            Assert.True(header.State is RecordState.Live or RecordState.Dead or RecordState.Owing, $"{header.State}");
            if (header.State == RecordState.Dead)
            {
                // The kept place is the next record's; it counts as dead when the segment is closed.
                dead += offset == segment.Kept ? 0 : header.Extent;
            }
            else if (header.State == RecordState.Live)
            {
                live++;
                Assert.Equal(space.GranuleOf(offset), GranuleOf(pile, store, space.Key(offset, header)));
            }

            offset += header.Extent;
            Assert.True(offset <= end, "Records end where the cursor is.");
        }

        Assert.False(isClosed && segment.Kept != 0, "A closed segment keeps nothing.");
        Assert.Equal(dead, space.Table.Dead(segment.Head));
        return live;
    }

    private static long GranuleOf(LocalPile pile, RecordStore store, ReadOnlySpan<byte> key)
    {
        var bucket = store.Index.Lock(store.Hash.OfBytes(key));
        var at = store.Index.Find(bucket, key, out var entry);
        store.Index.UnlockUnchanged(bucket);
        Assert.NotEqual(0, at);
        Assert.Equal(entry, store.Index.EntryAt(at));
        return entry.Granule;
    }
}
