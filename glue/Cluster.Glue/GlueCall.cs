using System.Security.Claims;
using Cluster.Glue.Authorization;

namespace Cluster.Glue;

/// <summary>The call that is being served on this logical thread: its caller, deadline and cancellation. Also sets the
/// time for calls that this thread makes. Flows with <c>await</c>; may be kept after the call has ended. Its token
/// source is created when needed and set once, by atomic exchange.</summary>
public sealed class GlueCall
{
    private static readonly AsyncLocal<object?> Ambient = new();

    private readonly TimeProvider _time;
    private CancellationTokenSource? _source;
    private bool _cancelled;
    private bool _hasExpired;
    private GlueHeaders? _headers;
    private CallExtras? _extras;

    internal GlueCall(TimeProvider time, long deadline, NodeId caller)
    {
        _time = time;
        DeadlineTimestamp = deadline;
        Caller = caller;
        Identity = CallerIdentity.Nobody;
    }

    /// <summary>The call that is being served; null outside of a served call.</summary>
    public static GlueCall? Current => Ambient.Value switch
    {
        GlueCall call => call,
        DeadlineScope scope => scope.Serving,
        _ => null,
    };

    /// <summary>The node that made the call, as it named itself in the handshake; the default value if it gave no
    /// name.</summary>
    public NodeId Caller { get; }

    /// <summary>Whether the caller has proven that it knows a secret of this server's
    /// <see cref="GlueServerOptions.PeerIdentity"/>, or is in this process.</summary>
    public bool IsFromPeer { get; internal init; }

    /// <summary>The caller: the user of the call's bearer token, else of its link or request (token, client
    /// certificate, or <c>HttpContext.User</c> where <c>MapGlue</c> is used). An unknown caller is a user that is not
    /// authenticated. Each call has a copy of the user.</summary>
    public ClaimsPrincipal User => Extras.User ??= Identity.CopyUser();

    /// <summary>Time left until the deadline; zero when it has passed.</summary>
    public TimeSpan Remaining
    {
        get
        {
            var left = _time.GetElapsedTime(_time.GetTimestamp(), DeadlineTimestamp);
            return left > TimeSpan.Zero ? left : TimeSpan.Zero;
        }
    }

    /// <summary>Cancelled when the caller cancels, the deadline passes, or the caller's link is lost.</summary>
    public CancellationToken CancellationToken
    {
        get
        {
            if (Volatile.Read(ref _source) is { } known)
                return known.Token;
            if (IsCancelled)
                return new CancellationToken(canceled: true);
            var made = new CancellationTokenSource();
            var source = Interlocked.CompareExchange(ref _source, made, null) ?? made;
            // A cancellation that came meanwhile has not seen the source.
            if (IsCancelled)
                source.Cancel();
            return source.Token;
        }
    }

    /// <summary>The headers that came with the call.</summary>
    public GlueHeaders Headers => _headers ??= GlueHeaders.Read(Received);

    /// <summary>Headers that go back with the result, or with an exception.</summary>
    public GlueHeaders ReplyHeaders => Extras.ReplyHeaders;

    /// <summary>The header block that came with the call; null: it had none.</summary>
    internal byte[]? Received { get; set; }

    /// <summary>The header block of the answer; empty for none.</summary>
    internal byte[] ReplyBlock => Volatile.Read(ref _extras)?.ReplyBlock ?? [];

    internal long DeadlineTimestamp { get; }

    /// <summary>The caller's identity, which authorization checks.</summary>
    internal CallerIdentity Identity { get; set; }

    /// <summary>The chain of the call; null until it is needed.</summary>
    internal CallChain? Chain
    {
        get => Volatile.Read(ref _extras)?.Chain;
        set => Extras.Chain = value;
    }

    /// <summary>The id of the chain of the call that is being served; 0 outside of a served call.</summary>
    internal static ulong CurrentChain => Current is { } call ? (call.Chain ??= CallChain.New()).Id : 0;

    private CallExtras Extras => LazyInitializer.EnsureInitialized(ref _extras);

    internal bool IsCancelled => Volatile.Read(ref _cancelled);

    /// <summary>Whether the deadline has passed, or its timer has fired: the timer may run a moment ahead of the
    /// clock.</summary>
    internal bool HasExpired => Volatile.Read(ref _hasExpired) || Remaining == TimeSpan.Zero;

    /// <summary>Sets the time for each call made before the returned scope is disposed, instead of the client's
    /// default. A call never gets more time than the call that is being served has left.</summary>
    /// <param name="time">From 1 ms to 1 day.</param>
    /// <returns>Dispose it in the same method; an inner scope replaces an outer one until then.</returns>
    public static IDisposable WithDeadline(TimeSpan time)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(time, TimeSpan.FromMilliseconds(1));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(time, GlueLimits.DeadlineHighest);
        var scope = new DeadlineScope(Ambient.Value, Current, time);
        Ambient.Value = scope;
        return scope;
    }

    /// <summary>Adds headers to the calls made before the returned scope is disposed.</summary>
    /// <param name="headers">The headers; inner scopes replace outer ones.</param>
    public static GlueHeaderScope WithHeaders(GlueHeaders headers)
    {
        ArgumentNullException.ThrowIfNull(headers);
        return new GlueHeaderScope(headers);
    }

    /// <summary>Sets a bearer token for the calls made before the returned scope is disposed, in place of the token
    /// from <see cref="GlueClientOptions.AccessTokenProvider"/>: for example, the token of the user on whose behalf
    /// they are made. Calls that the called service makes do not bear it.</summary>
    /// <param name="token">The token without the word Bearer.</param>
    /// <returns>Dispose it in the same method; an inner scope replaces an outer one until then.</returns>
    public static IDisposable WithBearerToken(string token)
    {
        ArgumentNullException.ThrowIfNull(token);
        if (!BearerToken.IsToken(token))
            throw new ArgumentException(BearerToken.ProblemOf("The caller of WithBearerToken"), nameof(token));
        return AmbientHeaders.Begin(ambient => ambient with { Token = token });
    }

    internal static object? AmbientValue
    {
        get => Ambient.Value;
        set => Ambient.Value = value;
    }

    /// <summary>Cancels the call because its deadline has passed.</summary>
    internal void Expire()
    {
        Volatile.Write(ref _hasExpired, true);
        Cancel();
    }

    /// <summary>Marks the call cancelled and cancels the token on a pool thread, because callbacks of the token are
    /// user code.</summary>
    internal void Cancel()
    {
        Interlocked.Exchange(ref _cancelled, true);
        if (_source is { } source)
            ThreadPool.UnsafeQueueUserWorkItem(static s => s.Cancel(), source, preferLocal: false);
    }

    /// <summary>Members that few served calls need, in a separate object so that other calls do not pay for them. Same
    /// threading rules as the call.</summary>
    private sealed class CallExtras
    {
        private GlueHeaders? _replyHeaders;

        public GlueHeaders ReplyHeaders => _replyHeaders ??= new GlueHeaders();

        /// <summary>The header block of the answer; empty for none.</summary>
        public byte[] ReplyBlock => _replyHeaders?.ToBlock() ?? [];

        /// <summary>The copy of the user; null until it is needed.</summary>
        public ClaimsPrincipal? User { get; set; }

        public CallChain? Chain { get; set; }
    }

    /// <summary>A stretch of code in which calls get another time than the default. Made by <see cref="WithDeadline"/>.
    /// Immutable; disposing it restores the former ambient value.</summary>
    internal sealed class DeadlineScope(object? outer, GlueCall? serving, TimeSpan time) : IDisposable
    {
        public GlueCall? Serving { get; } = serving;

        public TimeSpan Time { get; } = time;

        public void Dispose()
        {
            if (ReferenceEquals(AmbientValue, this))
                AmbientValue = outer;
        }
    }
}
