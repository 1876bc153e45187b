using System.Diagnostics.Metrics;
using Cluster.Glue.Authorization;
using Cluster.Glue.Filters;
using Cluster.Glue.Settings;
using Cluster.Glue.Tls;
using Cluster.Glue.Transport;
using Cluster.Slim;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue;

/// <summary>The options of a client, bound from the configuration section <c>Glue:Client</c>. Copied and validated once
/// when the <see cref="GlueClient"/> is made; later changes have no effect.</summary>
public sealed class GlueClientOptions : ILinkOptions
{
    /// <summary>How calls travel.</summary>
    /// <value>Default: <see cref="GlueTransport.Link"/>.</value>
    public GlueTransport Transport { get; set; } = GlueTransport.Link;

    /// <summary>Time for a call that has no shorter deadline from a scope or from the call being served. From 1 ms to 1
    /// day.</summary>
    /// <value>Default: 10 seconds; while a debugger is attached this and other default times are 60 times as
    /// long.</value>
    public TimeSpan DefaultDeadline { get; set; } = GlueLimits.DefaultDeadline;

    /// <summary>Time to open a connection and to complete the handshake. From 10 ms to 5 minutes.</summary>
    /// <value>Default: 5 seconds.</value>
    public TimeSpan ConnectTimeout { get; set; } = GlueLimits.ConnectTimeout;

    /// <summary>If the peer is silent for this time, it is sent a ping; after twice this time the connection is given
    /// up.</summary>
    /// <value>Default: 5 seconds. From 50 ms to 10 minutes.</value>
    public TimeSpan HeartbeatInterval { get; set; } = GlueLimits.HeartbeatInterval;

    /// <summary>How long a link outlives the loss of its connection. If it is connected again in time, calls under way
    /// go on, and none runs twice. The shorter time of both sides counts. Zero: the link ends with its connection, and
    /// one-way calls whose task has completed are lost if they had not arrived.</summary>
    /// <value>Default: 5 seconds. Up to 10 minutes.</value>
    public TimeSpan ResumeWindow { get; set; } = GlueLimits.ResumeWindow;

    /// <summary>Age at which a connection is replaced by a fresh one; calls do not notice it. From 1 second to 30
    /// days.</summary>
    /// <value>Default: 1 hour.</value>
    public TimeSpan MaxLinkAge { get; set; } = GlueLimits.MaxLinkAge;

    /// <summary>Largest message sent or accepted, in bytes. If a call needs more, only that call fails. From 4 KiB to 1
    /// GiB.</summary>
    /// <value>Default: 64 MiB.</value>
    public int MaxMessageBytes { get; set; } = GlueLimits.MaxMessageBytes;

    /// <summary>The HTTP/2 window: bytes that a server may send before this client reads them. Calls do not notice it;
    /// gigabytes move faster with 8 MiB. From 64 KiB to 16 MiB.</summary>
    /// <value>Default: 1 MiB.</value>
    public int WindowBytes { get; set; } = GlueLimits.WindowBytes;

    /// <summary>Whether this client compresses what it sends, and tells servers that they may compress; servers have a
    /// similar option. Received messages are expanded up to <see cref="MaxMessageBytes"/>.</summary>
    /// <value>Default: <see cref="GlueCompression.None"/>.</value>
    public GlueCompression Compression { get; set; } = GlueCompression.None;

    /// <summary>The most calls under way to one peer; further callers wait until their deadline. The peer's own limit
    /// counts, too.</summary>
    /// <value>Default: 8,192. From 1 to 65,536.</value>
    public int MaxCallsInFlight { get; set; } = GlueLimits.MaxCallsInFlight;

    /// <summary>The most bytes queued for one peer; further callers wait until their deadline. From 64 KiB to 4
    /// GiB.</summary>
    /// <value>Default: 64 MiB.</value>
    public long MaxSendQueueBytes { get; set; } = GlueLimits.MaxSendQueueBytes;

    /// <summary>The most pool threads that may wait in synchronous contract members at the same time; a further thread
    /// waits for its turn, and its call fails at its deadline. At least 1. Loops such as <see cref="Parallel"/> hold
    /// one thread for each call: limit their degree, or call asynchronously.</summary>
    /// <value>Default: 16 for each core, at least 64.</value>
    public int MaxBlockingCalls { get; set; } = Math.Max(64, 16 * Environment.ProcessorCount);

    /// <summary>The limit of further attempts where resilience makes them: this share of the calls to the same peer,
    /// and ten attempts in advance. From 0 (none) to 1.</summary>
    /// <value>Default: 0.1.</value>
    public double RetryBudgetRatio { get; set; } = 0.1;

    /// <summary>Whether the values of <see cref="GlueContext"/> are sent with calls. W3C trace context is always
    /// sent.</summary>
    /// <value>Default: false.</value>
    public bool FlowsContext { get; set; }

    /// <summary>By how many items the producer of a stream may be ahead of a reader in this process; then it waits.
    /// From 1 to 1,048,576.</summary>
    /// <value>Default: 1,024.</value>
    public int StreamWindowItems { get; set; } = GlueLimits.StreamWindowItems;

    /// <summary>By how many bytes the producer of a stream may be ahead of a reader in this process; then it waits. An
    /// item may be larger. From 16 KiB to 256 MiB.</summary>
    /// <value>Default: 256 KiB.</value>
    public int StreamWindowBytes { get; set; } = GlueLimits.StreamWindowBytes;

    /// <summary>Callbacks and streams to which this process and one peer may refer at once; a call that needs more
    /// fails. From 16 to 16,777,216.</summary>
    /// <value>Default: 65,536.</value>
    public int MaxReferences { get; set; } = GlueLimits.MaxReferences;

    /// <summary>The shared secret that this client proves to servers, and that it asks each server to prove. The client
    /// opens links to no other servers then, so use it for a client that calls peers only. Needs
    /// <see cref="GlueTransport.Link"/>; inside one process no proof is needed. Null: the client proves
    /// nothing.</summary>
    /// <value>Default: null.</value>
    public GluePeerIdentity? PeerIdentity { get; set; }

    /// <summary>Returns the bearer token of the user for whom this client calls, without the word Bearer; null: no
    /// token. Called for each connection of a link, with its address, and for each unary or in-process call. So return
    /// the same token until it is about to expire, then the next one. All tokens must be of one user: for other users
    /// use another client, or <see cref="GlueCall.WithBearerToken"/>.</summary>
    /// <value>Default: null.</value>
    public Func<Uri, CancellationToken, ValueTask<string?>>? AccessTokenProvider { get; set; }

    /// <summary>Whether tokens may be sent without TLS to addresses that are neither loopback nor a Unix domain socket.
    /// Everybody on the network path can read and use them.</summary>
    /// <value>Default: false; such a call fails, and nothing is sent.</value>
    public bool AllowInsecure { get; set; }

    /// <summary>Which servers this client trusts at <c>https</c> addresses, and the certificate that it shows there.
    /// Null: it trusts the authorities that the machine trusts, and shows no certificate.</summary>
    /// <value>Default: null.</value>
    public GlueTlsOptions? Tls { get; set; }

    /// <summary>The name and incarnation that this process sends in the handshake. Null: the machine name and a new
    /// incarnation.</summary>
    public NodeId? Node { get; set; }

    /// <summary>Extends the closed list of types that messages may contain, beyond those reachable from the contract's
    /// methods.</summary>
    public Action<SlimOptions>? ConfigureTypes { get; set; }

    /// <summary>The target of log lines. Null: nothing is logged; <c>AddGlueClient</c> sets the host's.</summary>
    public ILoggerFactory? LoggerFactory { get; set; }

    /// <summary>The filters of all calls of this client. A call that is made passes these first, then those of its
    /// binding, then those of its proxy.</summary>
    public GlueFilters Filters => FilterOptions.Runtime;

    /// <summary>The filters of the calls over one binding; they run inside those of <see cref="Filters"/>.</summary>
    /// <param name="binding">The binding.</param>
    public GlueFilters FiltersOf(GlueBinding binding) => FilterOptions.Of(binding);

    internal FilterOptions FilterOptions { get; } = new();

    /// <summary>Provides the constructor arguments of filters; null: their constructors have none.</summary>
    internal IServiceProvider? Services { get; set; }

    /// <summary>The source of the meter <c>Cluster.Glue</c>. Null: a meter of the process; <c>AddGlueClient</c> sets
    /// the host's.</summary>
    public IMeterFactory? MeterFactory { get; set; }

    /// <summary>Wraps the connector of streams, for fault injection.</summary>
    internal Func<IMessageConnector, IMessageConnector>? WrapConnector { get; set; }

    /// <summary>Says where a connection goes instead of the given place, for fault injection.</summary>
    internal Func<DnsEndPoint, DnsEndPoint>? Detour { get; set; }

    /// <summary>Whether default times are stretched as with a debugger; for tests.</summary>
    internal bool IsDebugged { get; set; } = System.Diagnostics.Debugger.IsAttached;

    bool ILinkOptions.IsDebugged => IsDebugged;

    /// <summary>The clock behind deadlines and heartbeats.</summary>
    /// <value>Default: the system clock.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;
}

/// <summary>How calls are sent to an <c>http://</c> address. Results are the same; cost differs.</summary>
public enum GlueTransport
{
    /// <summary>One long duplex stream per peer that carries batches of calls. The default.</summary>
    Link,

    /// <summary>One HTTP/2 request per call, for networks whose proxies do not pass long streams. Several times
    /// slower.</summary>
    Unary,
}
