using Cluster.Pile.Barriers;
using Cluster.Pile.Context;
using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Rebuild;

/// <summary>Compares blocks with their stored checksums. Owned by one attach; no other thread may use the
/// pile.</summary>
/// <remarks>Locks and views change the state of a header and do not pass the <see cref="WriteBarrier"/>. So a block
/// that a dead process left with locks or views is compared a second time, with them removed from a copy.</remarks>
internal sealed class BlockCheck
{
    private readonly PileContext _pile;
    private readonly byte[] _atRest = new byte[BlockLayout.BlockBytes];

    private readonly bool _mayBeLocked;

    /// <summary>Creates a check. <paramref name="mayBeLocked"/>: a process that died may have left locks and views in
    /// the pile.</summary>
    public BlockCheck(PileContext pile, bool mayBeLocked) => (_pile, _mayBeLocked) = (pile, mayBeLocked);

    /// <summary>Calls <paramref name="changed"/> with each block that does not agree with its checksum.</summary>
    public void Run(long blockLast, Action<long> changed)
    {
        for (long block = 1; block <= blockLast; block++)
        {
            var (entry, sum) = (_pile.Table.Entry(block), _pile.Table.Sum(block));
            if (sum == 0 || !entry.IsKept)
                continue;
            var content = _pile.Window.Span(_pile.Layout.BlockOffset(block), BlockLayout.BlockBytes);
            if (BlockSums.Of(block, content) == sum)
                continue;
            if (!_mayBeLocked || BlockSums.Of(block, AtRest(block, entry, content)) != sum)
                changed(block);
        }
    }

    private ReadOnlySpan<byte> AtRest(long block, SlabEntry entry, ReadOnlySpan<byte> content)
    {
        content.CopyTo(_atRest);
        if (entry.State == SlabState.RunHead || (entry.State == SlabState.Slots && entry.Class < SizeClasses.Count))
        {
            var slots = new BlockSlots(_pile, block);
            for (var slot = slots.First; slot < slots.End; slot++)
                Unlock(slots.PlaceOf(slot).Offset - _pile.Layout.BlockOffset(block));
        }

        return _atRest;
    }

    private void Unlock(long at)
    {
        var word = _atRest.AsSpan((int)at, SlotHeader.Bytes);
        var header = new SlotHeader(BitConverter.ToUInt64(word));
        if (header.State is SlotState.Busy or SlotState.Pinned or SlotState.Shared)
            BitConverter.TryWriteBytes(word, header.With(SlotState.Live).Word);
    }
}
