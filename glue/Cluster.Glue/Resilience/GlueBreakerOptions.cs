namespace Cluster.Glue.Resilience;

/// <summary>When an endpoint is not called for a while: each has a breaker of its own. After the pause one call is let
/// through, and its end decides. Failures are those of the way, not exceptions of the service.</summary>
public sealed class GlueBreakerOptions
{
    /// <summary>The share of failing calls at which the endpoint is given up. Above 0, up to 1.</summary>
    /// <value>Default: 0.5.</value>
    public double FailureRatio { get; set; } = 0.5;

    /// <summary>How many calls have to be made within the window before that. From 2 to 1,000,000.</summary>
    /// <value>Default: 10.</value>
    public int MinCalls { get; set; } = 10;

    /// <summary>The time in which calls and failures are counted. From 500 ms to 10 minutes.</summary>
    /// <value>Default: 30 seconds.</value>
    public TimeSpan Window { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>How long the endpoint is not called. From 500 ms to 10 minutes.</summary>
    /// <value>Default: 5 seconds.</value>
    public TimeSpan Pause { get; set; } = TimeSpan.FromSeconds(5);

    internal GlueBreakerOptions Copy() => (GlueBreakerOptions)MemberwiseClone();
}
