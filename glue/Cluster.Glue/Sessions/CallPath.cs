using Cluster.Glue.Substreams;

namespace Cluster.Glue.Sessions;

/// <summary>One way for calls over a link: a substream, the method handles given on it, and the calls under way there.
/// Usual calls go by the first path. A call for which a served call waits goes by the second path, on control: reading
/// of control never stops, and only nested calls take the places of this path. So calls back and forth cannot block
/// each other. Immutable.</summary>
internal sealed record CallPath(Substream Substream, OutgoingMethods Methods, PendingCalls Pending, ulong IdMark)
{
    /// <summary>Marks the call ids of the second path. The bit lies above generation and slot.</summary>
    public const ulong NestedMark = 1UL << 48;

    public CallPath(Substream substream, OutgoingMethods methods, int callsInFlightMax, ulong idMark)
        : this(substream, methods, new PendingCalls(callsInFlightMax), idMark)
    {
    }

    public static bool IsNested(ulong callId) => (callId & NestedMark) != 0;
}
