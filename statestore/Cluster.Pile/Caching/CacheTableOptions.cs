using Cluster.Pile.Tables.Log;

namespace Cluster.Pile.Caching;

/// <summary>What the user sets about a cache table. Mutable until a table is made from it, which copies it; not
/// thread-safe.</summary>
public sealed class CacheTableOptions
{
    /// <summary>The smallest <see cref="MaxBytes"/>: 1 MiB.</summary>
    public const long MinMaxBytes = 1L << 20;

    /// <summary>The shortest age and sliding span: half a second.</summary>
    public static readonly TimeSpan MinMaxAge = new(5 * RecordClock.StepTicks);

    /// <summary>The longest age and sliding span: six years.</summary>
    public static readonly TimeSpan MaxMaxAge = new(RecordClock.LifeStepsMax * RecordClock.StepTicks);

    /// <summary>What the table does when there is no room.</summary>
    /// <value><see cref="CacheTableKind.Evicting"/>: it evicts.</value>
    public CacheTableKind Kind { get; set; }

    /// <summary>What the table takes of the pile at most, index and dead entries included. Memory is counted in blocks
    /// of 64 KiB. Can be changed later by <see cref="CacheTable{TKey, TValue}.MaxBytes"/>.</summary>
    /// <value>Null: what the pile has; otherwise at least 1 MiB.</value>
    public long? MaxBytes { get; set; }

    /// <summary>What a speculative table keeps when the rest of the pile needs memory, counted without its index and
    /// give or take a segment. Its own limit and its own new entries make it evict nevertheless.</summary>
    /// <value>Zero: everything may go; not above <see cref="MaxBytes"/>.</value>
    public long MinBytes { get; set; }

    /// <summary>How many entries the table has at most, those included that expired and were not yet removed. At this
    /// limit, a new key makes a speculative table evict a few entries, and a durable one refuse. Can be changed later
    /// by <see cref="CacheTable{TKey, TValue}.MaxEntries"/>.</summary>
    /// <value>Null: as many as there is memory for; otherwise at least one.</value>
    public long? MaxEntries { get; set; }

    /// <summary>How many entries a speculative table keeps when the rest of the pile needs memory, give or take a
    /// segment. Its own limits and its own new entries make it evict nevertheless.</summary>
    /// <value>Zero: all may go; not above <see cref="MaxEntries"/>.</value>
    public long MinEntries { get; set; }

    /// <summary>After which time an entry is gone where a put does not say it. Entries never stay longer than they may,
    /// and leave up to 0.4 s earlier.</summary>
    /// <value>Null: entries stay; otherwise half a second to six years.</value>
    public TimeSpan? MaxAge { get; set; }

    /// <summary>How long an entry stays after it was put or read; a maximal age and an absolute expiration end it
    /// nevertheless.</summary>
    /// <value>Null: reads do not lengthen the stay; otherwise half a second to six years.</value>
    public TimeSpan? SlidingExpiration { get; set; }

    /// <summary>Whether entries that never expire know their age, too, which takes 8 bytes in each of them. Needed for
    /// reads that ask for an age.</summary>
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
    /// <summary>Evicts what is worth least; lower priorities first, and never a higher one than that of the new
    /// entry.</summary>
    Evicting = 0,

    /// <summary>Evicts nothing: a put is refused.</summary>
    NonEvicting = 1,
}
