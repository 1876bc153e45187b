namespace Cluster.Nodes.Consul.Client;

/// <summary>Lets a burst pass and then a fixed number a second, so that answers that come at once again and again, for
/// whatever reason, cannot become a hot loop. A private lock protects it.</summary>
internal sealed class TokenBucket(int burst, int perSecond, TimeProvider time)
{
    private readonly Lock _lock = new();
    private double _tokens = burst;
    private long _filledAt = time.GetTimestamp();

    /// <summary>Waits until one more may pass.</summary>
    public async ValueTask TakeAsync(CancellationToken cancellationToken)
    {
        var wait = Take();
        if (wait > TimeSpan.Zero)
            await Task.Delay(wait, time, cancellationToken).ConfigureAwait(false);
    }

    // The bucket may owe tokens: each waiter has then its own time, and nobody needs to be woken.
    private TimeSpan Take()
    {
        lock (_lock)
        {
            var now = time.GetTimestamp();
            _tokens = Math.Min(burst, _tokens + (time.GetElapsedTime(_filledAt, now).TotalSeconds * perSecond)) - 1;
            _filledAt = now;
            return _tokens >= 0 ? TimeSpan.Zero : TimeSpan.FromSeconds(-_tokens / perSecond);
        }
    }
}
