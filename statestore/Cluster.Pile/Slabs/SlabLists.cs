namespace Cluster.Pile.Slabs;

/// <summary>The slabs of one size class with free slots, in lists by their fill. Refills take from the fullest list, so
/// that holes are filled and sparse slabs can become empty. Guarded by the lock of the size class; the links are in the
/// slab table.</summary>
internal sealed class SlabLists(SlabTable table)
{
    /// <summary>The number of lists. List 1 has the fullest slabs; 0 means no free slot, in no list.</summary>
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

    /// <summary>The slab with the fewest free slots among the first of the fullest list, except the given one; 0 when
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

    /// <summary>The entirely free slabs of the emptiest list.</summary>
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

    // At the end, so that a slab that just got its first hole collects more of them before the next refill.
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
