namespace Cluster.Glue.Resilience;

/// <summary>Bounds the further attempts at one peer: each call earns a part of an attempt, and each further attempt
/// takes a whole one, so that retries cannot multiply the load of a peer in trouble. Protected by atomic
/// exchange.</summary>
internal sealed class RetryBudget
{
    // A reserve for peers that are seldom called.
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

    /// <summary>Notes that a call is made.</summary>
    public void Earn() => Add(_earned);

    /// <summary>Takes one attempt. False: there is none left.</summary>
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

    /// <summary>Gives back an attempt that was taken and is not made.</summary>
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
