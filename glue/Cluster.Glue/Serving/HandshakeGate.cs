namespace Cluster.Glue.Serving;

/// <summary>Counts the connections whose peers have not shaken hands yet, and bounds them. Atomic counting.</summary>
internal sealed class HandshakeGate(int countMax)
{
    private int _count;

    public int CountMax { get; } = countMax;

    public bool TryEnter()
    {
        if (Interlocked.Increment(ref _count) <= CountMax)
            return true;
        Interlocked.Decrement(ref _count);
        return false;
    }

    public void Leave() => Interlocked.Decrement(ref _count);
}
