using Cluster.Slim.Errors;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>What a run has seen: outcomes, and refusals by rule. Each thread counts for itself.</summary>
internal sealed class FuzzTally
{
    private readonly HashSet<RefusalSite> _certain = [];

    public long Messages { get; private set; }

    public long Accepted { get; private set; }

    public long HeadersPassed { get; private set; }

    public long AllocatedMax { get; set; }

    /// <summary>The most that a message took for each of its bytes.</summary>
    public double WorstNanosecondsPerByte { get; private set; }

    public Dictionary<RefusalSite, long> Refusals { get; } = [];

    /// <summary>Counts what a message cost.</summary>
    public void CountCost(int length, TimeSpan time) =>
        WorstNanosecondsPerByte = Math.Max(WorstNanosecondsPerByte, time.TotalNanoseconds / Math.Max(1, length));

    /// <summary>Counts one message; bytes behind the header show that the header was good.</summary>
    public void Count(SlimException? error, int headerBytes)
    {
        Messages++;
        if (error is null)
            Accepted++;
        if (error is null || error.Offset > headerBytes)
            HeadersPassed++;
        CountSite(error);
    }

    /// <summary>Counts the rule only: what was refused is the same in every run.</summary>
    public void CountCertain(SlimException? error)
    {
        CountSite(error);
        if (error?.Site is { } site)
            _certain.Add(site);
    }

    private void CountSite(SlimException? error)
    {
        if (error?.Site is { } site)
            Refusals[site] = Refusals.GetValueOrDefault(site) + 1;
    }

    public void Add(FuzzTally other)
    {
        Messages += other.Messages;
        Accepted += other.Accepted;
        HeadersPassed += other.HeadersPassed;
        AllocatedMax = Math.Max(AllocatedMax, other.AllocatedMax);
        WorstNanosecondsPerByte = Math.Max(WorstNanosecondsPerByte, other.WorstNanosecondsPerByte);
        foreach ((var site, var count) in other.Refusals)
            Refusals[site] = Refusals.GetValueOrDefault(site) + count;
    }

    /// <summary>The rules that not every run breaks, those on the list left out: never broken, or by luck.</summary>
    public IEnumerable<string> UncertainRules() => RefusalRules.All.Keys.Except(_certain)
        .Select(RefusalRules.NameOf).Where(static rule => !RefusalRules.Unbroken.Contains(rule)).Order();

    /// <summary>The rules that were broken although the list excuses them: they have to leave it.</summary>
    /// <remarks>Only what every run breaks counts: what a random message breaks once needs a case of its own.</remarks>
    public IEnumerable<string> BrokenRulesOnTheList() =>
        _certain.Select(RefusalRules.NameOf).Where(RefusalRules.Unbroken.Contains).Order();

    public string Report(TimeSpan elapsed)
    {
        var broken = Refusals.OrderByDescending(static r => r.Value)
            .Select(static r => $"{r.Value,10} {r.Key} {RefusalRules.All[r.Key]}");
        return FormattableString.Invariant(
            $"""
            {Messages} messages in {elapsed.TotalSeconds:F0} s, {Messages / elapsed.TotalSeconds:F0} a second
            {Accepted} accepted, {HeadersPassed} got past the header, at most {AllocatedMax} bytes allocated for one
            at worst {WorstNanosecondsPerByte:F0} ns for a byte
            {Refusals.Count} of {RefusalRules.All.Count} rules were broken, {RefusalRules.Unbroken.Count} are excused:
            {string.Join('\n', broken)}
            not broken in every run:
            {string.Join('\n', UncertainRules())}
            excused, but broken:
            {string.Join('\n', BrokenRulesOnTheList())}
            """);
    }
}
