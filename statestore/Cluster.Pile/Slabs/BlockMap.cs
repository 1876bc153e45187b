using Cluster.Pile.Layout;

namespace Cluster.Pile.Slabs;

/// <summary>The vacant blocks, one bit each. Finds contiguous ones at the lowest place that fits, so that used memory
/// stays dense. Guarded by the lock of its arena.</summary>
internal sealed class BlockMap
{
    private const int WordBits = 64;

    private readonly ulong[] _vacant;
    private int _lowestWord;
    private long _vacantCount;

    public BlockMap(long blockCount)
    {
        // Bit 0 stays clear: there is no block 0.
        _vacant = new ulong[(blockCount / WordBits) + 1];
        Segments = new SegmentMap(blockCount);
        BlockCount = blockCount;
        for (long block = 1; block <= blockCount; block++)
            _vacant[block / WordBits] |= 1UL << (int)(block % WordBits);
        _vacantCount = blockCount;
    }

    public long BlockCount { get; }

    /// <summary>The number of vacant blocks. Read without the lock.</summary>
    public long VacantCount => Volatile.Read(ref _vacantCount);

    /// <summary>The state of the segments that the blocks lie in.</summary>
    public SegmentMap Segments { get; }

    public bool IsVacant(long block) => (_vacant[block / WordBits] & (1UL << (int)(block % WordBits))) != 0;

    /// <summary>Takes contiguous blocks; returns the first, or 0 when there is no such place.</summary>
    public long TryTake(long count)
    {
        var first = Find(count);
        if (first == 0)
            return 0;
        TakeAt(first, count);
        return first;
    }

    /// <summary>Whether this many contiguous blocks are vacant.</summary>
    public bool CanTake(long count) => Find(count) != 0;

    public void Release(long block)
    {
        Invariant.Holds(!IsVacant(block), "A block is released once.");
        var word = (int)(block / WordBits);
        _vacant[word] |= 1UL << (int)(block % WordBits);
        _lowestWord = Math.Min(_lowestWord, word);
        Volatile.Write(ref _vacantCount, _vacantCount + 1);
        Segments.Release(block);
    }

    /// <summary>Takes the highest ready segment, when there are more than the given number; -1 when not.</summary>
    public long TryTakeReadySegment(long keptCount)
    {
        var segment = Segments.ReadyCount > keptCount ? Segments.HighestReady() : -1;
        if (segment >= 0)
            TakeAt(SegmentMap.FirstBlock(segment), Segments.BlocksIn(segment));
        return segment;
    }

    /// <summary>Takes the lowest segment without memory; -1 when there is none.</summary>
    public long TryTakeAbsentSegment()
    {
        var segment = Segments.LowestAbsent();
        if (segment >= 0)
            TakeAt(SegmentMap.FirstBlock(segment), Segments.BlocksIn(segment));
        return segment;
    }

    /// <summary>Releases a segment that was taken while its memory is committed or discarded.</summary>
    public void ReturnSegment(long segment, bool hasMemory)
    {
        var first = SegmentMap.FirstBlock(segment);
        for (var block = first; block < first + Segments.BlocksIn(segment); block++)
            Release(block);
        if (!hasMemory)
            Segments.NoteGivenBack(segment);
    }

    /// <summary>Takes these blocks, which are vacant.</summary>
    public void TakeAt(long first, long count)
    {
        for (var block = first; block < first + count; block++)
        {
            Invariant.Holds(IsVacant(block), "Only vacant blocks are taken.");
            _vacant[block / WordBits] &= ~(1UL << (int)(block % WordBits));
            Segments.Take(block);
        }

        Volatile.Write(ref _vacantCount, _vacantCount - count);
        while (_lowestWord < _vacant.Length - 1 && _vacant[_lowestWord] == 0)
            _lowestWord++;
    }

    private long Find(long count)
    {
        long run = 0;
        for (var index = _lowestWord; index < _vacant.Length; index++)
        {
            var word = _vacant[index];
            if (word == 0)
                run = 0;
            else if (word == ulong.MaxValue && run + WordBits < count)
                run += WordBits;
            else if (FindIn(word, count, ref run) is var end and > 0)
                return ((long)index * WordBits) + end - count;
        }

        return 0;
    }

    // Returns the bit after the run that became long enough, or 0.
    private static int FindIn(ulong word, long count, ref long run)
    {
        for (var bit = 0; bit < WordBits;)
        {
            var zeros = word == 0 ? WordBits : BitOperations.TrailingZeroCount(word >> bit);
            if (zeros > 0)
            {
                run = 0;
                bit += zeros;
                continue;
            }

            var ones = BitOperations.TrailingZeroCount(~(word >> bit));
            ones = Math.Min(ones, WordBits - bit);
            if (run + ones >= count)
                return bit + (int)(count - run);
            run += ones;
            bit += ones;
        }

        return 0;
    }
}
