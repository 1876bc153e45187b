namespace Cluster.StateStore.Hosting.States;

/// <summary>A change by an operation object. Each run sets the result.</summary>
/// <typeparam name="TValue">The value type of the state.</typeparam>
/// <typeparam name="TResult">What the operation answers.</typeparam>
internal sealed class OperationChange<TValue, TResult>(
    ChangeTarget target, ValueFormat<TValue> format, IStateOperation<TValue, TResult> operation,
    Func<IStateOperation<TValue, TResult>> rebuild) : RecordChange(target)
{
    private IStateOperation<TValue, TResult>? _unused = operation;

    /// <summary>The operation's result; valid only after the operation has run.</summary>
    public TResult Result { get; private set; } = default!;

    public override ValueBuffer? Run(ReadOnlyMemory<byte>? present, in OperationContext context)
    {
        var state = present is { } value ? format.Read(value.Span) : default;

        // A run may change the fields of the operation.
        var fresh = _unused ?? rebuild();
        _unused = null;
        Result = fresh.Apply(ref state, context);
        return state is null ? null : format.Write(state);
    }
}
