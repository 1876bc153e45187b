using Cluster.Glue.Authorization;
using Cluster.Glue.Filters;
using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;
using Cluster.Glue.Tls;
using Cluster.Slim;

namespace Cluster.Glue;

/// <summary>What a server may set, bound from the configuration section <c>Glue:Server</c>. Validated at start-up, all
/// problems at once, then copied; later changes have no effect.</summary>
public sealed class GlueServerOptions : ILinkOptions
{
    /// <summary>Address of a listener of its own, for hosts without a Kestrel endpoint for Glue:
    /// <c>http://host:port</c>, port 0 for any free one, or <c>unix:///path</c> for a socket in a folder that nobody
    /// else may enter. Null: none, calls arrive through <c>MapGlue</c> or in process only. The bound address is
    /// <see cref="GlueListener.Address"/>.</summary>
    public string? ListenAddress { get; set; }

    /// <summary>Name under which clients of this process reach the server as <c>inproc://name</c>. Null: not at
    /// all.</summary>
    public string? InProcessName { get; set; }

    /// <summary>What the in-process binding does with arguments and results.</summary>
    /// <value>Default: <see cref="GlueInProcessMode.ShareObjects"/>.</value>
    public GlueInProcessMode InProcessMode { get; set; } = GlueInProcessMode.ShareObjects;

    /// <summary>How much callers learn of exceptions. Stacks tell how a service is built, so they stay here.</summary>
    /// <value>Default: <see cref="GlueExceptionDetail.WithoutStack"/>.</value>
    public GlueExceptionDetail ExceptionDetail { get; set; } = GlueExceptionDetail.WithoutStack;

    /// <summary>Time given to a call whose caller named none. From 1 ms to 1 day.</summary>
    /// <value>Default: 10 seconds; while a debugger is attached this and other default times are 60 times as
    /// long.</value>
    public TimeSpan DefaultDeadline { get; set; } = GlueLimits.DefaultDeadline;

    /// <summary>Time a new peer has for its side of the handshake. From 10 ms to 5 minutes.</summary>
    /// <value>Default: 5 seconds.</value>
    public TimeSpan HandshakeTimeout { get; set; } = GlueLimits.ConnectTimeout;

    /// <summary>Connections whose peers have not shaken hands yet. Further ones are refused at once, which costs next
    /// to nothing; Glue's clients come again within their <see cref="GlueClientOptions.ConnectTimeout"/>. From 1 to
    /// 65,536.</summary>
    /// <value>Default: 64.</value>
    public int MaxUnauthenticatedConnections { get; set; } = GlueLimits.MaxUnauthenticatedConnections;

    /// <summary>The same of one address (of a network of 64 bits with IPv6), so that no single machine keeps the others
    /// out. When the places are nearly taken, whoever has waited longest gives up its place after a fiftieth of
    /// <see cref="HandshakeTimeout"/>. From 1 to 65,536.</summary>
    /// <value>Default: 32.</value>
    public int MaxHandshakesPerAddress { get; set; } = GlueLimits.MaxHandshakesPerAddress;

    /// <summary>The same of one connection, whose streams come from many peers only where a proxy stands between. From
    /// 1 to 65,536.</summary>
    /// <value>Default: 8.</value>
    public int MaxHandshakesPerConnection { get; set; } = GlueLimits.MaxHandshakesPerConnection;

    /// <summary>Connections that each of the server's own listeners has open. Further ones are refused. A host that
    /// maps Glue sets <c>Kestrel:Limits:MaxConcurrentConnections</c>. From 1 to 2,147,483,647.</summary>
    /// <value>Default: 16,384.</value>
    public int MaxConnections { get; set; } = GlueLimits.MaxConnections;

    /// <summary>Time in which a request of its own (<see cref="GlueTransport.Unary"/>) has to arrive completely. From
    /// 10 ms to 10 minutes.</summary>
    /// <value>Default: 30 seconds.</value>
    public TimeSpan RequestReceiveTimeout { get; set; } = GlueLimits.RequestReceiveTimeout;

    /// <summary>Bytes that the requests of their own which one connection is sending may have together. The request
    /// that passes it is refused. The memory behind them may be twice that. At least
    /// <see cref="MaxMessageBytes"/>.</summary>
    /// <value>Default: 128 MiB, or <see cref="MaxMessageBytes"/> where that is more.</value>
    public long MaxReceivingBytesPerConnection
    {
        get => Math.Max(field, MaxMessageBytes);
        set;
    } = GlueLimits.MaxReceivingBytesPerConnection;

    /// <summary>The same of all connections, and of one-way calls in requests of their own that have not ended. At
    /// least <see cref="MaxMessageBytes"/>.</summary>
    /// <value>Default: 512 MiB, or <see cref="MaxMessageBytes"/> where that is more.</value>
    public long MaxReceivingBytes
    {
        get => Math.Max(field, MaxMessageBytes);
        set;
    } = GlueLimits.MaxReceivingBytes;

    /// <summary>One-way calls in requests of their own that wait or run here. Further ones are refused. From 1 to
    /// 16,777,216.</summary>
    /// <value>Default: 65,536.</value>
    public int MaxQueuedOneWayCalls { get; set; } = GlueLimits.MaxQueuedOneWayCalls;

    /// <summary>Time that a call may wait here for a thread. One that has waited longer is refused before its arguments
    /// are read, with <see cref="GlueErrorCode.ServerOverloaded"/>: a server that is late for all helps nobody. From 10
    /// ms to 1 day.</summary>
    /// <value>Default: 5 seconds.</value>
    public TimeSpan MaxQueueDelay { get; set; } = GlueLimits.MaxQueueDelay;

    /// <summary>What becomes of the calls of a peer whose link was lost for longer than it is kept.</summary>
    /// <value>Default: <see cref="GlueLostLinkCalls.Cancel"/>.</value>
    public GlueLostLinkCalls LostLinkCalls { get; set; } = GlueLostLinkCalls.Cancel;

    /// <summary>Silence after which the peer is asked for a sign of life; after twice this silence the connection is
    /// given up.</summary>
    /// <value>Default: 5 seconds. From 50 ms to 10 minutes.</value>
    public TimeSpan HeartbeatInterval { get; set; } = GlueLimits.HeartbeatInterval;

    /// <summary>How long a link outlives the loss of its connection: calls under way go on when it is connected again
    /// in time, and none runs twice. The shorter time of both sides holds. Zero: one connection carries a link and ends
    /// it, and one-way calls whose task has completed are lost with the connection if they had not arrived.</summary>
    /// <value>Default: 5 seconds. Up to 10 minutes.</value>
    public TimeSpan ResumeWindow { get; set; } = GlueLimits.ResumeWindow;

    /// <summary>Time that running calls get when the server stops. From 0 to 10 minutes.</summary>
    /// <value>Default: 5 seconds.</value>
    public TimeSpan DrainTimeout { get; set; } = GlueLimits.DrainTimeout;

    /// <summary>Largest message sent or accepted, in bytes. A call that needs more fails alone. From 4 KiB to 1
    /// GiB.</summary>
    /// <value>Default: 64 MiB.</value>
    public int MaxMessageBytes { get; set; } = GlueLimits.MaxMessageBytes;

    /// <summary>Bytes that the server's own listener takes from a peer before they are read: the HTTP/2 window. Calls
    /// do not notice it; gigabytes move faster with 8 MiB. From 64 KiB to 16 MiB. A host that maps Glue sets those of
    /// its Kestrel.</summary>
    /// <value>Default: 1 MiB.</value>
    public int WindowBytes { get; set; } = GlueLimits.WindowBytes;

    /// <summary>Whether this server compresses its answers to clients that accept that. What clients compress it reads
    /// in any case, expanded up to <see cref="MaxMessageBytes"/>.</summary>
    /// <value>Default: <see cref="GlueCompression.None"/>.</value>
    public GlueCompression Compression { get; set; } = GlueCompression.None;

    /// <summary>Calls that one peer may have under way; it is told in the handshake, and refused beyond.</summary>
    /// <value>Default: 8,192. From 1 to 65,536.</value>
    public int MaxCallsInFlight { get; set; } = GlueLimits.MaxCallsInFlight;

    /// <summary>Bytes of replies queued for one peer above which its further requests are not read. From 64 KiB to 4
    /// GiB.</summary>
    /// <value>Default: 64 MiB.</value>
    public long MaxSendQueueBytes { get; set; } = GlueLimits.MaxSendQueueBytes;

    /// <summary>How long an instance of a stateful service lives without a call: at this time exactly it is gone. From
    /// 1 second to 30 days.</summary>
    /// <value>Default: 20 minutes.</value>
    public TimeSpan InstanceIdleTimeout { get; set; } = GlueLimits.InstanceIdleTimeout;

    /// <summary>How long a call waits for earlier ones to the same instance, if its deadline allows that. From 1 ms to
    /// 1 day.</summary>
    /// <value>Default: 10 seconds.</value>
    public TimeSpan InstanceLockTimeout { get; set; } = GlueLimits.InstanceLockTimeout;

    /// <summary>Instances that each stateful service may have; a further one is refused. At least 1.</summary>
    /// <value>Default: 100,000.</value>
    public int MaxInstances { get; set; } = GlueLimits.MaxInstances;

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

    /// <summary>What this server asks callers to prove who want to count as peers, and proves to them: a shared secret.
    /// Services of <see cref="GlueAudience.Peers"/> are served to those alone. Null: nobody can prove anything, and
    /// such services are served inside this process only.</summary>
    /// <value>Default: null.</value>
    public GluePeerIdentity? PeerIdentity { get; set; }

    /// <summary>Address of a second listener, for authenticated peers only, so that their port may be closed to
    /// everybody else. Same forms as <see cref="ListenAddress"/>. When it is set, services of
    /// <see cref="GlueAudience.Peers"/> are served through it only. Needs <see cref="PeerIdentity"/>. The bound address
    /// is <see cref="GlueListener.PeerAddress"/>.</summary>
    /// <value>Default: null, none.</value>
    public string? PeerListenAddress { get; set; }

    /// <summary>Whether listeners may speak without TLS at addresses that other machines reach. Without TLS everybody
    /// between two processes can read and change what travels.</summary>
    /// <value>Default: false; such an address stops the start.</value>
    public bool AllowInsecure { get; set; }

    /// <summary>The certificate that listeners with an <c>https</c> address show, and what they ask of clients. Null:
    /// there are none.</summary>
    /// <value>Default: null.</value>
    public GlueTlsOptions? Tls { get; set; }

    /// <summary>Who this process says it is in the handshake. Null: the machine name and a new incarnation.</summary>
    public NodeId? Node { get; set; }

    /// <summary>Extends the closed list of types that may travel, beyond those reachable from the contracts'
    /// methods.</summary>
    public Action<SlimOptions>? ConfigureTypes { get; set; }

    /// <summary>The filters of all calls to services of this server. A call that arrives passes those of its service
    /// first, then those of its binding, then these, within each level the last one first.</summary>
    public GlueFilters Filters => FilterOptions.Runtime;

    /// <summary>The filters of the calls that travel one way, around these.</summary>
    /// <param name="binding">The way.</param>
    public GlueFilters FiltersOf(GlueBinding binding) => FilterOptions.Of(binding);

    internal FilterOptions FilterOptions { get; } = new();

    /// <summary>Bounds the closed forms of generic methods; tests set a smaller bound.</summary>
    internal GenericForms GenericForms { get; set; } = GenericForms.OfProcess;

    /// <summary>Whether default times are stretched; for tests.</summary>
    internal bool IsDebugged { get; set; } = System.Diagnostics.Debugger.IsAttached;

    bool ILinkOptions.IsDebugged => IsDebugged;

    /// <summary>The clock behind deadlines and heartbeats.</summary>
    /// <value>Default: the system clock.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;
}

/// <summary>How much a caller learns of an exception thrown by a service.</summary>
public enum GlueExceptionDetail
{
    /// <summary>Type, message, fields of the type, causes, <see cref="Exception.Data"/> and stacks.</summary>
    Full,

    /// <summary>Type, message, fields of the type and causes. Stacks and <see cref="Exception.Data"/> stay here. The
    /// default.</summary>
    WithoutStack,
}

/// <summary>What a call through the in-process binding does with arguments and results.</summary>
public enum GlueInProcessMode
{
    /// <summary>Objects are handed over as they are: caller and service share them. The default.</summary>
    ShareObjects,

    /// <summary>Objects are serialized and rebuilt as over a network: slower, and faithful to it.</summary>
    Serialize,
}

/// <summary>What a server does with the calls of a peer whose link was lost and not resumed in time.</summary>
public enum GlueLostLinkCalls
{
    /// <summary>Their cancellation tokens are cancelled: nobody waits for the results. The default.</summary>
    Cancel,

    /// <summary>They run on to their end or deadline, for work that shall not stop in the middle.</summary>
    RunOn,
}
