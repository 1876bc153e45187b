using System.Security.Cryptography;
using Cluster.Contracts.Pacing;
using Cluster.Glue.Authorization;
using Cluster.Glue.Client;
using Cluster.Glue.Faults;
using Cluster.Glue.Filters;
using Cluster.Glue.Routes;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Serving;
using Cluster.Glue.Sessions;
using Cluster.Glue.Settings;
using Cluster.Glue.Substreams;
using Cluster.Glue.Tls;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Grpc.Core;

namespace Cluster.Glue.Channels;

/// <summary>The channel to one address over a link. The first call opens the link. A call after a loss opens a new one;
/// for a pause after a failure, calls fail at once with that failure. One attempt to connect runs at a time. A lock
/// protects its task and the link; they are read without the lock where a stale value does no harm.</summary>
/// <param name="address">The address, for messages.</param>
/// <param name="uri">The address of the peer.</param>
/// <param name="callbacks">Serves the peer's calls to objects that were passed by reference.</param>
/// <param name="settings">The settings of the client.</param>
/// <param name="connector">Opens streams.</param>
internal sealed class LinkChannel(
    string address, Uri uri, CallHost callbacks, ClientSettings settings, IMessageConnector connector)
    : ICallChannel, IAsyncDisposable
{
    private static readonly TimeSpan PauseMin = TimeSpan.FromMilliseconds(25);
    private static readonly TimeSpan PauseMax = TimeSpan.FromSeconds(1);

    private readonly Lock _gate = new();
    private readonly ClientSettings _settings = settings;
    private readonly CallHost _callbacks = callbacks;
    private readonly IMessageConnector _connector = connector;
    private readonly Uri _uri = uri;
    private readonly PeerProbe _probe = new PeerProbe(uri);
    private readonly bool _isSafe = settings.Tokens.MaySendTo(uri);
    private readonly CancellationTokenSource _disposal = new();
    private readonly List<Link> _former = [];
    private Link? _link;
    private Task<Link>? _opening;
    private GlueException? _lastFailure;
    private long _retryAt;
    private int _failureCount;
    private bool _isDisposed;

    public string Address { get; } = address;

    public GlueBinding Binding => GlueBinding.Link;

    /// <summary>The newest link; null: none yet.</summary>
    public Link? Link => Volatile.Read(ref _link);

    public StartResult TryStart(OutgoingCall call)
    {
        if (!_isSafe && BearerToken.In(call.Headers.Span) is not null)
        {
            call.FinishWithFailure(TokenSource.Insecure(Address));
            return StartResult.Started;
        }

        var link = Link;
        return link is null ? StartResult.NotConnected : link.Calls.TryStart(call);
    }

    public async ValueTask StartAsync(OutgoingCall call)
    {
        var remaining = call.Remaining;
        if (remaining <= TimeSpan.Zero)
            throw GlueErrors.DeadlineBeforeSend(call.Method.Contract, null);
        var token = call.Token;
        var full = StartResult.NotConnected;
        try
        {
            while (true)
            {
                var link = await OpenLinkAsync().WaitAsync(remaining, _settings.Time, token).ConfigureAwait(false);
                call.NoteTime();
                full = link.Calls.TryStart(call);
                if (full == StartResult.Started)
                    return;
                if (full == StartResult.NotBound)
                    await link.Calls.WaitForBindAsync(call.Method)
                        .WaitAsync(Left(call), _settings.Time, token).ConfigureAwait(false);
                else if (full != StartResult.NotConnected)
                    await link.Calls.WaitForRoomAsync(full, Left(call), token).ConfigureAwait(false);
                remaining = Left(call);
            }
        }
        catch (TimeoutException)
        {
            throw LinkCalls.NotStartedInTime(call.Method.Contract, Address, full);
        }
    }

    public async ValueTask DisposeAsync()
    {
        Task? opening;
        lock (_gate)
        {
            _isDisposed = true;
            opening = _opening;
        }

        await _disposal.CancelAsync().ConfigureAwait(false);
        // The attempt may have opened a link although the channel is being disposed of.
        if (opening is not null)
            await opening.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        Link[] links;
        lock (_gate)
            links = _link is null ? [] : [_link, .. _former];
        await Task.WhenAll(links.Select(static link => link.DisposeAsync().AsTask())).ConfigureAwait(false);
    }

    private static TimeSpan Left(OutgoingCall call) =>
        call.Remaining is var left && left > TimeSpan.Zero ? left : throw new TimeoutException();

    private Task<Link> OpenLinkAsync()
    {
        lock (_gate)
        {
            if (_isDisposed)
                throw GlueErrors.Disposed(Address);
            if (_link is { IsOpen: true } link)
                return WaitUntilReadyAsync(link);
            if (_opening is not null)
                return _opening;
            if (_lastFailure is { } failure && _settings.Time.GetTimestamp() < _retryAt)
                throw GlueErrors.Again(failure);
            _opening = Detached.Run(this, static channel => Task.Run(channel.ConnectAsync)).MayFailUnseen();
            return _opening;
        }
    }

    private static async Task<Link> WaitUntilReadyAsync(Link link)
    {
        await link.Ready.ConfigureAwait(false);
        return link;
    }

    private async Task<Link> ConnectAsync()
    {
        try
        {
            var link = await ConnectCoreAsync().ConfigureAwait(false);
            lock (_gate)
            {
                KeepFormerNeedsLock(_link);
                _link = link;
                _opening = null;
                _lastFailure = null;
                _failureCount = 0;
            }

            return link;
        }
        catch (Exception exception)
        {
            var failure = await ExplainAsync(exception).ConfigureAwait(false);
            lock (_gate)
            {
                _opening = null;
                _lastFailure = failure;
                var pause = Backoff.Pause(PauseMin, PauseMax, _failureCount++);
                _retryAt = CallDeadline.After(_settings.Time, pause);
            }

            throw failure;
        }
    }

    // A former link may carry calls, streams and objects for a long time.
    private void KeepFormerNeedsLock(Link? former)
    {
        _former.RemoveAll(static link => !link.IsAlive);
        if (former is not { IsAlive: true })
            return;
        _former.Add(former);
        if (_former.Count <= GlueLimits.FormerLinksMax)
            return;
        _former[0].Leave();
        _former.RemoveAt(0);
    }

    private async Task<Link> ConnectCoreAsync()
    {
        using var timeout = new CancellationTokenSource(_settings.ConnectTimeout, _settings.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, _disposal.Token);
        var backoff = new Backoff(PauseMin, PauseMax, new Jitter());
        GrpcStatusException? busy = null;
        try
        {
            while (true)
            {
                try
                {
                    return await ConnectOnceAsync(either).ConfigureAwait(false);
                }
                catch (GrpcStatusException refusal) when (refusal.Status == StatusCode.ResourceExhausted)
                {
                    busy = refusal;
                }

                // Other connections are in their handshake there. Jitter, because all of them may have come at the same
                // time.
                await Task.Delay(backoff.Next(), _settings.Time, either.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (busy is not null && !_disposal.IsCancellationRequested)
        {
            throw busy;
        }
    }

    private async Task<Link> ConnectOnceAsync(CancellationTokenSource either)
    {
        var stream = await _connector.OpenAsync(_uri, either.Token).ConfigureAwait(false);
        Link link;
        try
        {
            var own = new Hello(
                GlueWire.ProtocolVersionLowest,
                GlueWire.ProtocolVersionHighest,
                _settings.Node,
                _settings.MaxMessageBytes,
                _settings.MaxCallsInFlight,
                LinkSecret.New(),
                _settings.ResumeWindow)
            {
                Nonce = _settings.PeerKeys is null ? null : RandomNumberGenerator.GetBytes(Hello.HashBytes),
            };
            await using var abort = either.Token
                .UnsafeRegister(static s => ((IMessageStream)s!).Abort(), stream).ConfigureAwait(false);
            (var peer, var key) =
                await Handshake.OfferAsync(stream, own, _settings.PeerKeys).ConfigureAwait(false);
            link = new Link(SettingsFor(own, peer, key), _callbacks, Keep);
            _ = ReconnectorOf(link, link.SubstreamOf(SubstreamRole.Control)).RunAsync(stream);
        }
        catch
        {
            await stream.DisposeAsync().ConfigureAwait(false);
            either.Token.ThrowIfCancellationRequested();
            throw;
        }

        if (link.Settings.IsResumable)
            Keep(link, link.SubstreamOf(SubstreamRole.Calls));
        try
        {
            await link.Ready.WaitAsync(either.Token).ConfigureAwait(false);
            // The link was refused when its second substream was opened. That counts as a failure to connect, so that
            // the next attempt waits.
            if (link.EndCause is { } cause)
                throw cause.InnerException ?? new IOException(cause.Message);
            return link;
        }
        catch
        {
            await link.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private void Keep(Link link, Substream substream) =>
        Detached.Run(ReconnectorOf(link, substream), static reconnector => reconnector.RunAsync(null));

    private Reconnector ReconnectorOf(Link link, Substream substream) =>
        new(link, substream, token => _connector.OpenAsync(_uri, token));

    private LinkSettings SettingsFor(Hello own, Hello peer, LinkKey? key) =>
        _settings.ToLink(peer, own.Link, Address, _settings.Metrics) with
        {
            Key = key,
            Access = key is not null || _connector.IsInProcess ? PeerAccess.Granted : PeerAccess.NoProof,
            JoinTimeout = _settings.ConnectTimeout,
            MaxLinkAge = _settings.MaxLinkAge,
        };

    private async ValueTask<GlueException> ExplainAsync(Exception exception)
    {
        var failure = Explain(exception);
        var mayBeStranger = failure.Code == GlueErrorCode.ConnectFailed
            && (exception is OperationCanceledException || PeerProbe.MayExplain(exception));
        return mayBeStranger && await _probe.FindAsync().ConfigureAwait(false) is { } found
            ? ConnectFailed(found, exception)
            : failure;
    }

    private GlueException Explain(Exception exception) => exception switch
    {
        GlueException known => known,
        _ when CertificateException.In(exception) is { } problem => NotTrusted(problem),
        OperationCanceledException when _disposal.IsCancellationRequested => GlueErrors.Disposed(Address),
        OperationCanceledException => ConnectFailed(
            $"no connection and handshake within ConnectTimeout ({_settings.ConnectTimeout.TotalSeconds:0.##} s)",
            exception),
        GrpcStatusException { HttpStatus: { } http } => ConnectFailed(
            $"HTTP/2 is spoken there, but no gRPC ({exception.Message}). Call the address where Glue listens, or map "
            + "Glue into its endpoints with MapGlue" + (http >= 500 ? "; a proxy may have no server behind it." : "."),
            exception),
        GrpcStatusException status when status.Status == StatusCode.Unavailable => GlueErrors.NotDelivered(
            GlueErrorKind.Unreachable, GlueErrorCode.Draining, $"{Address}: {status.Message}", status),
        GrpcStatusException status when status.Status == StatusCode.Unauthenticated => GlueErrors.NotDelivered(
            GlueErrorKind.Refused,
            GlueErrorCode.PeerNotAuthenticated,
            $"{Address} and this process do not trust each other: {status.Message}",
            status),
        GrpcStatusException status when status.Status == StatusCode.ResourceExhausted => GlueErrors.NotDelivered(
            GlueErrorKind.Overloaded,
            GlueErrorCode.ServerOverloaded,
            $"{Address} let nobody else in within ConnectTimeout ({_settings.ConnectTimeout.TotalSeconds:0.##} s): "
            + status.Message,
            status),
        GrpcStatusException => HandshakeRefused($"{Address} refused the link: {exception.Message}", exception),
        WireException => HandshakeRefused($"{Address} does not speak Glue: {exception.Message}", exception),
        _ => ConnectFailed(exception.Message, exception),
    };

    private GlueException NotTrusted(CertificateException problem)
    {
        _settings.Metrics.CountRefusedCertificate();
        return GlueErrors.NotTrusted(Address, problem);
    }

    private static GlueException HandshakeRefused(string message, Exception cause) =>
        GlueErrors.NotDelivered(GlueErrorKind.Refused, GlueErrorCode.HandshakeRefused, message, cause);

    private GlueException ConnectFailed(string reason, Exception cause) =>
        GlueErrors.NotDelivered(
            GlueErrorKind.Unreachable, GlueErrorCode.ConnectFailed, $"{Address} cannot be reached: {reason}", cause);
}
