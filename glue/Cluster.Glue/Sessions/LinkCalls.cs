using Cluster.Glue.Client;
using Cluster.Glue.Faults;
using Cluster.Glue.References;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Signatures;
using Cluster.Glue.Substreams;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Sessions;

/// <summary>The calling half of a link: the ways by which calls go, those under way, and who gets the answers. Callers
/// come from all threads, answers from the substreams' read loops; the parts protect themselves.</summary>
internal sealed class LinkCalls(Link link, LinkSubstreams substreams, LinkBulk bulk, LinkClock clock) : ICallCanceller
{
    private readonly Link _link = link;
    private readonly LinkSubstreams _substreams = substreams;
    private readonly LinkBulk _bulk = bulk;
    private readonly LinkClock _clock = clock;
    private readonly CallPath _main = new CallPath(
            substreams.Calls,
            new OutgoingMethods(substreams.Calls, link.Settings.PeerName),
            link.Settings.MaxCallsInFlight,
            idMark: 0);
    private CallPath? _nested;

    public ReferenceTable References => _link.References;

    /// <summary>Whether calls to services are under way.</summary>
    public bool HasMain => _main.Pending.Count > 0;

    /// <summary>Whether any calls are under way.</summary>
    public bool HasAny => HasMain || Volatile.Read(ref _nested) is { Pending.Count: > 0 };

    private CallPath Nested => Volatile.Read(ref _nested)
        ?? LazyInitializer.EnsureInitialized(ref _nested, NewNested);

    /// <summary>Starts a call without waiting; the call is finished here if it can never be sent.</summary>
    /// <param name="call">The call.</param>
    /// <param name="target">The object of the peer that is called; 0 for its services.</param>
    public StartResult TryStart(OutgoingCall call, ulong target = 0)
    {
        var path = PathOf(target);
        if (!(target == 0 ? _link.IsOpen : _link.IsAlive) || !path.Substream.IsCarried)
            return StartResult.NotConnected;
        var settings = _link.Settings;
        if (!call.TryFit(settings.MaxMessageBytes, GlueWire.EnvelopeHeaderBytesMax))
            return StartResult.Started;

        _link.NoteCall();
        var handle = path.Methods.HandleOf(call.Method);
        var state = path.Methods.BindStateOf(handle);
        if (!state.IsSame)
        {
            if (!state.IsKnown && !call.Method.IsFixed)
                return StartResult.NotBound;
            if (state.Refusal is { } refusal)
            {
                call.FinishWithFailure(GlueErrors.Again(refusal));
                return StartResult.Started;
            }

            if (state.IsDescribed && !call.TryDescribe())
                return StartResult.Started;
        }

        if (call.References is not null && !call.TryBindReferences(References))
            return StartResult.Started;
        var isOneWay = call.Method.Contract.IsOneWay;
        var chain = path == _main ? 0 : GlueCall.CurrentChain;
        var header = new EnvelopeHeader
        {
            Kind = isOneWay ? EnvelopeKind.OneWay : EnvelopeKind.Call,
            Method = (ulong)handle,
            Target = target,
            Chain = chain,
            // What something waits for that is served must not wait for that in turn.
            Line = chain == 0 ? call.Route.LineOf(call.Method.Contract) : 0,
            RemainingMilliseconds = CallDeadline.ToWire(call.RemainingAtStart),
            CountedAt = call.StartedAt,
            Headers = call.Headers,
        };
        return isOneWay ? StartOneWay(call, path, header) : StartCall(call, path, header);
    }

    /// <summary>Completes when the server may have said whether it has the method, or the link has ended.</summary>
    /// <param name="method">The method.</param>
    /// <param name="target">The object that is called; 0 for a service.</param>
    public Task WaitForBindAsync(ClientMethod method, ulong target = 0)
    {
        var methods = PathOf(target).Methods;
        return _link.IsAlive ? methods.WaitForBindAsync(methods.HandleOf(method)) : Task.CompletedTask;
    }

    /// <summary>Completes when a call that was not started may be tried again.</summary>
    /// <param name="full">Why it was not started.</param>
    /// <param name="timeout">Time for that.</param>
    /// <param name="cancellationToken">Of the call.</param>
    /// <param name="target">The object that is called; 0 for a service.</param>
    /// <exception cref="TimeoutException">There was no room in time.</exception>
    public Task WaitForRoomAsync(
        StartResult full, TimeSpan timeout, CancellationToken cancellationToken, ulong target = 0)
    {
        var path = PathOf(target);
        var time = _link.Settings.Time;
        if (full == StartResult.CallsFull)
            return path.Pending.WaitForRoomAsync(timeout, time, cancellationToken);
        var room = full == StartResult.BulkFull ? _bulk.WaitForRoomAsync() : path.Substream.Writer.WaitForRoomAsync();
        return room.WaitAsync(timeout, time, cancellationToken);
    }

    public bool TryCancel(ulong callId, OutgoingCall call)
    {
        var path = CallPath.IsNested(callId) ? Nested : _main;
        if (path.Pending.TryRemove(callId, call) is null)
            return false;
        GiveUp(call, callId, path, "it was cancelled");
        return true;
    }

    /// <summary>Ends a call with its answer.</summary>
    public void Finish(in Envelope answer, PoolRun run)
    {
        if (PendingOf(answer.CallId).TryRemove(answer.CallId) is not { } call)
        {
            // It belongs to a caller that gave up: the answer came too late.
            _link.Settings.Metrics.CountLateReply();
            IncomingReferences.Discard(answer.Body, References);
            return;
        }

        call.SetReplyHeaders(answer.Headers);
        call.FinishWithAnswer(answer.Kind, answer.Body, answer.OwnBody, run);
    }

    /// <summary>The server says which methods it has; the id is that of their Bind, the substream of its
    /// handles.</summary>
    public void Learn(in Envelope bound)
    {
        var path = bound.CallId == (ulong)_main.Substream.Role ? _main : Nested;
        path.Methods.Learn(BindResults.Read(bound.Body));
    }

    /// <summary>Fails calls whose time is over.</summary>
    public void FailExpired(long now)
    {
        FailExpired(_main, now);
        if (Volatile.Read(ref _nested) is { } nested)
            FailExpired(nested, now);
    }

    /// <summary>Takes no further calls to services, unless some are under way.</summary>
    public bool TryCloseIfEmpty() => _main.Pending.TryCloseIfEmpty();

    /// <summary>Nobody calls services any more: those under way fail, and there are no further ones.</summary>
    public void CloseMain(GlueException failure) => Close(_main, failure);

    /// <summary>Refuses further calls to services, because Leave follows.</summary>
    public void EndMain()
    {
        _main.Substream.Writer.EndCalls();
        _bulk.EndCalls();
    }

    /// <summary>The link has ended: calls under way fail, and there are no further ones.</summary>
    public void Close(GlueException failure)
    {
        Close(_main, failure);
        Close(Nested, failure);
        _main.Methods.Close();
        Nested.Methods.Close();
    }

    /// <summary>A call over a link whose deadline has passed before it could be started.</summary>
    /// <param name="method">The method.</param>
    /// <param name="address">Where it was to go.</param>
    /// <param name="reason">What the last attempt to start it found.</param>
    public static GlueException NotStartedInTime(ContractMethod method, string address, StartResult reason) =>
        reason switch
        {
            StartResult.CallsFull => GlueErrors.LimitUntilDeadline(
                method, address, GlueErrorCode.CallsInFlightLimit, "MaxCallsInFlight (of this side or the other)"),
            StartResult.QueueFull or StartResult.BulkFull => GlueErrors.LimitUntilDeadline(
                method, address, GlueErrorCode.SendQueueFull, "MaxSendQueueBytes"),
            StartResult.NotBound => GlueErrors.DeadlineBeforeSend(
                method, $"{address} to say whether it offers the method"),
            _ => GlueErrors.DeadlineBeforeSend(method, $"a connection to {address}"),
        };

    private static void Close(CallPath path, GlueException failure)
    {
        foreach (var call in path.Pending.Close())
            call.FinishWithFailure(GlueErrors.Again(failure));
    }

    private CallPath NewNested()
    {
        // Handles belong to a substream: where there is one only, both ways share them.
        var control = _substreams.Control;
        var methods = _main.Substream == control
            ? _main.Methods
            : new OutgoingMethods(control, _link.Settings.PeerName);
        return new CallPath(control, methods, GlueLimits.CallsInFlightHighest, CallPath.NestedMark);
    }

    private PendingCalls PendingOf(ulong callId) => CallPath.IsNested(callId) ? Nested.Pending : _main.Pending;

    private CallPath PathOf(ulong target) =>
        target != 0 || (_link.IsServing && GlueCall.Current?.Chain?.Link == _link.Number) ? Nested : _main;

    private void FailExpired(CallPath path, long now)
    {
        foreach ((var callId, var call) in path.Pending.RemoveExpired(now))
        {
            GiveUp(call, callId | path.IdMark, path, "its deadline has passed");
            call.FinishWithFailure(GlueErrors.DeadlineAwaitingReply(call.Method.Contract, _link.Settings.PeerName));
        }
    }

    private StartResult StartCall(OutgoingCall call, CallPath path, in EnvelopeHeader header)
    {
        var added = path.Pending.TryAdd(call, out var callId);
        if (added != StartResult.Started)
            return added;
        // Before the call is sent: its deadline counts from then on.
        _clock.Wake();
        callId |= path.IdMark;
        call.NoteSending(this);
        var appended = Send(header with { CallId = callId }, call, path, out var place);
        // A link that ends takes calls out of the table and finishes them.
        if (appended != StartResult.Started && path.Pending.TryRemove(callId, call) is not null)
        {
            call.References?.NoteNotSent();
            return appended;
        }

        // From now on it can be cancelled: what says so must not come before it.
        call.NoteQueued(callId, place);
        return StartResult.Started;
    }

    private StartResult StartOneWay(OutgoingCall call, CallPath path, in EnvelopeHeader header)
    {
        call.References?.NoteSent();
        var appended = Send(header, call, path, out _);
        if (appended == StartResult.Started)
            call.FinishWithoutAnswer();
        else
            call.References?.NoteNotSent();
        return appended;
    }

    private StartResult Send(in EnvelopeHeader header, OutgoingCall call, CallPath path, out QueuedPlace place)
    {
        var isFirst = path == _main;
        if (_bulk.Carries(call))
        {
            place = new QueuedPlace { IsBulk = true };
            return _bulk.TrySend(header, call, isFirst);
        }

        _bulk.NoteSmall();
        return path.Substream.Writer.TryAppendCall(
            header, call.Arguments, FlushModeOf(header.Kind, path), isFirst, out place);
    }

    // At once, when no other caller waits for its answer, or has got it and may call again.
    private static FlushMode FlushModeOf(EnvelopeKind kind, CallPath path) =>
        kind == EnvelopeKind.Call && path.Pending.Count == 1 && path.Substream.Work.IsEmpty
            ? FlushMode.Now
            : FlushMode.Soon;

    // A call that is being queued just now, when its time is over, is ended by the server: it has none left there.
    private void GiveUp(OutgoingCall call, ulong callId, CallPath path, string reason)
    {
        if (!call.Carriage.IsQueuedAs(callId, out var place))
            return;
        call.References?.StopStreams($"The call that passed the stream, {call.Method.Contract.DisplayName}, has ended: "
            + $"{reason}.");
        if (place.IsBulk)
            _bulk.CancelCall(callId);
        else if (path.Substream.Writer.Cancel(place, callId))
            call.References?.NoteNotSent();
    }
}
