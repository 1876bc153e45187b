namespace Cluster.Nodes.Consul.Client;

/// <summary>Spreads delays at random, so that nodes which failed together do not come back together. A private lock
/// protects it.</summary>
internal sealed class ConsulJitter(Random random)
{
    private readonly Lock _lock = new();

    /// <summary>A delay between half of the span and the span.</summary>
    public TimeSpan Around(TimeSpan span) => span * (0.5 + (0.5 * Next()));

    /// <summary>A delay between nothing and the span.</summary>
    public TimeSpan UpTo(TimeSpan span) => span * Next();

    private double Next()
    {
        lock (_lock)
            return random.NextDouble();
    }
}
