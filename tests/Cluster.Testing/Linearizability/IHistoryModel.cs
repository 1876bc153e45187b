namespace Cluster.Testing.Linearizability;

/// <summary>The object that a history is compared with, when one operation runs after the other. Stateless.</summary>
/// <typeparam name="TState">The state of one object; compared by content.</typeparam>
/// <typeparam name="TOperation">The requests; compared by content.</typeparam>
/// <typeparam name="TResult">The answers.</typeparam>
public interface IHistoryModel<TState, TOperation, TResult>
    where TResult : struct
{
    /// <summary>The state before the first operation.</summary>
    TState Initial { get; }

    /// <summary>The number of effects that an operation can have.</summary>
    /// <param name="operation">The request.</param>
    int Branches(TOperation operation) => 1;

    /// <summary>Whether an operation never changes the state. Without an answer it proves nothing.</summary>
    /// <param name="operation">The request.</param>
    bool IsRead(TOperation operation);

    /// <summary>Returns a number that an answer tells about its place in the order: a call with a higher number comes
    /// after all calls with lower ones. Null: it tells none.</summary>
    /// <param name="result">The answer.</param>
    long? OrderOf(TResult result) => null;

    /// <summary>Computes the state after an operation.</summary>
    /// <param name="operation">The request.</param>
    /// <param name="result">The answer; null: it is unknown and fits every state.</param>
    /// <param name="state">The state before.</param>
    /// <param name="branch">The number of the effect, from zero.</param>
    /// <param name="after">The state after.</param>
    /// <returns>False if the operation cannot have this effect and this answer in this state.</returns>
    bool TryApply(TOperation operation, TResult? result, TState state, int branch, out TState after);
}
