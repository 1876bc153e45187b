using Cluster.StateStore;

namespace Cluster.Nodes.Storage.Values;

/// <summary>Notes that the storage has a revision. A removal leaves the memory then. Answers whether a newer revision
/// waits to be stored.</summary>
/// <typeparam name="TValue">The value type of the stored state.</typeparam>
/// <param name="revision">The revision.</param>
internal sealed class MarkStored<TValue>(long revision) : IStateOperation<Stored<TValue>, bool>
{
    private readonly long _revision = revision;

    public bool Apply(ref Stored<TValue>? state, in OperationContext context)
    {
        if (state?.Revision != _revision)
            return state is { IsDirty: true };
        state = state.IsRemoved ? null : state.With(_revision, isDirty: false);
        return false;
    }
}
