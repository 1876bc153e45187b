using Cluster.Glue.Faults;
using Cluster.Glue.Signatures;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Streams;

/// <summary>Encodes the failure of a stream's producer, in the same form as the failure of a method. Pure.</summary>
internal static class StreamFaults
{
    // Only these codes are Glue's. A Glue failure of calls that the producer made is sent as the producer's failure.
    private const GlueErrorCode OwnCodeLowest = GlueErrorCode.StreamItemTooLarge;
    private const GlueErrorCode OwnCodeHighest = GlueErrorCode.StreamItemNotReadable;

    /// <summary>Writes the fault for a reader that comes too late.</summary>
    public static void WriteGone(WireBuffer output)
    {
        output.WriteByte((byte)StreamPhase.Making);
        FaultCodec.WriteCancelled(output, "The stream has ended at its owner, who makes no more items.");
    }

    public static void Write(
        WireBuffer output,
        StreamPhase phase,
        Exception failure,
        ContractSerializer serializer,
        GlueExceptionDetail detail)
    {
        output.WriteByte((byte)phase);
        if (failure is GlueException { Code: >= OwnCodeLowest and <= OwnCodeHighest } plumbing)
            FaultCodec.WriteGlue(output, plumbing);
        else if (failure is OperationCanceledException)
            FaultCodec.WriteCancelled(output, failure.Message);
        else
            FaultCodec.WriteApplication(output, failure, serializer, detail);
    }
}
