using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Caching;

/// <summary>The options with which a table was created; they do not change. Immutable.</summary>
internal sealed record CacheTableSettings(
    CacheTableKind Kind, (long Bytes, long Entries) Min, (long? Bytes, long? Entries) Max, LifeSettings Life)
{
    /// <summary>The settings of a restored table.</summary>
    public static CacheTableSettings Of(RecordTableOptions options) => new(
        options.MayForget ? CacheTableKind.Evicting : CacheTableKind.NonEvicting,
        (options.FloorBytes, options.FloorRecords),
        (options.LimitBytes == long.MaxValue ? null : options.LimitBytes,
            options.LimitRecords == long.MaxValue ? null : options.LimitRecords),
        new LifeSettings(options.MaxAge, options.SlidingExpiration, options.TracksAge));
}

/// <summary>The expiry of a table's entries where a put sets none. Immutable.</summary>
internal sealed record LifeSettings(TimeSpan? MaxAge, TimeSpan? SlidingExpiration, bool TracksAge);
