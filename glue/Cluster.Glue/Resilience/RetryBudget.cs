namespace Cluster.Glue.Resilience;

/// <summary>What further attempts at one peer may cost: each call earns a part of one, and each further attempt takes
/// one whole, so that retries cannot multiply the load of a peer in trouble. Protected by atomic exchange.</summary>
internal sealed class RetryBudget
{
    // For peers that are seldom called.
    private const int ReserveCount = 10;
    private const long Attempt = 1_000_000;

    private readonly long _earned;
    private readonly long _balanceMax;
    private long _balance;

    public RetryBudget(double ratio)
    {
        _earned = (long)(ratio * Attempt);
        _balanceMax = ratio == 0 ? 0 : ReserveCount * Attempt;
        _balance = _balanceMax;
    }

    /// <summary>A call is made.</summary>
    public void Earn() => Add(_earned);

    /// <summary>Takes one attempt; false when there is none left.</summary>
    public bool TryTake()
    {
        var known = Volatile.Read(ref _balance);
        while (known >= Attempt)
        {
            var found = Interlocked.CompareExchange(ref _balance, known - Attempt, known);
            if (found == known)
                return true;
            known = found;
        }

        return false;
    }

    /// <summary>An attempt that was taken is not made.</summary>
    public void GiveBack() => Add(Attempt);

    private void Add(long amount)
    {
        var known = Volatile.Read(ref _balance);
        while (true)
        {
            var next = Math.Min(known + amount, _balanceMax);
            var found = Interlocked.CompareExchange(ref _balance, next, known);
            if (found == known)
                return;
            known = found;
        }
    }
}
