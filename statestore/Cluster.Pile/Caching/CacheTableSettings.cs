using Cluster.Pile.Tables;

namespace Cluster.Pile.Caching;

/// <summary>The options that a table was made with, for good. Immutable.</summary>
internal sealed record CacheTableSettings(
    CacheTableKind Kind, (long Bytes, long Entries) Min, (long? Bytes, long? Entries) Max, LifeSettings Life)
{
    /// <summary>Those of a table that was restored.</summary>
    public static CacheTableSettings Of(RecordTableOptions options) => new(
        options.MayForget ? CacheTableKind.Speculative : CacheTableKind.Durable,
        (options.FloorBytes, options.FloorRecords),
        (options.LimitBytes == long.MaxValue ? null : options.LimitBytes,
            options.LimitRecords == long.MaxValue ? null : options.LimitRecords),
        new LifeSettings(options.MaxAge, options.SlidingExpiration, options.TracksAge));
}
