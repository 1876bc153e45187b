using Cluster.StateStore;

namespace Cluster.Nodes.Storage.Values;

/// <summary>Replaces a value by its removal.</summary>
/// <typeparam name="TValue">The value type of the stored state.</typeparam>
internal sealed class RemoveValue<TValue> : IStateOperation<Stored<TValue>, WriteAnswer>
{
    public WriteAnswer Apply(ref Stored<TValue>? state, in OperationContext context)
    {
        if (state is null)
            return new WriteAnswer(WriteOutcome.NotInMemory);
        if (state.IsRemoved)
            return new WriteAnswer(WriteOutcome.Refused);
        var revision = Revisions.Next(state.Revision, context);
        state = new Stored<TValue>
        {
            IsRemoved = true,
            IsDirty = true,
            Revision = revision,
            Lineage = state.Lineage,
        };
        return new WriteAnswer(WriteOutcome.Written, revision, state.Lineage.Id);
    }
}
