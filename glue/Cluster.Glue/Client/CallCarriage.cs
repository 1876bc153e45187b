using Cluster.Glue.Substreams;

namespace Cluster.Glue.Client;

/// <summary>Where a call is under way. Written by the thread that sends the call, read by the thread that gives it up:
/// the id is written last and read first. Not copied.</summary>
internal struct CallCarriage
{
    private ICallCanceller? _carrier;
    private QueuedPlace _place;
    private ulong _callId;

    public readonly ICallCanceller? Carrier => _carrier;

    /// <summary>It is about to be sent by this carrier, which may answer it at once.</summary>
    public void Begin(ICallCanceller carrier)
    {
        Volatile.Write(ref _callId, 0);
        Volatile.Write(ref _carrier, carrier);
    }

    /// <summary>It is under way with this id, and can be cancelled from now on.</summary>
    /// <param name="callId">Not 0.</param>
    /// <param name="place">Where it can be taken back.</param>
    public void NoteQueued(ulong callId, in QueuedPlace place = default)
    {
        _place = place;
        Volatile.Write(ref _callId, callId);
    }

    /// <summary>Where it was queued; false while nobody has said that it was.</summary>
    public bool IsQueuedAs(ulong callId, out QueuedPlace place)
    {
        var isQueued = Volatile.Read(ref _callId) == callId;
        place = isQueued ? _place : default;
        return isQueued;
    }

    /// <summary>Takes the call back from its carrier; false when it is not, or not yet, under way.</summary>
    public bool TryCancel(OutgoingCall call)
    {
        var callId = Volatile.Read(ref _callId);
        return callId != 0 && Volatile.Read(ref _carrier) is { } carrier && carrier.TryCancel(callId, call);
    }
}
