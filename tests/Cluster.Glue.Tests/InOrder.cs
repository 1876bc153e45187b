namespace Cluster.Glue.Tests;

/// <summary>Names the first of its addresses that is not excluded, and counts how often it is asked.
/// Thread-safe.</summary>
internal sealed class InOrder(params string[] addresses) : IGlueEndpointSelector
{
    private int _asked;

    public int Asked => Volatile.Read(ref _asked);

    public string? SelectEndpoint(Type contract, IReadOnlyCollection<string> excluded)
    {
        Interlocked.Increment(ref _asked);
        return addresses.FirstOrDefault(address => !excluded.Contains(address));
    }
}
