using Cluster.StateStore;

namespace Cluster.Nodes.Storage.Values;

/// <summary>Gives a value that is to be stored a revision above that of the storage, if it is still the same
/// value.</summary>
/// <typeparam name="TValue">The value type of the stored state.</typeparam>
/// <param name="revision">The revision of the value.</param>
/// <param name="storedRevision">The revision that the storage has.</param>
internal sealed class RaiseRevision<TValue>(long revision, long storedRevision)
    : IStateOperation<Stored<TValue>, bool>
{
    private readonly long _revision = revision;
    private readonly long _storedRevision = storedRevision;

    public bool Apply(ref Stored<TValue>? state, in OperationContext context)
    {
        if (state?.Revision != _revision)
            return false;
        state = state.With(Revisions.Next(_storedRevision, context), isDirty: true);
        return true;
    }
}
