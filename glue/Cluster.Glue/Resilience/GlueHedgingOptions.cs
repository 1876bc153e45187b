namespace Cluster.Glue.Resilience;

/// <summary>How the client repeats slow calls of idempotent methods before they have ended: at the next endpoint where
/// a selector knows several, otherwise at the same one. The first answer counts, and the client cancels the other
/// calls.</summary>
public sealed class GlueHedgingOptions
{
    /// <summary>The silence after which a further call is made. From 1 ms to 10 minutes.</summary>
    /// <value>Default: 100 ms.</value>
    public TimeSpan Delay { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>How many further calls are made at most. From 1 to 5.</summary>
    /// <value>Default: 1.</value>
    public int MaxHedges { get; set; } = 1;
}
