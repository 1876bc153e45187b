namespace Cluster.Pile.Caching;

/// <summary>The options of a put. An immutable value; <c>default</c> has no options.</summary>
internal readonly record struct EntryTerms(int Priority, TimeSpan? MaxAge, DateTimeOffset? AbsoluteExpiration)
{
    /// <summary>Checks the user's options.</summary>
    public static EntryTerms Checked(int priority, TimeSpan? maxAge, DateTimeOffset? absoluteExpiration)
    {
        if (priority is < 0 or > CacheTable<int, int>.PriorityMax)
            CacheThrow.PriorityOutOfRange(priority, CacheTable<int, int>.PriorityMax);
        var isEndless = maxAge is null || maxAge == Timeout.InfiniteTimeSpan;
        if (!isEndless && (maxAge < CacheTableOptions.AgeMin || maxAge > CacheTableOptions.AgeMax))
            CacheThrow.MaxAgeOutOfRange(maxAge);
        return new EntryTerms(priority, maxAge, absoluteExpiration);
    }
}
