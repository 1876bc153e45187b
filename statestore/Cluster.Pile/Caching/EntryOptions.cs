namespace Cluster.Pile.Caching;

/// <summary>The options of a put. An immutable value; <c>default</c> has no options.</summary>
internal readonly record struct EntryOptions(int Priority, TimeSpan? MaxAge, DateTimeOffset? AbsoluteExpiration)
{
    /// <summary>Checks the user's options.</summary>
    public static EntryOptions Checked(int priority, TimeSpan? maxAge, DateTimeOffset? absoluteExpiration)
    {
        if (priority is < 0 or > CacheTable<int, int>.MaxPriority)
            CacheErrors.PriorityOutOfRange(priority, CacheTable<int, int>.MaxPriority);
        var isEndless = maxAge is null || maxAge == Timeout.InfiniteTimeSpan;
        if (!isEndless && (maxAge < CacheTableOptions.MinMaxAge || maxAge > CacheTableOptions.MaxMaxAge))
            CacheErrors.MaxAgeOutOfRange(maxAge);
        return new EntryOptions(priority, maxAge, absoluteExpiration);
    }
}

/// <summary>The options of a read. An immutable value; <c>default</c> is a plain read.</summary>
/// <param name="AgeMax">Older entries are not found; null finds all.</param>
/// <param name="IsGlance">Whether the read does not extend the time to live and does not count as use.</param>
internal readonly record struct ReadOptions(TimeSpan? AgeMax, bool IsGlance = false);
