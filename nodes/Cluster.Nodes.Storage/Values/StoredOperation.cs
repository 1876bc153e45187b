using Cluster.StateStore;

namespace Cluster.Nodes.Storage.Values;

/// <summary>Runs an operation of the user on the value of a stored state. The record must be in memory, also where
/// there is no value: then it is a marker.</summary>
/// <typeparam name="TOperation">The type of the operation.</typeparam>
/// <typeparam name="TValue">The value type of the stored state.</typeparam>
/// <typeparam name="TResult">What the operation answers.</typeparam>
/// <param name="operation">The operation.</param>
internal sealed class StoredOperation<TOperation, TValue, TResult>(TOperation operation)
    : IStateOperation<Stored<TValue>, OperationAnswer<TResult>>
    where TOperation : IStateOperation<TValue, TResult>
{
    // A struct that changes its own fields works on a copy, as it does in an ordinary state.
    private readonly TOperation _operation = operation;

    public OperationAnswer<TResult> Apply(ref Stored<TValue>? state, in OperationContext context)
    {
        if (state is null)
            return new OperationAnswer<TResult> { IsNotInMemory = true };
        var value = state.IsRemoved ? default : state.Value;
        var result = _operation.Apply(ref value, context);
        if (value is null && state.IsRemoved)
            return new OperationAnswer<TResult> { Result = result, IsMarkerLeft = state.IsMarker };
        var revision = Revisions.Next(state.Revision, context);
        state = new Stored<TValue>
        {
            Value = value,
            IsRemoved = value is null,
            IsDirty = true,
            Revision = revision,
            Lineage = state.Lineage,
        };
        return new OperationAnswer<TResult>
        {
            Result = result,
            Revision = revision,
            LineageId = state.Lineage.Id,
            IsRemoval = value is null,
        };
    }
}
