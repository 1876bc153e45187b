using System.Diagnostics.Metrics;
using Cluster.Pile.Observation;

namespace Cluster.Pile.Caching;

/// <summary>The instruments of the cache tables of all open piles, each by its pile and table. Stateless.</summary>
internal static class CacheInstruments
{
    private const string TableTag = "cluster.pile.table";
    private const string ResultTag = "cluster.pile.result";

    /// <summary>Adds the instruments to a meter.</summary>
    public static void AddTo(Meter meter, string nameTag, Func<IEnumerable<ObservedPile>> openPiles)
    {
        meter.CreateObservableCounter(
            "cluster.pile.cache.requests",
            () => Observe(s => [("hit", s.Hits), ("miss", s.Misses)]),
            "{request}", "Reads of cache tables by result");
        meter.CreateObservableCounter(
            "cluster.pile.cache.puts",
            () => Observe(s =>
                [("inserted", s.Inserts), ("replaced", s.Replacements), ("refused", s.Refusals)]),
            "{put}", "Puts into cache tables by result");
        meter.CreateObservableCounter(
            "cluster.pile.cache.removals",
            () => Observe(s => [("removed", s.Removals), ("evicted", s.Evictions), ("expired", s.Expiries)]),
            "{entry}", "Entries that left cache tables by reason");
        meter.CreateObservableGauge(
            "cluster.pile.cache.entries", () => Observe(s => [(null, s.Entries)]), "{entry}", "Entries of tables");
        meter.CreateObservableGauge(
            "cluster.pile.cache.memory", () => Observe(s => [(null, s.Bytes)]), "By", "Memory of cache tables");

        IEnumerable<Measurement<long>> Observe(Func<CacheTableStatistics, (string? Result, long Value)[]> values) =>
            from pile in openPiles()
            from table in pile.Caches.Tables
            let statistics = table.Statistics!()
            from part in values(statistics)
            select new Measurement<long>(part.Value, Tags(pile, table, part.Result));

        KeyValuePair<string, object?>[] Tags(ObservedPile pile, ListedTable table, string? result)
        {
            KeyValuePair<string, object?>[] tags = [new(nameTag, pile.Name), new(TableTag, table.Name)];
            return result is null ? tags : [.. tags, new(ResultTag, result)];
        }
    }
}
