using Cluster.StateStore;

namespace Cluster.Nodes.Storage.Values;

/// <summary>Forgets a value of the memory, if it is still the same, because the storage has a newer one: the next read
/// loads that.</summary>
/// <typeparam name="TValue">The value type of the stored state.</typeparam>
/// <param name="revision">The revision of the value.</param>
internal sealed class TakeFromStorage<TValue>(long revision) : IStateOperation<Stored<TValue>, bool>
{
    private readonly long _revision = revision;

    public bool Apply(ref Stored<TValue>? state, in OperationContext context)
    {
        if (state?.Revision != _revision)
            return false;
        state = null;
        return true;
    }
}
