namespace Cluster.Testing.Linearizability;

/// <summary>The calls that are not in the order yet, sorted by their begin. A linked list: calls are removed and
/// restored without a search, and must be restored in the reverse order of their removal. Used by one search.</summary>
internal sealed class PendingCalls
{
    /// <summary>No call.</summary>
    public const int None = -1;

    // Index 0 is the head of the list; call i has index i + 1.
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

    /// <summary>Restores the call that was removed last.</summary>
    public void Restore(int call)
    {
        var (before, after) = (_before[call + 1], _after[call + 1]);
        _after[before] = call + 1;
        if (after != 0)
            _before[after] = call + 1;
    }
}
