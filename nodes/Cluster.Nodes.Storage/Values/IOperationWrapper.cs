namespace Cluster.Nodes.Storage.Values;

/// <summary>An <see cref="OperationWrapper{TValue,TResult}"/> for callers that do not know the type of its
/// result.</summary>
internal interface IOperationWrapper
{
    /// <summary>The type that the owner runs in place of the user's operation.</summary>
    Type StoredType { get; }
}
