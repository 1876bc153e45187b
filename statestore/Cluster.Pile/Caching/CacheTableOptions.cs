using Cluster.Pile.Expiry;

namespace Cluster.Pile.Caching;

/// <summary>The options of a cache table. Mutable; a table copies them when it is created. Not thread-safe.</summary>
public sealed class CacheTableOptions
{
    /// <summary>The smallest <see cref="MaxBytes"/>: 1 MiB.</summary>
    public const long MinMaxBytes = 1L << 20;

    /// <summary>The shortest age and sliding span: half a second.</summary>
    public static readonly TimeSpan MinMaxAge = new(5 * DeadlineSteps.StepTicks);

    /// <summary>The longest age and sliding span: six years.</summary>
    public static readonly TimeSpan MaxMaxAge = DeadlineSteps.OfRecords.LifeMax;

    /// <summary>What the table does when there is no room for a new entry.</summary>
    /// <value><see cref="CacheTableKind.Evicting"/>.</value>
    public CacheTableKind Kind { get; set; }

    /// <summary>The most bytes of the pile that the table may use, including its index and dead entries. Memory is
    /// counted in blocks of 64 KiB. <see cref="CacheTable{TKey, TValue}.MaxBytes"/> can change it later.</summary>
    /// <value>Null: only the pile limits the table; otherwise at least 1 MiB.</value>
    public long? MaxBytes { get; set; }

    /// <summary>The bytes that an evicting table keeps when the rest of the pile needs memory, without its index, exact
    /// to one segment. The table still evicts below this number for its own limit and its own new entries.</summary>
    /// <value>Zero: the pile may take everything; at most <see cref="MaxBytes"/>.</value>
    public long MinBytes { get; set; }

    /// <summary>The most entries of the table, including those that expired and were not removed yet. At this limit, an
    /// evicting table evicts a few entries for a new key, and a non-evicting one refuses the key.
    /// <see cref="CacheTable{TKey, TValue}.MaxEntries"/> can change it later.</summary>
    /// <value>Null: only memory limits the number; otherwise at least one.</value>
    public long? MaxEntries { get; set; }

    /// <summary>The number of entries that an evicting table keeps when the rest of the pile needs memory, exact to one
    /// segment. The table still evicts below this number for its own limits and its own new entries.</summary>
    /// <value>Zero: the pile may take all entries; at most <see cref="MaxEntries"/>.</value>
    public long MinEntries { get; set; }

    /// <summary>The time after which an entry expires, unless its put sets another. An entry never stays longer than
    /// this; it may expire up to 0.4 s early.</summary>
    /// <value>Null: entries do not expire; otherwise half a second to six years.</value>
    public TimeSpan? MaxAge { get; set; }

    /// <summary>The time for which an entry stays after each put or read. A maximal age or an absolute expiration can
    /// end it earlier.</summary>
    /// <value>Null: reads do not extend the time to live; otherwise half a second to six years.</value>
    public TimeSpan? SlidingExpiration { get; set; }

    /// <summary>Whether entries that never expire store their age, too. This costs 8 bytes per entry. Reads with a
    /// maximal age need it.</summary>
    /// <value>False.</value>
    public bool TracksAge { get; set; }

    /// <summary>All problems of these settings, each with the option's name and the remedy.</summary>
    internal IReadOnlyList<string> Problems()
    {
        var problems = new List<string>();
        if (!Enum.IsDefined(Kind))
            problems.Add($"{nameof(Kind)} is {Kind}; set a value of {nameof(CacheTableKind)}.");
        if (MaxBytes < MinMaxBytes)
            problems.Add($"{nameof(MaxBytes)} is {MaxBytes:N0}; set it to {MinMaxBytes:N0} or more, or to null.");
        if (MinBytes < 0 || MinBytes > MaxBytes)
        {
            problems.Add($"{nameof(MinBytes)} is {MinBytes:N0}; set it from zero to {nameof(MaxBytes)}, "
                + $"{MaxBytes?.ToString("N0", null) ?? "any"}.");
        }

        if (MaxEntries < 1)
            problems.Add($"{nameof(MaxEntries)} is {MaxEntries:N0}; set it to one or more, or to null.");
        if (MinEntries < 0 || MinEntries > MaxEntries)
        {
            problems.Add($"{nameof(MinEntries)} is {MinEntries:N0}; set it from zero to {nameof(MaxEntries)}, "
                + $"{MaxEntries?.ToString("N0", null) ?? "any"}.");
        }

        AddAgeProblem(problems, nameof(MaxAge), MaxAge);
        AddAgeProblem(problems, nameof(SlidingExpiration), SlidingExpiration);
        if (SlidingExpiration >= MaxAge)
        {
            problems.Add($"{nameof(SlidingExpiration)} is {SlidingExpiration}, not below {nameof(MaxAge)}, {MaxAge}, "
                + "and so without effect; lower it or set it to null.");
        }

        return problems;
    }

    internal CacheTableSettings Freeze() =>
        new(
            Kind,
            (MinBytes, MinEntries),
            (MaxBytes, MaxEntries),
            new LifeSettings(MaxAge, SlidingExpiration, TracksAge));

    private static void AddAgeProblem(List<string> problems, string name, TimeSpan? age)
    {
        if (age < MinMaxAge || age > MaxMaxAge)
            problems.Add($"{name} is {age}; set it from {MinMaxAge} to {MaxMaxAge}, or to null.");
    }
}

/// <summary>What a table does when there is no room.</summary>
public enum CacheTableKind
{
    /// <summary>Evicts the least valuable entries: lower priorities first, and never an entry with a higher priority
    /// than the new one.</summary>
    Evicting = 0,

    /// <summary>Evicts nothing; the put is refused.</summary>
    NonEvicting = 1,
}
