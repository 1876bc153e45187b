using Cluster.Glue.Authorization;
using Cluster.Glue.Catalog;
using Cluster.Glue.Client;
using Cluster.Glue.Faults;
using Cluster.Glue.Filters;
using Cluster.Glue.Routes;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Serving;
using Cluster.Glue.Sessions;
using Cluster.Glue.Settings;
using Cluster.Glue.Substreams;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Channels;

/// <summary>The channel to a server of this process. Calls run on the caller's thread until their first await;
/// deadlines, cancellation and faults work as over a link. Its tables protect themselves; the known server is replaced
/// as a whole, under a lock.</summary>
internal sealed class InProcessChannel
    : ISharingChannel, ICallCanceller, IReplySink, IBeating, ILocalCalls, IAsyncDisposable
{
    private readonly Uri _uri;
    private readonly string _name;
    private readonly ClientSettings _settings;
    private readonly LinkChannel _references;
    private readonly PendingCalls _pending;
    private readonly RunningCalls _running;
    private readonly OrderedCallQueues _lines;
    private readonly LinkClock _clock;
    private readonly Lock _knownLock = new();
    private Known _known = new(-1, null);
    private volatile bool _isDisposed;

    public InProcessChannel(string address, Uri uri, CallHost callbacks, ClientSettings settings)
    {
        Address = address;
        _uri = uri;
        _name = uri.Authority;
        _references = new LinkChannel(
            address, uri, callbacks, settings with { ResumeWindow = TimeSpan.Zero, PeerKeys = null },
            new InProcessConnector());
        _settings = settings;
        _pending = new PendingCalls(settings.MaxCallsInFlight);
        _lines = new OrderedCallQueues(settings.Time);
        _running = new RunningCalls(settings.MaxCallsInFlight);
        _clock = new LinkClock(this, settings.Time, settings.HeartbeatInterval);
    }

    public string Address { get; }

    public GlueBinding Binding => GlueBinding.InProcess;

    public bool SharesObjects =>
        Server is { } server && server.Settings.InProcessMode == GlueInProcessMode.ShareObjects;

    public NodeId Peer => _settings.Node;

    public bool IsPeer => true;

    public CallerIdentity Caller => CallerIdentity.Nobody;

    public References.ReferenceTable? References => null;

    public int AnswerBytesMax => _settings.MaxMessageBytes;

    public bool IsBusy => _pending.Count > 0 || _running.Count > 0;

    public StartResult TryStart(OutgoingCall call) =>
        NeedsToken(call) ? StartResult.NotConnected : TryStartCore(call);

    private StartResult TryStartCore(OutgoingCall call)
    {
        // Objects passed by reference need a link, which keeps track of them.
        if (!call.IsShared && call.NeedsLink)
            return _references.TryStart(call);
        if (_isDisposed)
            return StartResult.NotConnected;
        if (Server is not { IsDraining: false } server)
        {
            call.FinishWithFailure(GlueErrors.NotDelivered(
                GlueErrorKind.Unreachable,
                GlueErrorCode.ConnectFailed,
                $"No Glue server named '{_name}' runs in this process."));
            return StartResult.Started;
        }

        if (!call.TryFit(server.Settings.MaxMessageBytes, headBytes: 0))
            return StartResult.Started;

        var bindResult = server.Host.Catalog.Judge(call.Method);
        if (bindResult.Method is not { } method)
        {
            call.FinishWithFailure(
                GlueErrors.MethodRefused(call.Method.Contract, Address, bindResult.Code, bindResult.Reason!));
        }
        else if (!method.IsDescribed)
            return Start(call, server, method);
        else if (call.IsShared)
            call.FinishWithFailure(GlueErrors.BuildsShareNoObjects(call.Method.Contract));
        else if (call.TryDescribe())
            return Start(call, server, method);
        return StartResult.Started;
    }

    public async ValueTask StartAsync(OutgoingCall call)
    {
        if (NeedsToken(call))
            await AddTokenAsync(call).ConfigureAwait(false);
        if (!call.IsShared && call.NeedsLink)
        {
            await _references.StartAsync(call).ConfigureAwait(false);
            return;
        }

        await RoomWait.StartAsync(
            call,
            Address,
            TryStartCore,
            (left, token) => call.Method.Contract.IsOneWay
                ? _running.WaitForRoomAsync().WaitAsync(left, _settings.Time, token)
                : _pending.WaitForRoomAsync(left, _settings.Time, token)).ConfigureAwait(false);
    }

    public bool TryCancel(ulong callId, OutgoingCall call)
    {
        if (_pending.TryRemove(callId, call) is null)
            return false;
        _running.Find(callId)?.Cancel();
        return true;
    }

    public void Answer(ulong callId, EnvelopeKind kind, WireBuffer body, ReadOnlyMemory<byte> headers = default)
    {
        if (_pending.TryRemove(callId) is not { } call)
        {
            _settings.Metrics.CountLateReply();
            return;
        }

        call.SetReplyHeaders(headers.Span);
        call.FinishWithAnswer(kind, body.WrittenSpan);
    }

    public bool TryTakeCaller(ulong callId, OutgoingCall caller)
    {
        if (_pending.TryRemove(callId, caller) is not null)
            return true;
        _settings.Metrics.CountLateReply();
        return false;
    }

    public void Ended(IncomingCall call)
    {
        _lines.Leave(call);
        _running.Remove(call);
    }

    public void Beat(long now)
    {
        foreach ((var callId, var call) in _pending.RemoveExpired(now))
        {
            _running.Find(callId)?.Cancel();
            call.FinishWithFailure(GlueErrors.DeadlineAwaitingReply(call.Method.Contract, Address));
        }

        _running.CancelExpired(now);
        _lines.Beat(now);
    }

    /// <summary>Completes when no one-way call of this channel runs.</summary>
    public Task WaitForOneWaysAsync() => _running.WaitForOneWaysAsync();

    /// <summary>Cancels all running calls, also those that a caller waits for.</summary>
    public void CancelServed() => _running.CancelAll();

    public async ValueTask DisposeAsync()
    {
        _isDisposed = true;
        var failure = GlueErrors.LinkLost(
            Address, GlueErrorCode.ClientDisposed, "the client was disposed", null);
        foreach (var call in _pending.Close())
            call.FinishWithFailure(failure);
        _running.CancelAwaited();
        _ = Detached.Run(this, static channel => channel.FinishAsync());
        await _references.DisposeAsync().ConfigureAwait(false);
    }

    // The provider is not asked where the server does not read tokens.
    private bool NeedsToken(OutgoingCall call) =>
        _settings.Tokens.IsSet && Server is { Host.Callers.ReadsTokens: true }
            && BearerToken.In(call.Headers.Span) is null;

    private async ValueTask AddTokenAsync(OutgoingCall call)
    {
        if (await _settings.Tokens.GetAsync(_uri, call.Token).ConfigureAwait(false) is { } token)
            call.Headers = BearerToken.AddTo(call.Headers.Span, token);
    }

    private ServerRuntime? Server
    {
        get
        {
            var known = Volatile.Read(ref _known);
            return known.Version == InProcessServers.Version ? known.Server : FindServer();
        }
    }

    private ServerRuntime? FindServer()
    {
        lock (_knownLock)
        {
            // The version is read first: if the server that is found is newer than it, the next call looks again.
            var version = InProcessServers.Version;
            var server = InProcessServers.Find(_name);
            var replaced = _known.Server;
            server?.Add(this);
            Volatile.Write(ref _known, new Known(version, server));
            if (replaced is not null && replaced != server)
                _ = Detached.Run((channel: this, replaced), static state => state.channel.LeaveAsync(state.replaced));
            return server;
        }
    }

    // The replaced server waits for its one-way calls and cancels what runs too long, so it must know this channel
    // until they have ended.
    private async Task LeaveAsync(ServerRuntime server)
    {
        await _running.WaitUntilEmptyAsync().ConfigureAwait(false);
        lock (_knownLock)
        {
            if (_known.Server != server)
                server.Remove(this);
        }
    }

    /// <summary>The server that the name had in one version of the table.</summary>
    private sealed record Known(int Version, ServerRuntime? Server);

    // One-way calls run on without their client, bound by their deadlines.
    private async Task FinishAsync()
    {
        await _running.WaitForOneWaysAsync().ConfigureAwait(false);
        await _clock.DisposeAsync().ConfigureAwait(false);
        Volatile.Read(ref _known).Server?.Remove(this);
    }

    // Timestamps of the same clock need no conversion.
    private long DeadlineAt(ServerRuntime server, OutgoingCall call) =>
        ReferenceEquals(server.Settings.Time, _settings.Time)
            ? call.Deadline
            : CallDeadline.After(server.Settings.Time, call.Remaining);

    private StartResult Start(OutgoingCall call, ServerRuntime server, ServedMethod method)
    {
        ulong callId = 0;
        var isOneWay = call.Method.Contract.IsOneWay;
        if (isOneWay && _running.IsFull)
            return StartResult.CallsFull;
        if (!isOneWay && _pending.TryAdd(call, out callId) is var added && added != StartResult.Started)
            return added;
        var incoming = server.Host.Calls.Rent();
        incoming.Begin(this, method, callId, isOneWay, DeadlineAt(server, call));
        incoming.Line = call.Route.LineOf(call.Method.Contract);
        incoming.SetHeaders(call.Headers.Span);
        var chain = GlueCall.Current?.Chain ?? (incoming.HasInstance ? CallChain.New() : null);
        if (chain is not null)
            incoming.Context.Chain = chain;
        if (call.IsShared)
            incoming.ShareWith(call);
        else
            incoming.SetArguments(call.Arguments);
        _running.Add(incoming);
        _clock.Wake();
        if (isOneWay || incoming.HasInstance)
            incoming.ArrivedAt = server.Settings.Time.GetTimestamp();
        if (isOneWay)
        {
            call.FinishWithoutAnswer();
            if (!_lines.TryQueue(incoming))
                incoming.Schedule(preferLocal: false);
            return StartResult.Started;
        }

        call.Carriage.Begin(this);
        call.Carriage.NoteQueued(callId);
        if (incoming.HasInstance)
            incoming.Schedule(preferLocal: true);
        else if (!_lines.TryQueue(incoming))
            ExecuteHere(incoming);
        call.CheckCancelled();
        return StartResult.Started;
    }

    // A service that awaits must not return to its caller's context, such as a window that waits for the call.
    private static void ExecuteHere(IncomingCall incoming)
    {
        var context = SynchronizationContext.Current;
        if (context is null)
        {
            incoming.ExecuteApart();
            return;
        }

        SynchronizationContext.SetSynchronizationContext(null);
        incoming.ExecuteApart();
        SynchronizationContext.SetSynchronizationContext(context);
    }
}
