using Cluster.Pile.Caching;
using Cluster.Pile.Cells;

namespace Cluster.Pile.Tests.Host;

/// <summary>The tables of the pile in the kill loop, and what is in them. The value of an entry is a
/// <see cref="KillPayload"/> of its id, or a pointer to an object that is one.</summary>
public sealed class KillTables
{
    private const int TableShift = 48;
    private const long EvictingBytes = 2L << 20;

    private readonly LocalPile _pile;

    /// <summary>Finds the tables in a pile, or makes them.</summary>
    public KillTables(LocalPile pile)
    {
        _pile = pile;
        var cache = new PileCache(pile);
        Cells = CellTable.GetOrCreate(pile, "cells");
        NonEvicting = cache.GetOrCreateTable<long, byte[]>(
            "durable", new CacheTableOptions { Kind = CacheTableKind.NonEvicting });
        Evicting = cache.GetOrCreateTable<string, byte[]>(
            "speculative", new CacheTableOptions { MaxBytes = EvictingBytes });
    }

    /// <summary>Cells by id.</summary>
    public CellTable Cells { get; }

    /// <summary>Entries that stay.</summary>
    public CacheTable<long, byte[]> NonEvicting { get; }

    /// <summary>Entries that may go; the key is the id as text.</summary>
    public CacheTable<string, byte[]> Evicting { get; }

    /// <summary>The id of an entry.</summary>
    public static long IdOf(KillTable table, long number) => ((long)table << TableShift) | number;

    /// <summary>The table of an id.</summary>
    public static KillTable TableOf(long id) => (KillTable)(id >> TableShift);

    /// <summary>The key of an entry of the speculative table.</summary>
    public static string KeyOf(long id) => $"entry {id}";

    /// <summary>All entries: each with its version, and the object that it owns, if it does.</summary>
    /// <exception cref="InvalidOperationException">An entry is not whole.</exception>
    public IEnumerable<(long Id, long Version, PilePointer Owned)> All()
    {
        foreach (var id in Cells.EnumerateIds())
        {
            if (Cells.TryLoad(id, out var bytes, out var type))
                yield return (id, VersionOf(id, bytes, type), default);
        }

        foreach (var (id, value) in NonEvicting.Enumerate())
        {
            var owned = NonEvicting.TryGetPointer(id, out var pointer) ? pointer : default;
            if (owned != default && !value.AsSpan().SequenceEqual(_pile.GetBytes(owned)))
                throw new InvalidOperationException($"Entry {id} is not the object that it owns.");
            yield return (id, VersionOf(id, value), owned);
        }

        foreach (var (key, value) in Evicting.Enumerate())
        {
            var id = long.Parse(key.Split(' ')[1], null);
            yield return (id, VersionOf(id, value), default);
        }
    }

    private static long VersionOf(long id, byte[] value, int type = -1)
    {
        var isWhole = KillPayload.TryParse(value, out var found, out var version) && found == id;
        return isWhole && (type < 0 || type == (ushort)version)
            ? version
            : throw new InvalidOperationException($"Entry {id} of {TableOf(id)} is torn, or of entry {found}.");
    }
}
