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

    public override RecordChange Deserialize(
        ValueFormat<TValue> format, ReadOnlyMemory<byte> payload, ChangeTarget target) =>
        new OperationChange<TValue, TOperation, TResult>(target, format, payload);
}
