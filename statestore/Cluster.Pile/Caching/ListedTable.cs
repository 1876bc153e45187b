using Cluster.Pile.Tables;

namespace Cluster.Pile.Caching;

/// <summary>A table in the directory, whatever its types. Immutable.</summary>
internal sealed record ListedTable(string Name, string KeyForm, CacheTableSettings Settings)
{
    /// <summary>The table object; null before it is created.</summary>
    public object? Table { get; init; }

    /// <summary>Collects the statistics for metrics.</summary>
    public Func<CacheTableStatistics>? Statistics { get; init; }

    /// <summary>The entry of a restored table that no caller has asked for yet.</summary>
    public static ListedTable Of(RecordStore store)
    {
        var settings = CacheTableSettings.Of(store.Options);
        return new ListedTable(store.Options.Name, store.Options.KeyForm, settings)
        {
            Statistics = () => CacheTableStatistics.Of(store, new CacheCounters(), settings.Max, loads: 0),
        };
    }
}
