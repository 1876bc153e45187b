using Cluster.StateStore;

namespace Cluster.Nodes.AspNetCore.Protection;

/// <summary>Adds an element to the key ring. Runs on the owner, so nodes that store elements at the same time keep
/// all of them.</summary>
internal sealed class StoreKey(string element) : IStateOperation<StoredKeys, int>
{
    public int Apply(ref StoredKeys? state, in OperationContext context)
    {
        state ??= new StoredKeys();
        state.Add(element);
        return state.Elements.Count;
    }
}
