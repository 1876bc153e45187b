using Cluster.Contracts;
using Cluster.Glue.Calls;
using Cluster.Glue.Faults;
using Cluster.Glue.Serving;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Links;

/// <summary>
/// The serving half of a link: handle table, admission, running calls, answers. The table is touched by the link's
/// read loop only; the rest protects itself.
/// </summary>
internal sealed class LinkServing(ServerRuntime server, LinkSettings settings, LinkWriter writer) : IReplySink
{
    // Reading stops at the limit, and a batch of an honest peer holds at most this many calls of five bytes.
    private const int BatchCallsMax = GlueWire.BatchBytesMax / 5;

    private readonly RunningCalls _running = new(settings.ServedCallsMax);
    private readonly List<MethodVerdict> _methods = [];
    private int _isDraining;

    public NodeId Peer => settings.Peer;

    public int AnswerBytesMax => settings.FrameBytesMax - GlueWire.EnvelopeHeaderBytesMax;

    public bool HasCalls => _running.Count > 0;

    /// <summary>
    /// Too much runs or waits to be written: stop reading until it clears. Callers keep reading, so this cannot
    /// deadlock.
    /// </summary>
    public bool NeedsRoom => _running.IsFull || writer.QueuedBytes > settings.SendQueueBytesMax;

    public async Task WaitForRoomAsync()
    {
        await _running.WaitForRoomAsync();
        await writer.WaitForRoomAsync();
    }

    public bool TryBeginDrain() => Interlocked.Exchange(ref _isDraining, 1) == 0;

    public Task WaitUntilEmptyAsync() => _running.WaitUntilEmptyAsync();

    /// <summary>Handles an envelope that only a serving side expects; false when it is none.</summary>
    public bool TryHandle(in Envelope envelope)
    {
        switch (envelope.Kind)
        {
            case EnvelopeKind.Call or EnvelopeKind.OneWay:
                Begin(envelope);
                return true;
            case EnvelopeKind.Cancel:
                _running.Find(envelope.CallId)?.Cancel();
                return true;
            case EnvelopeKind.Bind:
                Bind(BindRequest.Read(envelope.Body));
                return true;
            default:
                return false;
        }
    }

    public void CancelAll()
    {
        foreach (GlueCall call in _running.Collect())
            call.Cancel();
    }

    public void CancelExpired(long now)
    {
        if (!HasCalls)
            return;
        foreach (GlueCall call in _running.Collect(now))
            call.Cancel();
    }

    public void Answer(ulong callId, EnvelopeKind kind, ReadOnlySpan<byte> body)
        => writer.Append(new EnvelopeHeader { Kind = kind, CallId = callId }, body);

    public void Ended(IncomingCall call) => _running.Remove(call);

    private void Begin(in Envelope envelope)
    {
        bool isOneWay = envelope.Kind == EnvelopeKind.OneWay;
        MethodVerdict verdict = VerdictOf(envelope);
        GlueException? refusal = verdict.Method is null ? verdict.ToException() : RefusalNow(verdict.Method);
        if (refusal is not null)
        {
            Refuse(envelope.CallId, isOneWay, refusal);
            return;
        }

        TimeSpan time = CallDeadline.FromWire(envelope.RemainingMilliseconds, server.Settings.Deadline);
        IncomingCall call = server.RentCall();
        call.Begin(this, verdict.Method!, envelope.CallId, isOneWay, CallDeadline.After(settings.Time, time));
        call.SetArguments(envelope.Body);
        _running.Add(call);
        // The pool's shared queue starts calls in the order of their arrival.
        ThreadPool.UnsafeQueueUserWorkItem(call, preferLocal: false);
    }

    private MethodVerdict VerdictOf(in Envelope envelope)
    {
        if (envelope.IsNamed)
            return server.Catalog.Judge(envelope);
        return envelope.Method < (ulong)_methods.Count
            ? _methods[(int)envelope.Method]
            : MethodVerdict.Refused(
                GlueErrorCode.UnknownMethod, $"Method handle {envelope.Method} was not bound on this link.");
    }

    private GlueException? RefusalNow(ServedMethod method)
    {
        if (Volatile.Read(ref _isDraining) == 1)
        {
            return GlueErrors.NotDelivered(
                GlueErrorKind.Unreachable, GlueErrorCode.Draining, "The server is stopping and takes no new calls.");
        }

        return _running.Count < settings.ServedCallsMax + BatchCallsMax
            ? null
            : GlueErrors.NotDelivered(
                GlueErrorKind.Overloaded,
                GlueErrorCode.ServerOverloaded,
                $"{settings.ServedCallsMax} calls of this peer are running (CallsInFlightMax); "
                + $"{method.Contract.DisplayName} was refused.");
    }

    private void Refuse(ulong callId, bool isOneWay, GlueException refusal)
    {
        if (isOneWay)
        {
            server.Log.OneWayRefused(settings.PeerName, refusal.Message);
            return;
        }

        var body = new WireBuffer(256, int.MaxValue);
        FaultCodec.WriteGlue(body, refusal);
        Answer(callId, EnvelopeKind.Fault, body.WrittenSpan);
        body.Reset();
    }

    private void Bind(BindRequest request)
    {
        if (request.FirstHandle != _methods.Count)
            throw new WireException($"bind: handle {request.FirstHandle} instead of {_methods.Count}.");
        MethodVerdict[] verdicts = server.Catalog.Judge(request);
        _methods.AddRange(verdicts);
        var refusals = new List<BindVerdicts.Refusal>();
        for (int i = 0; i < verdicts.Length; i++)
        {
            if (verdicts[i].Reason is { } reason)
                refusals.Add(new BindVerdicts.Refusal(request.FirstHandle + i, verdicts[i].Code, reason));
        }

        var body = new WireBuffer(256, int.MaxValue);
        new BindVerdicts(request.FirstHandle, refusals.ToArray()).Write(body);
        writer.Append(new EnvelopeHeader { Kind = EnvelopeKind.Bound }, body.WrittenSpan);
        body.Reset();
    }
}
