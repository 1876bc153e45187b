namespace Cluster.SystemTests.Proxies;

/// <summary>The settings of a proxy. Immutable.</summary>
/// <param name="Mode">The protocol that the proxy understands.</param>
/// <param name="Port">The loopback port on which the proxy listens.</param>
/// <param name="BackendPorts">The loopback ports of the servers behind the proxy.</param>
/// <param name="Timeout">The maximum silence on either side; after it the proxy ends the request.</param>
internal sealed record ProxyPlan(ProxyMode Mode, int Port, int[] BackendPorts, TimeSpan Timeout)
{
    /// <summary>Whether the address of the caller chooses the server; otherwise the servers take turns.</summary>
    public bool IsSticky { get; init; }

    /// <summary>The time-out in a unit that both programs can read.</summary>
    public string TimeoutText => FormattableString.Invariant($"{(int)Timeout.TotalMilliseconds}ms");
}
