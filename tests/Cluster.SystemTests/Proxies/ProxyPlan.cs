namespace Cluster.SystemTests.Proxies;

/// <summary>What a proxy is to do. Immutable.</summary>
/// <param name="Mode">What it understands of what it passes on.</param>
/// <param name="Port">Where it listens on loopback.</param>
/// <param name="BackendPorts">The servers behind it, on loopback.</param>
/// <param name="Timeout">How long it bears silence, on either side.</param>
internal sealed record ProxyPlan(ProxyMode Mode, int Port, int[] BackendPorts, TimeSpan Timeout)
{
    /// <summary>Whether the address of the caller chooses the server; otherwise they take turns.</summary>
    public bool IsSticky { get; init; }

    /// <summary>The time-out in the unit that both programs read.</summary>
    public string TimeoutText => FormattableString.Invariant($"{(int)Timeout.TotalMilliseconds}ms");
}
