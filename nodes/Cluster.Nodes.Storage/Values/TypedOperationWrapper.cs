using Cluster.StateStore;

namespace Cluster.Nodes.Storage.Values;

/// <summary>The wrapper of one operation type. Immutable.</summary>
/// <typeparam name="TOperation">The operation type.</typeparam>
/// <typeparam name="TValue">The value type of the stored state.</typeparam>
/// <typeparam name="TResult">Its result.</typeparam>
internal sealed class TypedOperationWrapper<TOperation, TValue, TResult> : OperationWrapper<TValue, TResult>
    where TOperation : IStateOperation<TValue, TResult>
{
    public override Type StoredType => typeof(StoredOperation<TOperation, TValue, TResult>);

    public override IStateOperation<Stored<TValue>, OperationAnswer<TResult>> Wrap(
        IStateOperation<TValue, TResult> operation) =>
        new StoredOperation<TOperation, TValue, TResult>((TOperation)operation);
}
