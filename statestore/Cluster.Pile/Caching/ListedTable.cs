using Cluster.Pile.Tables;

namespace Cluster.Pile.Caching;

/// <summary>A table as the directory knows it, whatever its types are. Immutable.</summary>
internal sealed record ListedTable(string Name, string KeyForm, CacheTableSettings Settings)
{
    /// <summary>The table itself; null before it is made.</summary>
    public object? Table { get; init; }

    /// <summary>What metrics ask.</summary>
    public Func<CacheTableStatistics>? Statistics { get; init; }

    /// <summary>A table that was restored and that nobody has asked for yet: nothing has happened to it.</summary>
    public static ListedTable Of(RecordStore store)
    {
        var settings = CacheTableSettings.Of(store.Options);
        return new ListedTable(store.Options.Name, store.Options.KeyForm, settings)
        {
            Statistics = () => CacheTableStatistics.Of(store, new CacheCounters(), settings.Max, loads: 0),
        };
    }
}
