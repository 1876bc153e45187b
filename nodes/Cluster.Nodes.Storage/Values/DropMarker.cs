using Cluster.StateStore;

namespace Cluster.Nodes.Storage.Values;

/// <summary>Forgets that the storage has no value for a key, unless the key has been written meanwhile.</summary>
/// <typeparam name="TValue">The value type of the stored state.</typeparam>
internal sealed class DropMarker<TValue> : IStateOperation<Stored<TValue>, bool>
{
    public bool Apply(ref Stored<TValue>? state, in OperationContext context)
    {
        if (state is not { IsMarker: true })
            return false;
        state = null;
        return true;
    }
}
