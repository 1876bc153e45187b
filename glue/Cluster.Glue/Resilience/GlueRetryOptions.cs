namespace Cluster.Glue.Resilience;

/// <summary>How calls are repeated: those that were provably not delivered, and those of idempotent methods. Each
/// further attempt takes from the budget of the peer it goes to, see
/// <see cref="GlueClientOptions.RetryBudgetRatio"/>.</summary>
public sealed class GlueRetryOptions
{
    /// <summary>How often one call is repeated. From 1 to 10.</summary>
    /// <value>Default: 2.</value>
    public int MaxRetryAttempts { get; set; } = 2;

    /// <summary>The longest pause before the first retry; it doubles with each further retry, and the pause is a random
    /// time between half of it and all of it. There is no pause where another endpoint is tried because the call was
    /// not delivered. From 0 to 1 minute.</summary>
    /// <value>Default: 50 ms.</value>
    public TimeSpan Delay { get; set; } = TimeSpan.FromMilliseconds(50);

    /// <summary>The longest pause. From 0 to 10 minutes.</summary>
    /// <value>Default: 1 second.</value>
    public TimeSpan MaxDelay { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>Which exceptions of the service itself are worth another call of an idempotent method. Null:
    /// none.</summary>
    public Func<Exception, bool>? HandlesException { get; set; }
}
