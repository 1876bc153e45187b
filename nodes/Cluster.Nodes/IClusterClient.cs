namespace Cluster.Nodes;

/// <summary>The services behind a contract, seen from a caller that cares which node answers. Injectable where
/// <c>AddClient</c> has named the contract. Thread-safe.</summary>
/// <typeparam name="TContract">A plain interface.</typeparam>
public interface IClusterClient<out TContract>
    where TContract : class
{
    /// <summary>A proxy whose calls go to any live node that offers the contract: this process where it does itself.
    /// The contract that is injected is the same.</summary>
    TContract Any { get; }

    /// <summary>Makes a proxy whose calls go to the node that owns a key, as long as that node offers the contract:
    /// there, the service finds the value of the key without a call. Each call looks for the owner anew. Where the
    /// owner does not offer the contract, or cannot be reached, any other node answers; so this is for speed
    /// alone.</summary>
    /// <typeparam name="TKey">The state's key type.</typeparam>
    /// <param name="state">The state's name.</param>
    /// <param name="key">The key.</param>
    /// <exception cref="ArgumentException">No state of this name and key type is added here.</exception>
    TContract ForKey<TKey>(string state, TKey key)
        where TKey : notnull;
}
