using System.Runtime.Intrinsics;
using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;
using Cluster.Pile.Tables.Log;

namespace Cluster.Pile.Tables.Index;

/// <summary>The ghosts of one table: keys that were evicted before they were read much, about as many as the table has
/// records, four bytes each. A key that comes back soon is kept longer. Each line is a queue of fifteen fingerprints.
/// Owned by one table; changed under its lock and read without it, because a wrong answer only gives a record a worse
/// place.</summary>
internal sealed class RecordGhosts(RecordSpace space, SlabArena arena)
{
    private const int LineBytes = 64;
    private const int FingerprintBytes = 4;
    private const int FingerprintsPerLine = (LineBytes / FingerprintBytes) - 1;
    private const int LinesPerBlock = BlockLayout.BlockBytes / LineBytes;

    private const int KeysPerRecordMax = 4;

    private readonly RecordSpace _space = space;
    private readonly SlabArena _arena = arena;
    private readonly Lock _gate = new();
    private Lines _lines = new(0, 0, 0);
    private bool _mayPromote = true;

    /// <summary>Blocks that the ghosts take.</summary>
    public long Blocks => Volatile.Read(ref _lines).Count / LinesPerBlock;

    /// <summary>Whether a key that comes back goes to a main segment at once. False: it starts as a new key.</summary>
    public bool MayPromote
    {
        get => Volatile.Read(ref _mayPromote);
        set => Volatile.Write(ref _mayPromote, value);
    }

    /// <summary>Whether the key with this hash was evicted not long ago. Called inside an operation.</summary>
    public bool Contains(ulong hash)
    {
        var lines = Volatile.Read(ref _lines);
        if (lines.Count == 0)
            return false;
        var line = _space.Window.ReadLine(lines.LineOf(hash)).AsUInt32();
        return Vector512.Equals(line, Vector512.Create(FingerprintOf(hash))).ExtractMostSignificantBits() > 1;
    }

    /// <summary>Removes the ghost of a key that came back, so that its next stay is judged anew. Called inside an
    /// operation.</summary>
    public void Remove(ulong hash)
    {
        lock (_gate)
        {
            if (_lines.Count == 0)
                return;
            var at = _lines.LineOf(hash);
            var line = _space.Window.ReadLine(at).AsUInt32();
            var places = Vector512.Equals(line, Vector512.Create(FingerprintOf(hash))).ExtractMostSignificantBits();
            for (places &= ~1UL; places != 0; places &= places - 1)
                WriteFingerprint(at, BitOperations.TrailingZeroCount(places), 0);
        }
    }

    /// <summary>Adds the ghost of a key that left a table with this many records. Called inside an operation.</summary>
    public void Add(ulong hash, long records)
    {
        lock (_gate)
        {
            if (records > _lines.Count * FingerprintsPerLine)
                TryGrow(records);
            if (_lines.Count == 0)
                return;

            // The first four bytes of a line hold the place of its newest fingerprint. A line uses as many places as
            // the table needs.
            var at = _lines.LineOf(hash);
            var turns = Math.Clamp((uint)((records + _lines.Count - 1) / _lines.Count), 1, FingerprintsPerLine);
            var turn = (_space.Window.ReadHalf(at) % turns) + 1;
            WriteFingerprint(at, (int)turn, FingerprintOf(hash));
            _space.Window.WriteHalf(at, turn);
        }
    }

    /// <summary>Removes all ghosts when they take far more memory than a table with this many records needs. Called
    /// inside an operation.</summary>
    public void Shrink(long records)
    {
        lock (_gate)
        {
            var old = _lines;
            if (old.Count <= LinesPerBlock || old.Count * FingerprintsPerLine <= records * KeysPerRecordMax)
                return;
            Volatile.Write(ref _lines, new Lines(0, 0, 0));
            _arena.Free(old.Head);
        }
    }

    /// <summary>Removes all ghosts, after a purge has freed their memory; no operation is running.</summary>
    public void Clear() => Volatile.Write(ref _lines, new Lines(0, 0, 0));

    // A fingerprint is never zero, which means an empty place.
    private static uint FingerprintOf(ulong hash) => (uint)(hash >> 32) | 1;

    private void WriteFingerprint(long line, int place, uint fingerprint)
    {
        var word = line + (place / 2 * sizeof(ulong));
        if (place % 2 == 0)
            _space.Window.WriteHalf(word, fingerprint);
        else
            _space.Window.WriteUpperHalf(word, fingerprint);
    }

    // Keeps the ghosts: each line becomes two equal lines. Without free blocks, everything stays as it is.
    private void TryGrow(long records)
    {
        var wanted = (records + (FingerprintsPerLine * LinesPerBlock) - 1) / (FingerprintsPerLine * LinesPerBlock);
        var blocks = (long)BitOperations.RoundUpToPowerOf2((ulong)wanted);
        var head = _arena.TryCreateSegment(blocks, SizeClasses.PageIndex, firstWord: 0, out _);
        if (head == 0)
            return;
        var grown = new Lines(head, _space.BlockOffset(head), blocks * LinesPerBlock);
        for (var block = head; block < head + blocks; block++)
            _space.Window.Clear(_space.BlockOffset(block), BlockLayout.BlockBytes);
        for (long line = 0; _lines.Count > 0 && line < grown.Count; line++)
        {
            var from = _lines.Offset + ((line & (_lines.Count - 1)) * LineBytes);
            _space.Window.CopyWithin(from, grown.Offset + (line * LineBytes), LineBytes);
        }

        var old = _lines;
        Volatile.Write(ref _lines, grown);
        if (old.Head != 0)
            _arena.Free(old.Head);
    }

    /// <summary>The place of the lines. Immutable.</summary>
    private sealed record Lines(long Head, long Offset, long Count)
    {
        public long LineOf(ulong hash) => Offset + (((long)hash & (Count - 1)) * LineBytes);
    }
}
