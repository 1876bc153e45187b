using Cluster.StateStore.Local;
using Cluster.StateStore.Records;

namespace Cluster.StateStore.Operations;

/// <summary>
/// A change that another node asked for. The result is serialized before anything is committed, so that an operation
/// whose result cannot travel changes nothing. Made for one run.
/// </summary>
internal sealed class RequestedChange(ChangeTarget target, RecordChange change, Func<byte[]> serializeResult)
    : RecordChange(target)
{
    /// <summary>The serialized result; empty until the change has run.</summary>
    internal byte[] Result { get; private set; } = [];

    internal override RecordBuffer? Run(RecordBuffer? present, in OperationContext context)
    {
        var record = change.Run(present, context);
        try
        {
            Result = serializeResult();
            return record;
        }
        catch
        {
            record?.Dispose();
            throw;
        }
    }
}
