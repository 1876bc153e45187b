namespace Cluster.Nodes.Consul.Client;

/// <summary>How long a store waits for Consul, and Consul for the store's node. Immutable.</summary>
internal sealed record ConsulWaitBudget
{
    /// <summary>What production uses.</summary>
    public static ConsulWaitBudget Default { get; } = new();

    /// <summary>The deadline of a beat.</summary>
    public TimeSpan Beat { get; init; } = ConsulLimits.BeatDeadline;

    /// <summary>The deadline of everything else but polls, retries included.</summary>
    public TimeSpan Call { get; init; } = ConsulLimits.CallDeadline;

    /// <summary>How long a connection may take to open.</summary>
    public TimeSpan Connect { get; init; } = ConsulLimits.ConnectDeadline;

    /// <summary>How long a beat lasts, in whole seconds.</summary>
    public TimeSpan CheckTimeToLive { get; init; } = ConsulLimits.CheckTimeToLive;
}
