using Cluster.Glue.References;

namespace Cluster.Glue.Client;

/// <summary>Knows calls under way by id and can take one back when its caller gives up.</summary>
internal interface ICallCanceller
{
    /// <summary>What answers may refer to; null where they cannot.</summary>
    ReferenceTable? References { get; }

    /// <summary>True when this call was still under way: it is forgotten here, the server is told, and the caller may
    /// finish it.</summary>
    bool TryCancel(ulong callId, OutgoingCall call);
}
