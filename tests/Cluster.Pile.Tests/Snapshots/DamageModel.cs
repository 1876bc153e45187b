using Cluster.Pile.Caching;
using Cluster.Pile.Cells;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Objects, entries and cells whose content follows from their number, so that whatever is left of a pile can
/// be told from what was never in it. Immutable once filled.</summary>
internal sealed class DamageModel
{
    public const int CountOfEach = 300;

    private const int PayloadBytes = 700;

    private readonly PilePointer[] _pointers;
    private readonly PilePointer _graph;

    public DamageModel(LocalPile pile)
    {
        _pointers = [.. Enumerable.Range(0, CountOfEach).Select(i => pile.Put(Payload(i)))];
        _graph = pile.Put(new KeyValuePair<Uri, int>(new Uri("http://example.org/"), CountOfEach));
        var entries = Entries(pile);
        var cells = CellTable.GetOrCreate(pile, "cells");
        for (var i = 0; i < CountOfEach; i++)
        {
            entries.Put(i, Payload(i));
            cells.Save(i, (ushort)i, Payload(i));
        }
    }

    /// <summary>How many objects, entries and cells are not what they were, or are gone.</summary>
    public int CountLost(LocalPile pile)
    {
        var lost = _pointers.Where((pointer, i) => !IsThere(pile, pointer, i)).Count();
        try
        {
            lost += pile.Get<KeyValuePair<Uri, int>>(_graph).Value == CountOfEach ? 0 : 1;
        }
        catch (Exception e) when (e is PileException or Slim.SlimException or InvalidCastException)
        {
            lost++;
        }

        var entries = Entries(pile);
        var cells = CellTable.GetOrCreate(pile, "cells");
        for (var i = 0; i < CountOfEach; i++)
        {
            lost += entries.TryGet(i, out var entry) && entry.AsSpan().SequenceEqual(Payload(i)) ? 0 : 1;
            lost += cells.TryLoad(i, out var cell, out var type) && type == i && cell.AsSpan().SequenceEqual(Payload(i))
                ? 0
                : 1;
        }

        return lost;
    }

    private static bool IsThere(LocalPile pile, PilePointer pointer, int number)
    {
        try
        {
            return pile.GetBytes(pointer).AsSpan().SequenceEqual(Payload(number));
        }
        catch (PileException)
        {
            return false;
        }
    }

    private static CacheTable<int, byte[]> Entries(LocalPile pile) =>
        new PileCache(pile).GetOrCreateTable<int, byte[]>(
            "entries", new CacheTableOptions { Kind = CacheTableKind.NonEvicting });

    private static byte[] Payload(int number) => Piles.Payload((ulong)number, PayloadBytes);
}
