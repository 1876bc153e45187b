namespace Cluster.StateStore.Hosting.States;

/// <summary>A change by an operation object, which the owner has rebuilt from its bytes. Each run sets the
/// result.</summary>
/// <typeparam name="TValue">The value type of the state.</typeparam>
/// <typeparam name="TOperation">The operation type.</typeparam>
/// <typeparam name="TResult">What the operation answers.</typeparam>
internal sealed class OperationChange<TValue, TOperation, TResult>(
    ChangeTarget target, ValueFormat<TValue> format, ReadOnlyMemory<byte> payload) : RecordChange(target)
    where TOperation : IStateOperation<TValue, TResult>
{
    private IStateOperation<TValue, TResult>? _unused = format.FromBytes<TOperation>(payload.Span);

    public override ValueBuffer? Run(ReadOnlyMemory<byte>? present, in OperationContext context)
    {
        ValueBuffer? value = null;
        try
        {
            var state = present is { } bytes ? format.Read(bytes.Span) : default;

            // A run may change the fields of the operation.
            var fresh = _unused ?? format.FromBytes<TOperation>(payload.Span);
            _unused = null;
            var result = fresh.Apply(ref state, context);
            value = state is null ? null : format.Write(state);
            Result = format.ToBytes(result);
            return value;
        }
        catch (Exception thrown) when (thrown is not OutOfMemoryException)
        {
            value?.Dispose();
            Failure = format.Failures.Write(thrown);
            throw;
        }
    }
}
