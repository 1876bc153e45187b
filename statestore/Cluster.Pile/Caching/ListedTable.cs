using Cluster.Pile.Caching.Entries;

namespace Cluster.Pile.Caching;

/// <summary>A table as the directory knows it, whatever its types are. Immutable.</summary>
internal sealed record ListedTable(string Name, string KeyForm, CacheTableSettings Settings)
{
    /// <summary>The table itself; null before it is made.</summary>
    public object? Table { get; init; }

    /// <summary>What metrics ask.</summary>
    public Func<CacheTableStatistics>? Statistics { get; init; }
}
