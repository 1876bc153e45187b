using Cluster.Glue.Faults;
using Cluster.Glue.References;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Serving;
using Cluster.Glue.Settings;
using Cluster.Glue.Substreams;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Sessions;

/// <summary>The session between two processes, from the handshake to its end: the calls that one side makes and the
/// other serves, on substreams that survive the loss of a stream. Owned by a channel (on the side that opened the link)
/// or by the server. The parts of a link protect themselves; a link ends once.</summary>
internal sealed class Link : IBeating, ISubstreamOwner, IReferenceOwner, IAsyncDisposable
{
    private static ulong _lastNumber;

    private readonly CallHost _host;
    private readonly LinkSettings _settings;
    private readonly LinkSubstreams _substreams;
    private readonly LinkBulk _bulk;
    private readonly bool _isAccepted;
    private readonly LinkClock _clock;
    private readonly LinkUse? _use;
    private LinkServing? _serving;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _finished = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _peerLeft = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _stopping = new();
    private GlueException? _endCause;
    private bool _isLeaving;
    private bool _isRetired;
    private bool _hasLeft;
    private int _leaveBegan;

    /// <summary>Creates the state of a link whose handshake is done.</summary>
    /// <param name="settings">The result of the handshake.</param>
    /// <param name="host">Serves the calls of the peer. On the side that opened the link these are calls to objects
    /// only.</param>
    /// <param name="keep">Keeps a substream on a stream, on the side that opened the link. Null: the peer does
    /// that.</param>
    public Link(LinkSettings settings, CallHost host, Action<Link, Substream>? keep)
    {
        _host = host;
        _settings = settings;
        IncomingRoom = new TransferRoom(settings);
        _isAccepted = keep is null;
        _substreams = new LinkSubstreams(this, keep);
        References = new ReferenceTable(settings, _substreams.Control.Writer, this);
        _bulk = new LinkBulk(_substreams, settings, References);
        _clock = new LinkClock(this, settings.Time, settings.HeartbeatInterval / LinkPulse.BeatsPerInterval);
        Calls = new LinkCalls(this, _substreams, _bulk, _clock);
        _serving = _isAccepted ? new LinkServing(this, host, _bulk) : null;
        // Only the side that opened the link ends it for being idle.
        _use = _isAccepted ? null : new LinkUse(settings.Time, GlueLimits.LinkIdleMax);
        _clock.Start();
    }

    /// <summary>A number that no other link of this process has; not 0.</summary>
    public ulong Number { get; } = Interlocked.Increment(ref _lastNumber);

    /// <summary>Whether new calls may use the link. False: the link has ended, is idle for too long, is to be replaced,
    /// or the peer has announced its end.</summary>
    public bool IsOpen => IsAlive && !Volatile.Read(ref _isLeaving) && !Volatile.Read(ref _isRetired);

    public bool IsAlive => Volatile.Read(ref _endCause) is null;

    /// <summary>Whether a substream without a stream needs another stream. False when the link has ended or one side
    /// has left.</summary>
    public bool NeedsStreams => IsAlive && !HasEitherLeft;

    /// <summary>Whether the peer has sent Leave: the peer waits for no more answers.</summary>
    public bool HasPeerLeft => _peerLeft.Task.IsCompleted;

    public bool IsPeerGone => _isAccepted && HasPeerLeft;

    /// <summary>Completes when no stream carries the link any more.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Completes when the link has ended and the one-way calls that it received have run.</summary>
    public Task Finished => _finished.Task;

    /// <summary>Completes when calls can be sent, or the link has ended.</summary>
    public Task Ready => _substreams.Calls.Carried;

    public LinkSettings Settings => _settings;

    public TransferRoom IncomingRoom { get; }

    public LinkCalls Calls { get; }

    public ReferenceTable References { get; }

    /// <summary>Whether calls of the peer run in this process.</summary>
    public bool IsServing => Volatile.Read(ref _serving) is { HasCalls: true };

    /// <summary>The substream for messages for which the other substreams may wait. Its reading never stops.</summary>
    public Substream Control => _substreams.Control;

    private LinkServing Serving => Volatile.Read(ref _serving) ?? LazyInitializer.EnsureInitialized(
        ref _serving, () => new LinkServing(this, _host, _bulk));

    /// <summary>Cancelled when the link has ended.</summary>
    public CancellationToken Stopping => _stopping.Token;

    public bool IsBusy => IsAlive
        ? Calls.HasAny || IsServing || !_substreams.AreCarried || _substreams.HaveUntold
        : _serving?.HasDeadlines == true;

    /// <summary>Why the link ended, for the peer's trailers and for the log. Null: it has not ended.</summary>
    public GlueException? EndCause => Volatile.Read(ref _endCause);

    /// <summary>The substream of a role; created at the first request.</summary>
    public Substream SubstreamOf(SubstreamRole role) => _substreams.Of(role);

    /// <summary>Carries a substream over a stream until the stream ends. Then the link ends, too, or waits for another
    /// stream.</summary>
    /// <param name="substream">A substream of this link.</param>
    /// <param name="stream">The caller disposes it afterwards.</param>
    /// <param name="join">Gets the number of batches received here and returns the number received by the peer.</param>
    public async Task CarryAsync(Substream substream, IMessageStream stream, Func<ulong, ValueTask<ulong>> join)
    {
        var carrying = await substream.CarryAsync(stream, join).ConfigureAwait(false);
        // The stream was opened after Leave was sent, and the peer waits for the end of the stream.
        if (!_isAccepted && Volatile.Read(ref _hasLeft))
            await substream.CompleteAsync().ConfigureAwait(false);
        var end = await carrying.ConfigureAwait(false);
        if (end is WireException)
            End(GlueErrorCode.ProtocolViolation, end.Message, end, except: substream);
        else if (!_settings.IsResumable || (HasEitherLeft && substream == _substreams.Control))
            End(GlueErrorCode.LinkLost, end?.Message ?? "the peer ended it", end);
        else
            _clock.Wake();
    }

    /// <summary>Notes for the idle time of the link that a call begins.</summary>
    public void NoteCall() => _use?.NoteCall();

    /// <summary>Tells the peer that this side takes no new calls, and ends the link when the running calls are
    /// done.</summary>
    public void StartDrain()
    {
        if (!_isAccepted || !Serving.TryBeginDrain())
            return;
        Control.Writer.Append(new EnvelopeHeader { Kind = EnvelopeKind.Drain }, default);
        _ = FinishDrainAsync(Serving);
    }

    /// <summary>Keeps new calls off this link: the certificate or token that opened it expires soon or was replaced.
    /// The link leaves when no call is under way and neither side refers to objects over it.</summary>
    public void Retire()
    {
        if (_isAccepted)
        {
            Control.Writer.Append(
                new EnvelopeHeader { Kind = EnvelopeKind.Drain, CallId = GlueWire.DrainToRenew }, default);
            return;
        }

        Volatile.Write(ref _isRetired, true);
        ThreadPool.UnsafeQueueUserWorkItem(static link => link.LeaveIfRetired(), this, preferLocal: false);
    }

    /// <summary>Ends the link as soon as it carries no call, even while the peer refers to objects over it.</summary>
    public void Leave()
    {
        Volatile.Write(ref _isLeaving, true);
        LeaveIfDone();
    }

    /// <summary>Ends the link at once. The first cause counts; calls under way fail with it.</summary>
    public void End(GlueErrorCode code, string reason, Exception? cause = null, Substream? except = null)
    {
        var failure = GlueErrors.LinkLost(_settings.PeerName, code, reason, cause);
        if (Interlocked.CompareExchange(ref _endCause, failure, null) is not null)
            return;
        _bulk.Close();
        var substreams = _substreams.Close();
        foreach (var substream in substreams)
        {
            // The endpoint of the excepted substream tells its peer the reason in the trailers, so its stream ends
            // without an abort.
            if (substream != except)
                substream.Abort();
        }

        Calls.Close(failure);
        _serving?.LinkEnded(code);
        References.End(failure);
        _ = ConcludeAsync(substreams);
    }

    /// <summary>Cancels all served calls, also those whose answer the peer waits for.</summary>
    public void CancelServed() => _serving?.CancelAll();

    /// <summary>Tells the peer that this side waits for no more answers, sends what is queued, and completes when no
    /// stream carries the link.</summary>
    public async ValueTask DisposeAsync()
    {
        const string reason = "the client was disposed";
        var failure = GlueErrors.LinkLost(
            _settings.PeerName, GlueErrorCode.ClientDisposed, reason, cause: null);
        Calls.CloseMain(failure);
        _bulk.AbandonCalls();
        // Wait until the peer has ended its half: aborting a stream may lose the bytes that were sent last. The bound
        // is for a peer that never ends its half.
        await Linger.WaitAsync(LeaveInOrderAsync(), () => HeldBytes, _settings.Time).ConfigureAwait(false);
        End(GlueErrorCode.ClientDisposed, reason);
        await Ended.ConfigureAwait(false);
    }

    void IReferenceOwner.Serve(Type contract) => _host.Callbacks.Serve(contract);

    object IReferenceOwner.CreateProxy(CallbackReference reference) =>
        _host.Callbacks.CreateProxy(reference, new CallbackChannel(this, reference));

    void IReferenceOwner.StreamsEnded() => LeaveIfDone();

    /// <summary>One beat of the link's clock: fails calls whose deadline has passed, cancels expired served calls, and
    /// checks whether the peer is silent.</summary>
    public void Beat(long now)
    {
        if (!IsAlive)
        {
            _serving?.CancelExpired(now);
            return;
        }

        Calls.FailExpired(now);
        if (_use?.IsOver(now, IsUsed) == true)
            Volatile.Write(ref _isLeaving, true);
        LeaveIfRetired();
        _serving?.CancelExpired(now);
        _bulk.Beat();
        foreach (var substream in _substreams.All)
            Beat(substream, now);
    }

    public void Handle(Substream substream, ReadOnlySpan<byte> envelopes)
    {
        var reader = new WireReader(envelopes);
        while (!reader.AtEnd)
        {
            var envelope = Envelope.Read(ref reader);
            if (envelope.Kind == EnvelopeKind.Chunk)
                HandleChunk(substream, envelope);
            else
                Handle(substream, envelope);
        }

        LeaveIfRetired();
    }

    public ValueTask WaitForRoomAsync(Substream substream)
    {
        // A running call may wait for a message on control. Where control is the only substream, that is possible only
        // if there are references.
        var mayStop = _isAccepted && (substream != Control || !(_settings.IsResumable || References.IsUsed));
        return mayStop ? Serving.WaitForRoomAsync(substream) : ValueTask.CompletedTask;
    }

    /// <summary>Completes the link after the peer has ended its half: answers the calls that still run, unless the peer
    /// has left.</summary>
    public async Task FinishAsync(Substream substream)
    {
        if (!_isAccepted)
            return;
        await Task.WhenAny(AnswerAllAsync(), _peerLeft.Task).ConfigureAwait(false);
        // Leave comes on control, perhaps before batches that were sent earlier on other substreams. The end of control
        // is the end of all substreams.
        if (HasPeerLeft && substream == Control)
            await WaitForOthersAsync().ConfigureAwait(false);
        await substream.Writer.WaitUntilIdleAsync().ConfigureAwait(false);
    }

    /// <summary>Leaves if the link is retired or draining and has nothing more to do. Called when a stream of objects
    /// has ended.</summary>
    public void LeaveIfDone()
    {
        if (Volatile.Read(ref _isLeaving))
            ThreadPool.UnsafeQueueUserWorkItem(static link => link.LeaveWhenEmpty(), this, preferLocal: false);
    }

    private bool HasEitherLeft => HasPeerLeft || Volatile.Read(ref _hasLeft);

    // Bytes that the peer has not received, as far as this side knows.
    private long HeldBytes => _bulk.QueuedBytes + _substreams.All.Sum(substream => substream.Writer.HeldBytes);

    private void HandleChunk(Substream substream, in Envelope chunk)
    {
        if (substream.Transfers.Take(chunk, substream.SentAt) is not { } transfer)
            return;
        var body = transfer.Complete();
        try
        {
            Handle(substream, Envelope.Join(transfer.Head, body, transfer.BeganAt));
        }
        finally
        {
            body.Release();
        }
    }

    private void Handle(Substream substream, in Envelope envelope)
    {
        switch (envelope.Kind)
        {
            case EnvelopeKind.Reply or EnvelopeKind.Fault:
                Calls.Finish(envelope, substream.Work);
                break;
            case EnvelopeKind.Ping:
                substream.Writer.Append(
                    new EnvelopeHeader { Kind = EnvelopeKind.Pong, CallId = envelope.CallId }, default);
                break;
            case EnvelopeKind.Pong:
                break;
            case EnvelopeKind.Bound:
                Calls.Learn(envelope);
                break;
            case EnvelopeKind.OpenSubstream:
                _substreams.HandleOpen(envelope.CallId);
                break;
            case EnvelopeKind.Drain when envelope.CallId == GlueWire.DrainToRenew && !_isAccepted:
                Retire();
                break;
            case EnvelopeKind.Drain:
                Volatile.Write(ref _isLeaving, true);
                break;
            case EnvelopeKind.Leave:
                Volatile.Write(ref _isLeaving, true);
                _peerLeft.TrySetResult();
                _serving?.PeerLeft();
                break;
            default:
                if (References.TryHandle(envelope))
                    break;
                if (!Serving.TryHandle(substream, envelope))
                    throw new WireException($"envelope kind: {envelope.Kind} is not expected here.");
                _clock.Wake();
                break;
        }
    }

    private void Beat(Substream substream, long now)
    {
        substream.Beat(now);
        // The bulk sender bounds the bytes that wait for its substream, and they may exceed this limit while the
        // substream is opened.
        if (!substream.IsCarried && substream.Role != SubstreamRole.Bulk
            && substream.Writer.HeldBytes > _settings.MaxSendQueueBytes)
        {
            End(
                GlueErrorCode.LinkLost,
                $"{substream.Writer.HeldBytes} bytes wait for a peer without a connection; MaxSendQueueBytes allows "
                + $"{_settings.MaxSendQueueBytes}",
                substream.Loss);
        }

        if (substream.LostFor(now) <= _settings.ResumeWindow)
            return;
        var failed = Ready.IsCompleted ? "it could not be resumed" : "not all of its streams were opened";
        End(
            substream.Loss is TimeoutException ? GlueErrorCode.HeartbeatLost : GlueErrorCode.LinkLost,
            $"{failed} within ResumeWindow ({_settings.ResumeWindow.TotalSeconds:0.##} s)"
            + $"{(substream.Loss is null ? "" : $": {substream.Loss.Message}")}",
            substream.Loss);
    }

    private bool IsUsed => Calls.HasMain || IsServing || References.IsUsed;

    private async Task ConcludeAsync(Substream[] substreams)
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        foreach (var substream in substreams)
        {
            await substream.Ended.ConfigureAwait(false);
            substream.Transfers.Clear();
        }

        _ended.TrySetResult();
        if (_serving is { } serving)
        {
            await serving.WaitForOneWaysAsync().ConfigureAwait(false);
            _finished.TrySetResult();
            await serving.WaitUntilEmptyAsync().ConfigureAwait(false);
        }

        _finished.TrySetResult();
        await _clock.DisposeAsync().ConfigureAwait(false);
    }

    private async Task FinishDrainAsync(LinkServing serving)
    {
        await serving.WaitUntilEmptyAsync().ConfigureAwait(false);
        await References.WaitUntilNoStreamRunsAsync().ConfigureAwait(false);
        try
        {
            // A peer that knows Drain leaves when it has all its answers, so that none of its calls is cut.
            await Ended.WaitAsync(GlueLimits.LingerTime, _settings.Time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            await LeaveAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Leaves if the peer drains or the link is retired, and no call here waits for the peer.</summary>
    private void LeaveIfRetired()
    {
        if (Volatile.Read(ref _isRetired) && !IsUsed)
            Volatile.Write(ref _isLeaving, true);
        LeaveWhenEmpty();
    }

    private void LeaveWhenEmpty()
    {
        if (!Volatile.Read(ref _isLeaving))
            return;
        // A peer that has left needs neither streams nor answers.
        if (!HasPeerLeft && (References.RunningStreams > 0 || IsServing))
            return;
        if (!Calls.TryCloseIfEmpty())
            return;
        if (Interlocked.Exchange(ref _leaveBegan, 1) == 0)
            _ = LeaveAsync();
    }

    private async Task LeaveInOrderAsync()
    {
        if (Interlocked.Exchange(ref _leaveBegan, 1) == 0)
            await LeaveAsync().ConfigureAwait(false);
        await Control.Ended.ConfigureAwait(false);
    }

    private async Task LeaveAsync()
    {
        if (!HasPeerLeft)
            await SendAllAsync().ConfigureAwait(false);
        Volatile.Write(ref _hasLeft, true);
        Control.Writer.Append(new EnvelopeHeader { Kind = EnvelopeKind.Leave }, default);
        // Batches that the peer sent before may still be unread, and ending an accepted stream would end its reading,
        // too.
        if (IsPeerGone)
        {
            await Linger.WaitAsync(Control.WaitUntilEndedAsync(), () => ReceivedAt, _settings.Time)
                .ConfigureAwait(false);
        }

        foreach (var substream in _substreams.All.Reverse())
            await substream.CompleteAsync().ConfigureAwait(false);
    }

    /// <summary>Completes when all queued calls are written and none can follow. If the stream is cut meanwhile, the
    /// next stream carries on.</summary>
    private async Task SendAllAsync()
    {
        Calls.EndMain();
        await _bulk.WaitUntilIdleAsync().ConfigureAwait(false);
        foreach (var substream in _substreams.All.Where(substream => substream.Writer.HeldBytes > 0))
        {
            await substream.Carried.ConfigureAwait(false);
            await substream.Writer.WaitUntilIdleAsync().ConfigureAwait(false);
        }
    }

    private async Task AnswerAllAsync()
    {
        await Serving.WaitUntilEmptyAsync().ConfigureAwait(false);
        await _bulk.WaitUntilIdleAsync().ConfigureAwait(false);
    }

    private async Task WaitForOthersAsync()
    {
        var ends = Task.WhenAll(
            _substreams.All.Where(one => one != Control).Select(static one => one.WaitUntilEndedAsync()));
        await Linger.WaitAsync(ends, () => ReceivedAt, _settings.Time).ConfigureAwait(false);
    }

    private long ReceivedAt => _substreams.All.Max(substream => substream.ReceivedAt);
}
