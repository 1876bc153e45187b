namespace Cluster.Glue;

/// <summary>Chooses the address for each call of a proxy that is not bound to one address. Called on the caller's
/// thread, so it answers from memory; implementations are thread-safe.</summary>
public interface IGlueEndpointSelector
{
    /// <summary>Names the address for the next attempt of one call.</summary>
    /// <param name="contract">The contract that the call belongs to.</param>
    /// <param name="excluded">Addresses where this call was already tried and certainly not delivered.</param>
    /// <returns>An address, or null when no (other) endpoint offers the contract.</returns>
    string? SelectEndpoint(Type contract, IReadOnlyCollection<string> excluded);
}
