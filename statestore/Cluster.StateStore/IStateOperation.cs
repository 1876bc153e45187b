namespace Cluster.StateStore;

/// <summary>A change of one value that travels to the value's owner and runs there. Its fields are its arguments and
/// are carried like any graph. An operation works on the value alone: states refuse to be used from inside
/// one.</summary>
/// <typeparam name="TState">The value type of the state.</typeparam>
/// <typeparam name="TResult">What the caller gets back.</typeparam>
public interface IStateOperation<TState, TResult>
{
    /// <summary>Changes the value. Runs synchronously and should be short: other writes of this key wait for
    /// it.</summary>
    /// <param name="state">The value, null where there is none; setting it to null removes the entry.</param>
    /// <param name="context">Time and randomness; an operation should use no other source of either.</param>
    TResult Apply(ref TState? state, in OperationContext context);
}
