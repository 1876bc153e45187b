using Cluster.Pile;
using Cluster.Pile.Caching;

namespace Cluster.Benchmarks.Cache;

/// <summary>Ours: a cache table of a pile of its own. Prepared, its memory was touched before; otherwise the pile takes
/// memory as entries come and keeps none ready.</summary>
internal sealed class PileContender : CacheContender<PileContender.Session>
{
    // What an entry may take; the budget is a cap, only what is used is taken from the system.
    private const int EntryBytes = 160;
    private const long SlackBytes = 64L << 20;

    private readonly LocalPile _pile;

    private PileContender(LocalPile pile)
    {
        _pile = pile;
        Table = new PileCache(pile).GetOrCreateTable<long, byte[]>("entries");
    }

    /// <summary>The table, for reads that rivals do not have.</summary>
    public CacheTable<long, byte[]> Table { get; }

    public static PileContender Create(long count) => new(CreatePile(count, reserveBytes: 0));

    public static PileContender CreatePrepared(long count)
    {
        var made = new PileContender(CreatePile(count, reserveBytes: long.MaxValue / 2));
        var value = new byte[StoreTrial.ValueBytes];
        for (long key = 0; key < count; key++)
            made.Table.Put(key, value.AsSpan());

        // Purging keeps the memory, because the reserve is as large as the budget.
        made._pile.Purge();
        return made;
    }

    public override void Dispose() => _pile.Dispose();

    protected override Session Begin() => new(Table);

    private static LocalPile CreatePile(long count, long reserveBytes) => new(new PileOptions
    {
        BudgetBytes = (count * EntryBytes) + SlackBytes,
        ReserveBytes = reserveBytes,
    });

    public readonly struct Session(CacheTable<long, byte[]> table) : ICacheSession
    {
        public void Insert(long key, ReadOnlySpan<byte> value) => table.Put(key, value);

        public bool TryRead(long key, Span<byte> value) => table.TryRead(key, value, out _);

        public void Dispose()
        {
        }
    }
}
