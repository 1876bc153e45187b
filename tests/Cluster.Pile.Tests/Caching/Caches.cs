using Cluster.Pile.Caching;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Caching;

/// <summary>Tables for tests, each in a pile of its own, with a clock that stands still. Owned by one test.</summary>
internal sealed class Caches : IDisposable
{
    public Caches(long budgetBytes = 64 * Piles.MiB) =>
        Pile = new LocalPile(new PileOptions { BudgetBytes = budgetBytes, TimeProvider = Clock });

    public ManualTimeProvider Clock { get; } = new();

    public LocalPile Pile { get; }

    public CacheTable<TKey, TValue> Create<TKey, TValue>(
        CacheTableOptions? options = null, IKeyCodec<TKey>? keys = null, string name = "table")
        where TKey : notnull
        where TValue : notnull =>
        new PileCache(Pile).GetOrCreateTable<TKey, TValue>(name, options, keys);

    /// <summary>Whether a table gives its entry to a read that does not lengthen its life.</summary>
    public static bool Has<TKey, TValue>(CacheTable<TKey, TValue> table, TKey key)
        where TKey : notnull
        where TValue : notnull =>
        table.Enumerate().Any(entry => EqualityComparer<TKey>.Default.Equals(entry.Key, key));

    public void Dispose() => Pile.Dispose();
}
