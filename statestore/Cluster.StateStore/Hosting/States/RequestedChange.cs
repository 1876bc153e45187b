using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting.States;

/// <summary>An operation that the owner has rebuilt from its bytes, for a caller on this node or another. The result is
/// serialized before anything is committed, so that an operation whose result cannot travel changes nothing.</summary>
internal sealed class RequestedChange(
    ChangeTarget target, RecordChange change, Func<byte[]> serializeResult, FailureCodec failures)
    : RecordChange(target)
{
    /// <summary>The serialized result; empty until the change has run.</summary>
    public byte[] Result { get; private set; } = [];

    /// <summary>The exception of the user's code, or null.</summary>
    public StateFailure? Failure { get; private set; }

    public override ValueBuffer? Run(ReadOnlyMemory<byte>? present, in OperationContext context)
    {
        ValueBuffer? value = null;
        try
        {
            value = change.Run(present, context);
            Result = serializeResult();
            return value;
        }
        catch (Exception thrown) when (thrown is not OutOfMemoryException)
        {
            value?.Dispose();
            Failure = failures.Write(thrown);
            throw;
        }
    }
}
