namespace Cluster.StateStore.Hosting.States;

/// <summary>The binding of one operation type. Immutable.</summary>
/// <typeparam name="TValue">The value type of the state.</typeparam>
/// <typeparam name="TOperation">The operation type.</typeparam>
/// <typeparam name="TResult">Its result.</typeparam>
internal sealed class TypedOperationBinding<TValue, TOperation, TResult>()
    : OperationBinding<TValue>(typeof(TOperation))
    where TOperation : IStateOperation<TValue, TResult>
{
    public override byte[] Serialize(ValueFormat<TValue> format, object operation) =>
        format.ToBytes((TOperation)operation);

    public override RequestedChange Deserialize(ValueFormat<TValue> format, byte[] payload, ChangeTarget target)
    {
        var operation = format.FromBytes<TOperation>(payload);
        var change = new OperationChange<TValue, TResult>(
            target, format, operation, () => format.FromBytes<TOperation>(payload));
        return new RequestedChange(target, change, () => format.ToBytes(change.Result), format.Failures);
    }
}
