using Cluster.Glue.References;

namespace Cluster.Glue.Client;

/// <summary>Knows calls under way by id, and can remove one whose caller gives up.</summary>
internal interface ICallCanceller
{
    /// <summary>The references that answers may contain; null where the carrier has none.</summary>
    ReferenceTable? References { get; }

    /// <summary>Removes a call that is still under way, and tells the server. True: the caller may finish the
    /// call.</summary>
    bool TryCancel(ulong callId, OutgoingCall call);
}
