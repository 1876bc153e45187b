namespace Cluster.Glue.Resilience;

/// <summary>When a failing endpoint is not called for a while. Each endpoint has its own breaker. After the pause one
/// call is let through, and its result decides. Only transport failures count, not exceptions of the service.</summary>
public sealed class GlueBreakerOptions
{
    /// <summary>The share of failing calls at which the endpoint is given up. Above 0, up to 1.</summary>
    /// <value>Default: 0.5.</value>
    public double FailureRatio { get; set; } = 0.5;

    /// <summary>The least number of calls within the window before the breaker can open. From 2 to 1,000,000.</summary>
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
