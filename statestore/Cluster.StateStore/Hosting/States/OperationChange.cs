using Cluster.StateStore.Records;

namespace Cluster.StateStore.Hosting.States;

/// <summary>A change by an operation object. Made for one run, which sets the result.</summary>
/// <typeparam name="TValue">The value type of the state.</typeparam>
/// <typeparam name="TResult">What the operation answers.</typeparam>
internal sealed class OperationChange<TValue, TResult>(
    ChangeTarget target, ValueFormat<TValue> format, IStateOperation<TValue, TResult> operation) : RecordChange(target)
{
    /// <summary>The operation's result; valid only after the operation has run.</summary>
    public TResult Result { get; private set; } = default!;

    public override RecordBuffer? Run(RecordBuffer? present, in OperationContext context)
    {
        var state = present is null ? default : format.Read(present.Record.Value);
        Result = operation.Apply(ref state, context);
        return state is null ? null : format.Write(Key, state);
    }
}
