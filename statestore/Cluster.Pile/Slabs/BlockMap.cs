using System.Collections;
using System.Numerics;
using Cluster.Pile.Memory;

namespace Cluster.Pile.Slabs;

/// <summary>
/// Which blocks are vacant, one bit each, and where contiguous ones are: the lowest place that fits, so that
/// used memory stays dense. Guarded by the lock of its arena.
/// </summary>
internal sealed class BlockMap
{
    private const int WordBits = 64;

    private readonly ulong[] _vacant;
    private readonly BitArray _discarded;
    private int _lowestWord;

    public BlockMap(long blockCount)
    {
        // Bit 0 stays clear: there is no block 0.
        _vacant = new ulong[(blockCount / WordBits) + 1];
        _discarded = new BitArray((int)(SegmentOf(blockCount) + 1));
        BlockCount = blockCount;
        for (long block = 1; block <= blockCount; block++)
            _vacant[block / WordBits] |= 1UL << (int)(block % WordBits);
        VacantCount = blockCount;
    }

    public long BlockCount { get; }

    public long VacantCount { get; private set; }

    /// <summary>Segments that are vacant and not resident, because they were given back.</summary>
    public long DiscardedCount { get; private set; }

    public bool IsVacant(long block) => (_vacant[block / WordBits] & (1UL << (int)(block % WordBits))) != 0;

    /// <summary>Takes contiguous blocks; gives the first, or 0 when there is no such place.</summary>
    public long TryTake(long count)
    {
        var first = Find(count);
        if (first == 0)
            return 0;
        TakeAt(first, count);
        return first;
    }

    public void Release(long block)
    {
        Invariant.Holds(!IsVacant(block), "A block is released once.");
        var word = (int)(block / WordBits);
        _vacant[word] |= 1UL << (int)(block % WordBits);
        _lowestWord = Math.Min(_lowestWord, word);
        VacantCount++;
    }

    /// <summary>Takes a whole segment whose blocks are all vacant and resident.</summary>
    public bool TryTakeSegment(long segment)
    {
        var first = FirstBlock(segment);
        if (first + BlockLayout.BlocksPerSegment - 1 > BlockCount || _discarded[(int)segment])
            return false;
        for (var block = first; block < first + BlockLayout.BlocksPerSegment; block++)
        {
            if (!IsVacant(block))
                return false;
        }

        TakeAt(first, BlockLayout.BlocksPerSegment);
        return true;
    }

    /// <summary>
    /// Releases a taken segment and remembers, until one of its blocks is taken, that it is not resident.
    /// </summary>
    public void ReturnDiscarded(long segment)
    {
        for (var block = FirstBlock(segment); block < FirstBlock(segment + 1); block++)
            Release(block);
        _discarded[(int)segment] = true;
        DiscardedCount++;
    }

    private static long FirstBlock(long segment) => (segment * BlockLayout.BlocksPerSegment) + 1;

    private static long SegmentOf(long block) => (block - 1) / BlockLayout.BlocksPerSegment;

    private void TakeAt(long first, long count)
    {
        for (var block = first; block < first + count; block++)
        {
            Invariant.Holds(IsVacant(block), "Only vacant blocks are taken.");
            _vacant[block / WordBits] &= ~(1UL << (int)(block % WordBits));
        }

        for (var segment = SegmentOf(first); segment <= SegmentOf(first + count - 1); segment++)
        {
            if (!_discarded[(int)segment])
                continue;
            _discarded[(int)segment] = false;
            DiscardedCount--;
        }

        VacantCount -= count;
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
            {
                run = 0;
            }
            else if (word == ulong.MaxValue && run + WordBits < count)
            {
                run += WordBits;
            }
            else if (FindIn(word, count, ref run) is var end and > 0)
            {
                return ((long)index * WordBits) + end - count;
            }
        }

        return 0;
    }

    // Gives the bit after the run that became long enough, or 0.
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
