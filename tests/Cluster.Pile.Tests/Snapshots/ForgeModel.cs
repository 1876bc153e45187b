using Cluster.Pile.Caching;
using Cluster.Pile.Cells;
using Cluster.Slim;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>A little of everything that a pile holds, and every operation on it, for files whose checksums are right
/// and whose content is not. Immutable once filled.</summary>
internal sealed class ForgeModel
{
    private const int CountOfEach = 12;

    private readonly List<PilePointer> _pointers = [];
    private readonly byte[] _destination = new byte[8 * Piles.MiB];

    public ForgeModel(LocalPile pile)
    {
        for (var i = 0; i < CountOfEach; i++)
        {
            _pointers.Add(pile.Put(Piles.Payload((ulong)i, 40 + (i * 9))));
            _pointers.Add(pile.Put($"text {i}"));
            _pointers.Add(pile.Put(new KeyValuePair<Uri, int>(new Uri("http://example.org/"), i)));
            _pointers.Add(pile.Put(Piles.Payload(1, 100), new PutHints { TimeToLive = TimeSpan.FromDays(1 + i) }));

            // These outgrow their slots, and so have bodies.
            _pointers.Add(pile.Put(Piles.Payload(2, 24)));
            pile.Put(_pointers[^1], Piles.Payload(3, 900 + (i * 50)));
        }

        _pointers.Add(pile.Put(Piles.Payload(4, 300_000)));
        var entries = Entries(pile);
        var cells = CellTable.GetOrCreate(pile, "cells");
        for (var i = 0; i < CountOfEach; i++)
        {
            entries.Put(i, new Uri($"http://example.org/{i}"), maxAge: TimeSpan.FromDays(1));
            entries.PutPointer(100 + i, pile.Put(new Uri($"http://example.org/{i}")));
            cells.Save(i, (ushort)i, Piles.Payload(5, 100));
        }
    }

    /// <summary>Does everything with everything, in the order of the seed; gives the failures that are not those of
    /// damage.</summary>
    public List<string> Use(LocalPile pile, int seed)
    {
        var failures = new List<string>();
        var random = new Random(seed);
        var pointers = _pointers.ToArray();
        random.Shuffle(pointers);
        foreach (var pointer in pointers)
        {
            Try(failures, () => pile.SizeOf(pointer));
            Try(failures, () => pile.GetBytes(pointer));
            Try(failures, () => pile.Get<object>(pointer));
            Try(failures, () => pile.OpenView(pointer).Dispose());
            if (random.Next(2) == 0)
                Try(failures, () => pile.Put(pointer, Piles.Payload(6, 20 + random.Next(2000))));
            Try(failures, () => pile.Read(pointer, _destination));
            if (random.Next(2) == 0)
                Try(failures, () => pile.Delete(pointer));
        }

        Try(failures, () => Enumerate(pile));
        for (var i = 0; i < 20; i++)
            Try(failures, () => pile.Put(Piles.Payload(7, random.Next(400))));
        Try(failures, () => UseTables(pile));
        Try(failures, () => pile.Compact());
        return failures;
    }

    private static void Enumerate(LocalPile pile)
    {
        foreach (var found in pile.Enumerate())
            _ = found.Length;
    }

    private static void UseTables(LocalPile pile)
    {
        var entries = Entries(pile);
        var cells = CellTable.GetOrCreate(pile, "cells");
        for (var i = 0; i < CountOfEach; i++)
        {
            entries.TryGet(i, out _);
            entries.TryGet(100 + i, out _);
            entries.Put(i, new Uri("http://example.org/"));
            entries.Remove(100 + i);
            cells.TryLoad(i, out _, out _);
            cells.Save(i, 1, Piles.Payload(8, 200));
            cells.Remove(i);
        }
    }

    private static CacheTable<int, Uri> Entries(LocalPile pile) =>
        new PileCache(pile).GetOrCreateTable<int, Uri>("entries");

    // Damage within a payload is that of the graph in it, or leads to an object of another type.
    private static void Try(List<string> failures, Action use)
    {
        try
        {
            use();
        }
        catch (Exception e) when (e is PileException or SlimException or InvalidCastException)
        {
            return;
        }
        catch (InvalidOperationException e) when (e.Message.StartsWith("The table ", StringComparison.Ordinal))
        {
            // Its keys or values are said to be of another type.
            return;
        }
        catch (Exception e)
        {
            failures.Add(e.ToString());
        }
    }
}
