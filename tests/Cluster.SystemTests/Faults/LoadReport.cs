namespace Cluster.SystemTests.Faults;

/// <summary>What the operations of a load say about a fault. Immutable.</summary>
/// <param name="entries">The operations.</param>
internal sealed class LoadReport(IEnumerable<LoadEntry> entries)
{
    /// <summary>A run counts only with this number of answered operations a second, at any time.</summary>
    public const double RateMin = 100;

    private readonly LoadEntry[] _entries = [.. entries.OrderBy(entry => entry.Ended)];

    /// <summary>The operations that ended with an answer in a span of time, per second.</summary>
    public double RateBetween(double from, double until) =>
        _entries.Count(entry => entry.IsDone && entry.Ended >= from && entry.Ended < until) / (until - from);

    /// <summary>Returns the rate in a span of time. Fails if it is too low for a run that counts.</summary>
    /// <param name="from">The beginning of the span.</param>
    /// <param name="until">The end of the span.</param>
    /// <param name="rateMin">The lowest rate that counts.</param>
    public double CheckRate(double from, double until, double rateMin = RateMin)
    {
        var rate = RateBetween(from, until);
        Assert.True(rate >= rateMin, $"only {rate:0} operations/s from {from:0.0} s to {until:0.0} s");
        return rate;
    }

    /// <summary>The operations that began in a span of time and ended without an answer.</summary>
    public int FailuresBetween(double from, double until) =>
        _entries.Count(entry => !entry.IsDone && entry.Began >= from && entry.Began < until);

    /// <summary>The time within which a share of the answered operations ended, in seconds.</summary>
    public double Percentile(double share, double from, double until)
    {
        double[] times =
        [
            .. _entries.Where(entry => entry.IsDone && entry.Began >= from && entry.Began < until)
                .Select(entry => entry.Ended - entry.Began)
                .Order(),
        ];
        return times.Length == 0 ? 0 : times[(int)(share * (times.Length - 1))];
    }

    /// <summary>The longest time in which operations on a partition were tried and none was answered, in seconds, with
    /// the partition.</summary>
    public LoadGap LongestGap(
        IEnumerable<int> partitions, double from, double until, bool isOfWrites = false)
    {
        var byPartition = _entries
            .Where(entry => !isOfWrites || entry.Kind != LoadKind.Read)
            .ToLookup(entry => entry.Partition);
        return partitions
            .Select(partition => GapOf(partition, [.. byPartition[partition]], from, until))
            .DefaultIfEmpty()
            .MaxBy(gap => gap.Seconds);
    }

    // The entries are in the order of their ends. A gap begins with the first operation that was tried and not answered
    // since the answer before.
    private static LoadGap GapOf(int partition, LoadEntry[] entries, double from, double until)
    {
        var longest = new LoadGap(partition, 0, 0);
        var answeredAt = 0.0;
        double? triedAt = null;
        foreach (var entry in entries)
        {
            var began = Math.Max(entry.Began, answeredAt);
            triedAt = triedAt is { } earlier && earlier < began ? earlier : began;
            if (!entry.IsDone)
                continue;

            // Operations that end later may have been tried since before.
            var first = entries
                .Where(other => other.Ended > entry.Ended && other.Began < entry.Ended)
                .Select(other => Math.Max(other.Began, answeredAt))
                .Append(triedAt.Value)
                .Min();
            if (entry.Ended >= from && first < until && entry.Ended - first > longest.Seconds)
                longest = new LoadGap(partition, first, entry.Ended);
            (answeredAt, triedAt) = (entry.Ended, null);
        }

        return triedAt is { } open && open < until && entries[^1].Ended - open > longest.Seconds
            ? new LoadGap(partition, open, entries[^1].Ended)
            : longest;
    }
}
