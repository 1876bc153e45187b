namespace Cluster.Nodes;

/// <summary>Calls the owners of keys, for a contract that the nodes offer to each other alone. Injectable where
/// <c>AddPeerService</c> has named the contract. Thread-safe.</summary>
/// <typeparam name="TContract">A plain interface.</typeparam>
public interface IOwnerClient<out TContract>
    where TContract : class
{
    /// <summary>The proxy of the node that owns a key now, or null while nobody does. Its calls go to this node also
    /// when the key has moved meanwhile, so ask anew for each call.</summary>
    /// <typeparam name="TKey">The state's key type.</typeparam>
    /// <param name="state">The state's name.</param>
    /// <param name="key">The key.</param>
    /// <exception cref="ArgumentException">No state of this name and key type is added here.</exception>
    TContract? FindOwner<TKey>(string state, TKey key)
        where TKey : notnull;
}
