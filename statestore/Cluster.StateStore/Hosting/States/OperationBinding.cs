using Cluster.Slim.Hosting;

namespace Cluster.StateStore.Hosting.States;

/// <summary>One allowed operation type of a state: how it travels, and how a request that names it becomes a change at
/// the owner. Immutable.</summary>
/// <typeparam name="TValue">The value type of the state.</typeparam>
internal abstract class OperationBinding<TValue>(Type type)
{
    public Type Type { get; } = type;

    /// <summary>The number that stands for the type in requests: the hash of its name. The full name of a generic type
    /// would hold the versions of its arguments' assemblies, which differ between two builds of a service.</summary>
    public ulong Id { get; } = XxHash3.Hash(Encoding.UTF8.GetBytes(type.ToString()));

    /// <summary>Serializes an operation whose type is exactly this one.</summary>
    public abstract byte[] Serialize(ValueFormat<TValue> format, object operation);

    /// <summary>Rebuilds the operation of a request.</summary>
    /// <param name="format">The format of the state.</param>
    /// <param name="payload">The bytes of the operation, valid until the request is answered.</param>
    /// <param name="target">What the operation changes.</param>
    public abstract RecordChange Deserialize(
        ValueFormat<TValue> format, ReadOnlyMemory<byte> payload, ChangeTarget target);
}
