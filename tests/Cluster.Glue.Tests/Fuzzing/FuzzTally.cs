namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>What a run has seen. Counts are protected by a lock.</summary>
internal sealed class FuzzTally
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, long> _rules = [];
    private readonly HashSet<string> _unknown = [];
    private long _frames;

    public long Frames => Volatile.Read(ref _frames);

    /// <summary>Texts of refusals that belong to no rule.</summary>
    public IReadOnlyCollection<string> Unknown => _unknown;

    public void Count(int frames) => Interlocked.Add(ref _frames, frames);

    public void CountRefusal(string text)
    {
        var rule = WireRules.Find(text)?.Name;
        lock (_gate)
        {
            if (rule is null)
                _unknown.Add(text);
            else
                _rules[rule] = _rules.GetValueOrDefault(rule) + 1;
        }
    }

    /// <summary>Something that is no refusal of the wire but worth a line in the report.</summary>
    public void CountOther(string what)
    {
        lock (_gate)
            _rules[what] = _rules.GetValueOrDefault(what) + 1;
    }

    public string Report(string side, TimeSpan elapsed)
    {
        lock (_gate)
        {
            var lines = _rules.OrderByDescending(rule => rule.Value)
                .Select(rule => string.Create(CultureInfo.InvariantCulture, $"{rule.Value,10} {rule.Key}"));
            return string.Create(
                CultureInfo.InvariantCulture,
                $"{side}: {Frames} frames in {elapsed.TotalSeconds:F0} s, {Frames / elapsed.TotalSeconds:F0} a second\n")
                + string.Join('\n', lines);
        }
    }
}
