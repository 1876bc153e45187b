using Cluster.Glue.Substreams;

namespace Cluster.Glue.Sessions;

/// <summary>One way for calls over a link: a substream, the handles given on it, and the calls under way there. Calls
/// go by the first one; those that something waits for which is itself being served go by the second, on control, whose
/// reading never stops and whose places nobody else takes: so calls back and forth cannot block each other.
/// Immutable.</summary>
internal sealed record CallPath(Substream Substream, OutgoingMethods Methods, PendingCalls Pending, ulong IdMark)
{
    /// <summary>Marks the ids of the second path; above generation and slot.</summary>
    public const ulong NestedMark = 1UL << 48;

    public CallPath(Substream substream, OutgoingMethods methods, int callsInFlightMax, ulong idMark)
        : this(substream, methods, new PendingCalls(callsInFlightMax), idMark)
    {
    }

    public static bool IsNested(ulong callId) => (callId & NestedMark) != 0;
}
