namespace Cluster.Testing.Linearizability;

/// <summary>The calls that are not in the order yet, by their begin: a list whose members leave and come back in
/// reverse order without being looked for. Used by one search.</summary>
internal sealed class PendingCalls
{
    /// <summary>No call.</summary>
    public const int None = -1;

    // The place before the first; indices are one higher than those of calls.
    private readonly int[] _after;
    private readonly int[] _before;

    public PendingCalls(int count, Predicate<int> isMember)
    {
        _after = new int[count + 1];
        _before = new int[count + 1];
        var last = 0;
        for (var i = 0; i < count; i++)
        {
            if (isMember(i))
            {
                _after[last] = i + 1;
                _before[i + 1] = last;
                last = i + 1;
            }
        }
    }

    public int First => _after[0] - 1;

    public int After(int call) => _after[call + 1] - 1;

    public void Remove(int call)
    {
        var (before, after) = (_before[call + 1], _after[call + 1]);
        _after[before] = after;
        if (after != 0)
            _before[after] = before;
    }

    /// <summary>Brings back the call that left last.</summary>
    public void Restore(int call)
    {
        var (before, after) = (_before[call + 1], _after[call + 1]);
        _after[before] = call + 1;
        if (after != 0)
            _before[after] = call + 1;
    }
}
