using Cluster.Glue.Catalog;
using Cluster.Glue.Faults;
using Cluster.Glue.Serving;
using Cluster.Glue.Settings;
using Cluster.Glue.Substreams;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Sessions;

/// <summary>The serving half of a link: admission, running calls, cancellation, drain. The read loop of each substream
/// hands in the envelopes that arrive. The parts protect themselves.</summary>
internal sealed class LinkServing(Link link, CallHost server, LinkBulk bulk)
{
    // Reading stops at the limit, and a batch of an honest peer holds at most this many calls of five bytes.
    private const int BatchCallsMax = GlueWire.BatchBytesMax / 5;

    private readonly RunningCalls _running = new(link.Settings.ServedCallsMax);
    private readonly OrderedCallQueues _lines = new(link.Settings.Time);
    private readonly SubstreamServing?[] _substreams = new SubstreamServing?[Enum.GetValues<SubstreamRole>().Length];
    private int _isDraining;

    public CallHost Server => server;

    public Link Link => link;

    public LinkSettings Settings => link.Settings;

    /// <summary>Whether exactly one call runs: then no other answer is about to follow its answer.</summary>
    public bool IsServingOne => _running.Count == 1;

    public bool HasCalls => _running.Count > 0;

    /// <summary>Completes when the running calls and the bytes to write are below their limits. The peer keeps reading,
    /// so this cannot deadlock.</summary>
    public ValueTask WaitForRoomAsync(Substream substream) =>
        _running.IsFull || substream.Writer.QueuedBytes > Settings.MaxSendQueueBytes || IsBulkFull(substream)
            ? new ValueTask(WaitForRoomSlowAsync(substream))
            : ValueTask.CompletedTask;

    public bool TryBeginDrain() => Interlocked.Exchange(ref _isDraining, 1) == 0;

    /// <summary>Whether the link's clock must watch deadlines after the link has ended.</summary>
    public bool HasDeadlines => _running.HasDeadlines;

    /// <summary>Completes when no one-way call runs.</summary>
    public Task WaitForOneWaysAsync() => _running.WaitForOneWaysAsync();

    public Task WaitUntilEmptyAsync() => _running.WaitUntilEmptyAsync();

    /// <summary>Handles an envelope that only a serving side expects. False: the envelope is of another kind.</summary>
    public bool TryHandle(Substream substream, in Envelope envelope)
    {
        switch (envelope.Kind)
        {
            case EnvelopeKind.Call or EnvelopeKind.OneWay:
                ServingOf(substream).Begin(envelope);
                return true;
            case EnvelopeKind.Cancel:
                Cancel(envelope.CallId);
                return true;
            case EnvelopeKind.Bind:
                ServingOf(substream).Bind(envelope);
                return true;
            default:
                return false;
        }
    }

    /// <summary>Takes an admitted call. True: the call waits for its turn in its line.</summary>
    public bool TryQueue(IncomingCall call)
    {
        _running.Add(call);
        if (link.HasPeerLeft && !call.IsOneWay)
            call.Context.Cancel();
        if (!call.HasInstance)
            return _lines.TryQueue(call);
        call.Schedule(preferLocal: false);
        return true;
    }

    /// <summary>Sends an answer that is too large for the substream of its call. The body is taken out of its
    /// buffer.</summary>
    public void AnswerInBulk(in EnvelopeHeader header, WireBuffer body) =>
        bulk.Answer(header, body);

    /// <summary>Slows the large answers down, because a small one is sent.</summary>
    public void NoteSmallAnswer() => bulk.NoteSmall();

    public void Ended(IncomingCall call)
    {
        _lines.Leave(call);
        _running.Remove(call);
    }

    /// <summary>Cancels the calls whose answer the peer no longer waits for. One-way calls run on.</summary>
    public void PeerLeft() => _running.CancelAwaited();

    /// <summary>Cancels the served calls of a link that has ended: there is no peer to answer.</summary>
    public void LinkEnded(GlueErrorCode cause)
    {
        var isLost = cause is GlueErrorCode.LinkLost or GlueErrorCode.HeartbeatLost;
        if (isLost && link.HasPeerLeft)
            PeerLeft();
        else if (!isLost || server.Settings.LostLinkCalls == GlueLostLinkCalls.Cancel)
            CancelAll();
    }

    public void CancelAll() => _running.CancelAll();

    public void CancelExpired(long now)
    {
        if (!HasCalls)
            return;
        _running.CancelExpired(now);
        _lines.Beat(now);
    }

    /// <summary>Why a call to the method is refused at the moment. Null: it is admitted.</summary>
    /// <param name="method">The method.</param>
    /// <param name="isNested">Whether a served call, on either side, waits for this call. Such a call has places of its
    /// own, and a drain does not refuse it, because the drain waits for it.</param>
    public GlueException? RefusalNow(ServedMethod method, bool isNested)
    {
        if (isNested)
            return RefusalAt(method, _running.Count, Settings.ServedCallsMax + GlueLimits.CallsInFlightHighest);
        // The peer sent a one-way call before it knew of the drain, and nobody can send it again elsewhere.
        if (Volatile.Read(ref _isDraining) == 1 && !method.Contract.IsOneWay)
        {
            return GlueErrors.NotDelivered(
                GlueErrorKind.Unreachable, GlueErrorCode.Draining, "The server is stopping and takes no new calls.");
        }

        // One-way calls and answered calls have separate places.
        var count = method.Contract.IsOneWay ? _running.OneWayCount : _running.Count - _running.OneWayCount;
        return RefusalAt(method, count, Settings.ServedCallsMax + BatchCallsMax);
    }

    private GlueException? RefusalAt(ServedMethod method, int count, int countMax) =>
        count < countMax
            ? null
            : GlueErrors.NotDelivered(
                GlueErrorKind.Overloaded,
                GlueErrorCode.ServerOverloaded,
                $"{Settings.ServedCallsMax} calls of this peer are running (MaxCallsInFlight); "
                + $"{method.Contract.DisplayName} was refused.");

    private async Task WaitForRoomSlowAsync(Substream substream)
    {
        await _running.WaitForRoomAsync().ConfigureAwait(false);
        await substream.Writer.WaitForProgressAsync().ConfigureAwait(false);
        if (IsBulkFull(substream))
            await bulk.WaitForRoomAsync().ConfigureAwait(false);
    }

    // One answer of the largest size does not stop reading, several do. Reading of the bulk substream never stops: its
    // answers move on when the peer confirms what it has received.
    private bool IsBulkFull(Substream substream) =>
        substream.Role != SubstreamRole.Bulk
            && bulk.QueuedBytes > Settings.MaxSendQueueBytes + Settings.MaxMessageBytes;

    // A Cancel comes after its call. If the call is not here, it has ended.
    private void Cancel(ulong callId)
    {
        bulk.AbandonAnswer(callId);
        _running.Find(callId)?.Cancel();
    }

    private SubstreamServing ServingOf(Substream substream) =>
        _substreams[(int)substream.Role] ??= new SubstreamServing(this, substream);
}
