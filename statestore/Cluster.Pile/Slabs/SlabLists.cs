namespace Cluster.Pile.Slabs;

/// <summary>The slabs of one size class that have free slots, in lists by how full they are. Refills take from the
/// fullest list, so holes heal and sparse slabs get a chance to empty. Guarded by the lock of the size class; the links
/// lie in the slab table.</summary>
internal sealed class SlabLists(SlabTable table)
{
    /// <summary>Lists 1 to this number, fullest slabs first; 0 stands for no free slot, in no list.</summary>
    private const int ListCount = 8;

    private const int LooksMax = 8;

    private readonly SlabTable _table = table;
    private readonly long[] _heads = new long[ListCount + 1];
    private readonly long[] _tails = new long[ListCount + 1];

    /// <summary>The first slab of the fullest list, or 0.</summary>
    public long Fullest()
    {
        for (var list = 1; list <= ListCount; list++)
        {
            if (_heads[list] != 0)
                return _heads[list];
        }

        return 0;
    }

    /// <summary>The slab with the fewest free slots among the first of the fullest list, but not the given one; 0 when
    /// that one is alone there, or in no list.</summary>
    public long FullestBut(long other)
    {
        long best = 0;
        var head = _table.List(other) == 0 ? 0 : Fullest();
        for (var looks = 0; head != 0 && looks < LooksMax; looks++)
        {
            if (head != other && (best == 0 || _table.Count(head) < _table.Count(best)))
                best = head;
            head = _table.Links(head).Next;
        }

        return best;
    }

    /// <summary>Moves a slab to the list that fits its number of free slots.</summary>
    public void Place(long head, long freeSlots, int slots)
    {
        var list = freeSlots == 0 ? 0 : (int)((freeSlots - 1) * ListCount / slots) + 1;
        if (list == _table.List(head))
            return;
        Remove(head);
        if (list != 0)
            Append(head, list);
    }

    public void Remove(long head)
    {
        var list = _table.List(head);
        if (list == 0)
            return;
        var (next, previous) = _table.Links(head);
        if (previous == 0)
            _heads[list] = next;
        else
            _table.SetLinks(previous, next, _table.Links(previous).Previous);
        if (next == 0)
            _tails[list] = previous;
        else
            _table.SetLinks(next, _table.Links(next).Next, previous);
        _table.SetList(head, 0);
    }

    /// <summary>Collects the slabs in the emptiest list that are entirely free.</summary>
    public List<long> Empty(Func<long, bool> isEmpty)
    {
        var found = new List<long>();
        for (var head = _heads[ListCount]; head != 0; head = _table.Links(head).Next)
        {
            if (isEmpty(head))
                found.Add(head);
        }

        return found;
    }

    public void Clear()
    {
        Array.Clear(_heads);
        Array.Clear(_tails);
    }

    // At the end, so that a slab that just got its first hole collects more of them before it is visited again.
    private void Append(long head, int list)
    {
        var last = _tails[list];
        _table.SetLinks(head, 0, last);
        if (last == 0)
            _heads[list] = head;
        else
            _table.SetLinks(last, head, _table.Links(last).Previous);
        _tails[list] = head;
        _table.SetList(head, list);
    }
}
