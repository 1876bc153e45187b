using Cluster.Glue.Substreams;

namespace Cluster.Glue.Client;

/// <summary>The carrier and place of a call under way. The sending thread writes it; the thread that gives the call up
/// reads it. The id is written last and read first. Not copied.</summary>
internal struct CallCarriage
{
    private ICallCanceller? _carrier;
    private QueuedPlace _place;
    private ulong _callId;

    public readonly ICallCanceller? Carrier => _carrier;

    /// <summary>Notes that this carrier is about to send the call, and may answer it at once.</summary>
    public void Begin(ICallCanceller carrier)
    {
        Volatile.Write(ref _callId, 0);
        Volatile.Write(ref _carrier, carrier);
    }

    /// <summary>Notes that the call is under way with this id and can be cancelled from now on.</summary>
    /// <param name="callId">Not 0.</param>
    /// <param name="place">The queue place from which the call can be removed.</param>
    public void NoteQueued(ulong callId, in QueuedPlace place = default)
    {
        _place = place;
        Volatile.Write(ref _callId, callId);
    }

    /// <summary>Gives the queue place of the call. False: it was not queued yet.</summary>
    public bool IsQueuedAs(ulong callId, out QueuedPlace place)
    {
        var isQueued = Volatile.Read(ref _callId) == callId;
        place = isQueued ? _place : default;
        return isQueued;
    }

    /// <summary>Removes the call from its carrier. False: it is not under way, or not yet.</summary>
    public bool TryCancel(OutgoingCall call)
    {
        var callId = Volatile.Read(ref _callId);
        return callId != 0 && Volatile.Read(ref _carrier) is { } carrier && carrier.TryCancel(callId, call);
    }
}
