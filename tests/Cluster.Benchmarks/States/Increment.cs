using Cluster.StateStore;

namespace Cluster.Benchmarks.States;

/// <summary>Raises the counter at the start of a value. Not shared.</summary>
public sealed class Increment : IStateOperation<byte[], int>
{
    /// <inheritdoc/>
    public int Apply(ref byte[]? state, in OperationContext context)
    {
        // A value that an operation has read belongs to that operation.
        state ??= new byte[sizeof(int)];
        var next = BinaryPrimitives.ReadInt32LittleEndian(state) + 1;
        BinaryPrimitives.WriteInt32LittleEndian(state, next);
        return next;
    }
}
