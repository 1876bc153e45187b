namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>What a run has seen: outcomes, and refusals by rule. Each thread counts for itself.</summary>
internal sealed class FuzzTally
{
    internal long Messages { get; private set; }

    internal long Accepted { get; private set; }

    internal long HeadersPassed { get; private set; }

    internal long AllocatedMax { get; set; }

    internal Dictionary<RefusalSite, long> Refusals { get; } = [];

    /// <summary>Counts one message; bytes behind the header show that the header was good.</summary>
    internal void Count(SlimException? error, int headerBytes)
    {
        Messages++;
        if (error is null)
            Accepted++;
        if (error is null || error.Offset > headerBytes)
            HeadersPassed++;
        CountRule(error);
    }

    /// <summary>Counts the rule only: what was refused is not one of the messages of the run.</summary>
    internal void CountRule(SlimException? error)
    {
        if (error?.Site is { } site)
            Refusals[site] = Refusals.GetValueOrDefault(site) + 1;
    }

    internal void Add(FuzzTally other)
    {
        Messages += other.Messages;
        Accepted += other.Accepted;
        HeadersPassed += other.HeadersPassed;
        AllocatedMax = Math.Max(AllocatedMax, other.AllocatedMax);
        foreach ((RefusalSite site, long count) in other.Refusals)
            Refusals[site] = Refusals.GetValueOrDefault(site) + count;
    }

    /// <summary>The rules that no message broke, those on the list left out.</summary>
    internal IEnumerable<string> UnbrokenRules() => RefusalRules.All
        .Where(r => !Refusals.ContainsKey(r.Key) && !RefusalRules.Unbreakable.Contains($"{r.Key.File} {r.Value}"))
        .Select(static r => $"{r.Key} {r.Value}").Order();

    internal string Report(TimeSpan elapsed)
    {
        IEnumerable<string> broken = Refusals.OrderByDescending(static r => r.Value)
            .Select(static r => $"{r.Value,10} {r.Key} {RefusalRules.All[r.Key]}");
        return FormattableString.Invariant(
            $"""
            {Messages} messages in {elapsed.TotalSeconds:F0} s, {Messages / elapsed.TotalSeconds:F0} a second
            {Accepted} accepted, {HeadersPassed} got past the header, at most {AllocatedMax} bytes allocated for one
            refusals by rule, of {RefusalRules.All.Count} rules:
            {string.Join('\n', broken)}
            never broken:
            {string.Join('\n', UnbrokenRules())}
            """);
    }
}
