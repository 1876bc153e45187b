using Cluster.StateStore;

namespace Cluster.Nodes.Storage.Values;

/// <summary>Knows the stored form of one operation type of the user, and wraps operations. Immutable.</summary>
/// <typeparam name="TValue">The value type of the stored state.</typeparam>
/// <typeparam name="TResult">What the operations answer.</typeparam>
internal abstract class OperationWrapper<TValue, TResult> : IOperationWrapper
{
    public abstract Type StoredType { get; }

    public abstract IStateOperation<Stored<TValue>, OperationAnswer<TResult>> Wrap(
        IStateOperation<TValue, TResult> operation);
}
