using Cluster.Glue.Authorization;
using Cluster.Glue.Filters;
using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;
using Cluster.Glue.Tls;
using Cluster.Slim;

namespace Cluster.Glue;

/// <summary>The options of a server, bound from the configuration section <c>Glue:Server</c>. Validated at start-up,
/// all problems at once, then copied; later changes have no effect.</summary>
public sealed class GlueServerOptions : ILinkOptions
{
    /// <summary>Address of a listener that the server opens, for hosts without a Kestrel endpoint for Glue:
    /// <c>http://host:port</c>, port 0 for any free one, or <c>unix:///path</c> for a socket in a folder that other
    /// users cannot enter. Null: no listener; calls arrive through <c>MapGlue</c> or in process only. The bound address
    /// is <see cref="GlueListener.Address"/>.</summary>
    public string? ListenAddress { get; set; }

    /// <summary>Name under which clients of this process reach the server as <c>inproc://name</c>. Null: they
    /// cannot.</summary>
    public string? InProcessName { get; set; }

    /// <summary>How the in-process binding passes arguments and results.</summary>
    /// <value>Default: <see cref="GlueInProcessMode.ShareObjects"/>.</value>
    public GlueInProcessMode InProcessMode { get; set; } = GlueInProcessMode.ShareObjects;

    /// <summary>Which parts of an exception are sent to callers. Stacks show how a service is built, so they are not
    /// sent by default.</summary>
    /// <value>Default: <see cref="GlueExceptionDetail.WithoutStack"/>.</value>
    public GlueExceptionDetail ExceptionDetail { get; set; } = GlueExceptionDetail.WithoutStack;

    /// <summary>Time for a call whose caller gave no deadline. From 1 ms to 1 day.</summary>
    /// <value>Default: 10 seconds; while a debugger is attached this and other default times are 60 times as
    /// long.</value>
    public TimeSpan DefaultDeadline { get; set; } = GlueLimits.DefaultDeadline;

    /// <summary>Time that a new peer has to complete the handshake. From 10 ms to 5 minutes.</summary>
    /// <value>Default: 5 seconds.</value>
    public TimeSpan HandshakeTimeout { get; set; } = GlueLimits.ConnectTimeout;

    /// <summary>The most connections whose peers have not completed the handshake. Further ones are refused at once, at
    /// almost no cost; Glue's clients retry within their <see cref="GlueClientOptions.ConnectTimeout"/>. From 1 to
    /// 65,536.</summary>
    /// <value>Default: 64.</value>
    public int MaxUnauthenticatedConnections { get; set; } = GlueLimits.MaxUnauthenticatedConnections;

    /// <summary>The most connections of one address (with IPv6: of one 64-bit network) whose peers have not completed
    /// the handshake, so that no single machine keeps the others out. When the places are nearly taken, the connection
    /// that has waited longest loses its place after a fiftieth of <see cref="HandshakeTimeout"/>. From 1 to
    /// 65,536.</summary>
    /// <value>Default: 32.</value>
    public int MaxHandshakesPerAddress { get; set; } = GlueLimits.MaxHandshakesPerAddress;

    /// <summary>The most streams of one connection that have not completed the handshake. The streams of one connection
    /// come from many peers only if there is a proxy in between. From 1 to 65,536.</summary>
    /// <value>Default: 8.</value>
    public int MaxHandshakesPerConnection { get; set; } = GlueLimits.MaxHandshakesPerConnection;

    /// <summary>The most open connections of each listener that the server itself opens. Further ones are refused. A
    /// host that maps Glue sets <c>Kestrel:Limits:MaxConcurrentConnections</c>. From 1 to 2,147,483,647.</summary>
    /// <value>Default: 16,384.</value>
    public int MaxConnections { get; set; } = GlueLimits.MaxConnections;

    /// <summary>Time in which a unary request (<see cref="GlueTransport.Unary"/>) has to arrive completely. From 10 ms
    /// to 10 minutes.</summary>
    /// <value>Default: 30 seconds.</value>
    public TimeSpan RequestReceiveTimeout { get; set; } = GlueLimits.RequestReceiveTimeout;

    /// <summary>The most bytes of all unary requests that one connection is sending. A request that exceeds the limit
    /// is refused. The memory for them may be twice as large. At least <see cref="MaxMessageBytes"/>.</summary>
    /// <value>Default: 128 MiB, or <see cref="MaxMessageBytes"/> where that is more.</value>
    public long MaxReceivingBytesPerConnection
    {
        get => Math.Max(field, MaxMessageBytes);
        set;
    } = GlueLimits.MaxReceivingBytesPerConnection;

    /// <summary>The most bytes of the unary requests that all connections are sending, and of unary one-way calls that
    /// have not ended. At least <see cref="MaxMessageBytes"/>.</summary>
    /// <value>Default: 512 MiB, or <see cref="MaxMessageBytes"/> where that is more.</value>
    public long MaxReceivingBytes
    {
        get => Math.Max(field, MaxMessageBytes);
        set;
    } = GlueLimits.MaxReceivingBytes;

    /// <summary>The most unary one-way calls that wait or run in this process. Further ones are refused. From 1 to
    /// 16,777,216.</summary>
    /// <value>Default: 65,536.</value>
    public int MaxQueuedOneWayCalls { get; set; } = GlueLimits.MaxQueuedOneWayCalls;

    /// <summary>The longest time that a call may wait for a thread. A call that has waited longer is refused before its
    /// arguments are read, with <see cref="GlueErrorCode.ServerOverloaded"/>, because otherwise an overloaded server
    /// would answer all calls too late. From 10 ms to 1 day.</summary>
    /// <value>Default: 5 seconds.</value>
    public TimeSpan MaxQueueDelay { get; set; } = GlueLimits.MaxQueueDelay;

    /// <summary>What the server does with the calls of a peer whose link was lost and not resumed in time.</summary>
    /// <value>Default: <see cref="GlueLostLinkCalls.Cancel"/>.</value>
    public GlueLostLinkCalls LostLinkCalls { get; set; } = GlueLostLinkCalls.Cancel;

    /// <summary>If the peer is silent for this time, it is sent a ping; after twice this time the connection is given
    /// up.</summary>
    /// <value>Default: 5 seconds. From 50 ms to 10 minutes.</value>
    public TimeSpan HeartbeatInterval { get; set; } = GlueLimits.HeartbeatInterval;

    /// <summary>How long a link outlives the loss of its connection. If it is connected again in time, calls under way
    /// go on, and none runs twice. The shorter time of both sides counts. Zero: the link ends with its connection, and
    /// one-way calls whose task has completed are lost if they had not arrived.</summary>
    /// <value>Default: 5 seconds. Up to 10 minutes.</value>
    public TimeSpan ResumeWindow { get; set; } = GlueLimits.ResumeWindow;

    /// <summary>Time that running calls get when the server stops. From 0 to 10 minutes.</summary>
    /// <value>Default: 5 seconds.</value>
    public TimeSpan DrainTimeout { get; set; } = GlueLimits.DrainTimeout;

    /// <summary>Largest message sent or accepted, in bytes. If a call needs more, only that call fails. From 4 KiB to 1
    /// GiB.</summary>
    /// <value>Default: 64 MiB.</value>
    public int MaxMessageBytes { get; set; } = GlueLimits.MaxMessageBytes;

    /// <summary>The HTTP/2 window of the listener that the server opens: bytes that a peer may send before the server
    /// reads them. Calls do not notice it; gigabytes move faster with 8 MiB. From 64 KiB to 16 MiB. A host that maps
    /// Glue sets those of its Kestrel.</summary>
    /// <value>Default: 1 MiB.</value>
    public int WindowBytes { get; set; } = GlueLimits.WindowBytes;

    /// <summary>Whether this server compresses its answers to clients that accept that. It always reads the compressed
    /// messages of clients, expanded up to <see cref="MaxMessageBytes"/>.</summary>
    /// <value>Default: <see cref="GlueCompression.None"/>.</value>
    public GlueCompression Compression { get; set; } = GlueCompression.None;

    /// <summary>The most calls that one peer may have under way. The handshake tells the peer this limit; calls beyond
    /// it are refused.</summary>
    /// <value>Default: 8,192. From 1 to 65,536.</value>
    public int MaxCallsInFlight { get; set; } = GlueLimits.MaxCallsInFlight;

    /// <summary>If more bytes of replies are queued for one peer, its further requests are not read. From 64 KiB to 4
    /// GiB.</summary>
    /// <value>Default: 64 MiB.</value>
    public long MaxSendQueueBytes { get; set; } = GlueLimits.MaxSendQueueBytes;

    /// <summary>How long an instance of a stateful service lives without a call. It ends exactly at this time. From 1
    /// second to 30 days.</summary>
    /// <value>Default: 20 minutes.</value>
    public TimeSpan InstanceIdleTimeout { get; set; } = GlueLimits.InstanceIdleTimeout;

    /// <summary>How long a call waits for earlier ones to the same instance, if its deadline allows that. From 1 ms to
    /// 1 day.</summary>
    /// <value>Default: 10 seconds.</value>
    public TimeSpan InstanceLockTimeout { get; set; } = GlueLimits.InstanceLockTimeout;

    /// <summary>The most instances of each stateful service; a further one is refused. At least 1.</summary>
    /// <value>Default: 100,000.</value>
    public int MaxInstances { get; set; } = GlueLimits.MaxInstances;

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

    /// <summary>The shared secret that callers must prove to count as peers, and that this server proves to them.
    /// Services of <see cref="GlueAudience.Peers"/> are served to peers only. Null: no caller can prove anything, and
    /// such services are served inside this process only.</summary>
    /// <value>Default: null.</value>
    public GluePeerIdentity? PeerIdentity { get; set; }

    /// <summary>Address of a second listener, for authenticated peers only, so that their port may be closed to
    /// everybody else. Same forms as <see cref="ListenAddress"/>. When it is set, services of
    /// <see cref="GlueAudience.Peers"/> are served through it only. Needs <see cref="PeerIdentity"/>. The bound address
    /// is <see cref="GlueListener.PeerAddress"/>.</summary>
    /// <value>Default: null, none.</value>
    public string? PeerListenAddress { get; set; }

    /// <summary>Whether listeners may speak without TLS at addresses that other machines reach. Without TLS, everybody
    /// on the network path can read and change the messages.</summary>
    /// <value>Default: false; such an address stops the start.</value>
    public bool AllowInsecure { get; set; }

    /// <summary>The certificate that listeners with an <c>https</c> address show, and whether they ask clients for one.
    /// Null: there are no such listeners.</summary>
    /// <value>Default: null.</value>
    public GlueTlsOptions? Tls { get; set; }

    /// <summary>The name and incarnation that this process sends in the handshake. Null: the machine name and a new
    /// incarnation.</summary>
    public NodeId? Node { get; set; }

    /// <summary>Extends the closed list of types that messages may contain, beyond those reachable from the contracts'
    /// methods.</summary>
    public Action<SlimOptions>? ConfigureTypes { get; set; }

    /// <summary>The filters of all calls to services of this server. A call that arrives passes those of its service
    /// first, then those of its binding, then these, within each level the last one first.</summary>
    public GlueFilters Filters => FilterOptions.Runtime;

    /// <summary>The filters of the calls over one binding. An arriving call passes them before those of
    /// <see cref="Filters"/>.</summary>
    /// <param name="binding">The binding.</param>
    public GlueFilters FiltersOf(GlueBinding binding) => FilterOptions.Of(binding);

    internal FilterOptions FilterOptions { get; } = new();

    /// <summary>Limits the closed forms of generic methods; tests set a smaller limit.</summary>
    internal GenericForms GenericForms { get; set; } = GenericForms.OfProcess;

    /// <summary>Whether default times are stretched as with a debugger; for tests.</summary>
    internal bool IsDebugged { get; set; } = System.Diagnostics.Debugger.IsAttached;

    bool ILinkOptions.IsDebugged => IsDebugged;

    /// <summary>The clock behind deadlines and heartbeats.</summary>
    /// <value>Default: the system clock.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;
}

/// <summary>Which parts of an exception thrown by a service are sent to the caller.</summary>
public enum GlueExceptionDetail
{
    /// <summary>Type, message, fields of the type, causes, <see cref="Exception.Data"/> and stacks.</summary>
    Full,

    /// <summary>Type, message, fields of the type and causes, without stacks and <see cref="Exception.Data"/>. The
    /// default.</summary>
    WithoutStack,
}

/// <summary>How a call through the in-process binding passes arguments and results.</summary>
public enum GlueInProcessMode
{
    /// <summary>Objects are passed without a copy: caller and service share them. The default.</summary>
    ShareObjects,

    /// <summary>Objects are serialized and rebuilt as over a network: slower, but with the same effects.</summary>
    Serialize,
}

/// <summary>What a server does with the calls of a peer whose link was lost and not resumed in time.</summary>
public enum GlueLostLinkCalls
{
    /// <summary>Their cancellation tokens are cancelled: nobody waits for the results. The default.</summary>
    Cancel,

    /// <summary>They run until their end or deadline, for work that must not stop in the middle.</summary>
    RunOn,
}
