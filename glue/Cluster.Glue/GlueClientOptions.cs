using System.Diagnostics.Metrics;
using Cluster.Glue.Authorization;
using Cluster.Glue.Filters;
using Cluster.Glue.Settings;
using Cluster.Glue.Tls;
using Cluster.Glue.Transport;
using Cluster.Slim;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue;

/// <summary>What a client may set, bound from the configuration section <c>Glue:Client</c>. Copied and validated once
/// when the <see cref="GlueClient"/> is made; later changes have no effect.</summary>
public sealed class GlueClientOptions : ILinkOptions
{
    /// <summary>How calls travel.</summary>
    /// <value>Default: <see cref="GlueTransport.Link"/>.</value>
    public GlueTransport Transport { get; set; } = GlueTransport.Link;

    /// <summary>Time given to a call that has no shorter deadline from its surroundings. From 1 ms to 1 day.</summary>
    /// <value>Default: 10 seconds; while a debugger is attached this and other default times are 60 times as
    /// long.</value>
    public TimeSpan DefaultDeadline { get; set; } = GlueLimits.DefaultDeadline;

    /// <summary>Time given to opening a connection and shaking hands. From 10 ms to 5 minutes.</summary>
    /// <value>Default: 5 seconds.</value>
    public TimeSpan ConnectTimeout { get; set; } = GlueLimits.ConnectTimeout;

    /// <summary>Silence after which the peer is asked for a sign of life; after twice this silence the connection is
    /// given up.</summary>
    /// <value>Default: 5 seconds. From 50 ms to 10 minutes.</value>
    public TimeSpan HeartbeatInterval { get; set; } = GlueLimits.HeartbeatInterval;

    /// <summary>How long a link outlives the loss of its connection: calls under way go on when it is connected again
    /// in time, and none runs twice. The shorter time of both sides holds. Zero: one connection carries a link and ends
    /// it, and one-way calls whose task has completed are lost with the connection if they had not arrived.</summary>
    /// <value>Default: 5 seconds. Up to 10 minutes.</value>
    public TimeSpan ResumeWindow { get; set; } = GlueLimits.ResumeWindow;

    /// <summary>Age at which a connection is replaced by a fresh one, without a call noticing. From 1 second to 30
    /// days.</summary>
    /// <value>Default: 1 hour.</value>
    public TimeSpan MaxLinkAge { get; set; } = GlueLimits.MaxLinkAge;

    /// <summary>Largest message sent or accepted, in bytes. A call that needs more fails alone. From 4 KiB to 1
    /// GiB.</summary>
    /// <value>Default: 64 MiB.</value>
    public int MaxMessageBytes { get; set; } = GlueLimits.MaxMessageBytes;

    /// <summary>Bytes that this client takes from a server before they are read: the HTTP/2 window. Calls do not notice
    /// it; gigabytes move faster with 8 MiB. From 64 KiB to 16 MiB.</summary>
    /// <value>Default: 1 MiB.</value>
    public int WindowBytes { get; set; } = GlueLimits.WindowBytes;

    /// <summary>Whether this client compresses what it sends, and tells servers that they may; they have an option of
    /// their own. What comes is expanded up to <see cref="MaxMessageBytes"/>.</summary>
    /// <value>Default: <see cref="GlueCompression.None"/>.</value>
    public GlueCompression Compression { get; set; } = GlueCompression.None;

    /// <summary>Calls under way to one peer; further callers wait until their deadline. The peer's own limit counts
    /// too.</summary>
    /// <value>Default: 8,192. From 1 to 65,536.</value>
    public int MaxCallsInFlight { get; set; } = GlueLimits.MaxCallsInFlight;

    /// <summary>Bytes queued for one peer; further callers wait until their deadline. From 64 KiB to 4 GiB.</summary>
    /// <value>Default: 64 MiB.</value>
    public long MaxSendQueueBytes { get; set; } = GlueLimits.MaxSendQueueBytes;

    /// <summary>Pool threads that may wait in synchronous contract members at once; a further one waits for its turn,
    /// and fails at its deadline. At least 1. Loops such as <see cref="Parallel"/> hold one thread for each call: limit
    /// their degree, or call asynchronously.</summary>
    /// <value>Default: 16 for each core, at least 64.</value>
    public int MaxBlockingCalls { get; set; } = Math.Max(64, 16 * Environment.ProcessorCount);

    /// <summary>What further attempts of calls may cost, where resilience makes them: this share of the calls to the
    /// same peer, and ten of them in advance. From 0 (none) to 1.</summary>
    /// <value>Default: 0.1.</value>
    public double RetryBudgetRatio { get; set; } = 0.1;

    /// <summary>Whether <see cref="GlueContext"/> travels with calls. W3C trace context always does.</summary>
    /// <value>Default: false.</value>
    public bool FlowsContext { get; set; }

    /// <summary>Items of one stream that its producer may be ahead of the reader in this process; it waits then. From 1
    /// to 1,048,576.</summary>
    /// <value>Default: 1,024.</value>
    public int StreamWindowItems { get; set; } = GlueLimits.StreamWindowItems;

    /// <summary>Bytes of one stream that its producer may be ahead of the reader in this process; it waits then. An
    /// item may be larger. From 16 KiB to 256 MiB.</summary>
    /// <value>Default: 256 KiB.</value>
    public int StreamWindowBytes { get; set; } = GlueLimits.StreamWindowBytes;

    /// <summary>Callbacks and streams to which this process and one peer may refer at once; a call that needs more
    /// fails. From 16 to 16,777,216.</summary>
    /// <value>Default: 65,536.</value>
    public int MaxReferences { get; set; } = GlueLimits.MaxReferences;

    /// <summary>What this client proves to servers, and asks each of them to prove: a shared secret. It opens links to
    /// nobody else then, so give it to a client that speaks to peers only. Needs <see cref="GlueTransport.Link"/>;
    /// inside one process nothing is to be proven. Null: it proves nothing.</summary>
    /// <value>Default: null.</value>
    public GluePeerIdentity? PeerIdentity { get; set; }

    /// <summary>Gives the bearer token of the user for whom this client calls, without the word Bearer; null: none.
    /// Asked for each connection of a link, with its address, and for each call in a request of its own, or in this
    /// process. So keep a token until it is about to expire, and give the next one then. All tokens are of one user:
    /// for others use another client, or <see cref="GlueCall.WithBearerToken"/>.</summary>
    /// <value>Default: null.</value>
    public Func<Uri, CancellationToken, ValueTask<string?>>? AccessTokenProvider { get; set; }

    /// <summary>Whether tokens may be sent without TLS to addresses that are neither loopback nor a Unix domain socket.
    /// Everybody between reads them there and can use them.</summary>
    /// <value>Default: false; such a call fails, and nothing is sent.</value>
    public bool AllowInsecure { get; set; }

    /// <summary>Whom this client trusts at <c>https</c> addresses, and the certificate that it shows there. Null: it
    /// trusts whom the machine trusts, and shows none.</summary>
    /// <value>Default: null.</value>
    public GlueTlsOptions? Tls { get; set; }

    /// <summary>Who this process says it is in the handshake. Null: the machine name and a new incarnation.</summary>
    public NodeId? Node { get; set; }

    /// <summary>Extends the closed list of types that may travel, beyond those reachable from the contract's
    /// methods.</summary>
    public Action<SlimOptions>? ConfigureTypes { get; set; }

    /// <summary>Where log lines go. Null: nowhere; <c>AddGlueClient</c> sets the host's.</summary>
    public ILoggerFactory? LoggerFactory { get; set; }

    /// <summary>The filters of all calls of this client. A call that is made passes these first, then those of its
    /// binding, then those of its proxy.</summary>
    public GlueFilters Filters => FilterOptions.Runtime;

    /// <summary>The filters of the calls that travel one way, within these.</summary>
    /// <param name="binding">The way.</param>
    public GlueFilters FiltersOf(GlueBinding binding) => FilterOptions.Of(binding);

    internal FilterOptions FilterOptions { get; } = new();

    /// <summary>What makes filters; null: their constructors take nothing.</summary>
    internal IServiceProvider? Services { get; set; }

    /// <summary>Where the meter <c>Cluster.Glue</c> comes from. Null: one of the process; <c>AddGlueClient</c> sets the
    /// host's.</summary>
    public IMeterFactory? MeterFactory { get; set; }

    /// <summary>Wraps what opens streams; for fault injection.</summary>
    internal Func<IMessageConnector, IMessageConnector>? WrapConnector { get; set; }

    /// <summary>Whether default times are stretched; for tests.</summary>
    internal bool IsDebugged { get; set; } = System.Diagnostics.Debugger.IsAttached;

    bool ILinkOptions.IsDebugged => IsDebugged;

    /// <summary>The clock behind deadlines and heartbeats.</summary>
    /// <value>Default: the system clock.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;
}

/// <summary>How calls travel to an <c>http://</c> address. Results are the same; cost differs.</summary>
public enum GlueTransport
{
    /// <summary>One long duplex stream per peer that carries batches of calls. The default.</summary>
    Link,

    /// <summary>One HTTP/2 request per call, for networks whose proxies do not pass long streams. Several times
    /// slower.</summary>
    Unary,
}
