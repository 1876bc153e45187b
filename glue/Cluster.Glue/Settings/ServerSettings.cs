using Cluster.Glue.Signatures;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Settings;

/// <summary>The frozen copy of <see cref="GlueServerOptions"/>. Immutable.</summary>
internal sealed record ServerSettings : EndSettings
{
    public ServerSettings(GlueServerOptions options)
        : base(options)
    {
        ListenAddress = options.ListenAddress;
        PeerListenAddress = options.PeerListenAddress;
        InProcessName = options.InProcessName;
        InProcessMode = options.InProcessMode;
        ExceptionDetail = options.ExceptionDetail;
        HandshakeTimeout = DebuggerTimeouts.Stretch(
            options.HandshakeTimeout, GlueLimits.ConnectTimeout, options.IsDebugged);
        MaxUnauthenticatedConnections = options.MaxUnauthenticatedConnections;
        MaxHandshakesPerAddress = options.MaxHandshakesPerAddress;
        MaxHandshakesPerConnection = options.MaxHandshakesPerConnection;
        MaxConnections = options.MaxConnections;
        RequestReceiveTimeout = DebuggerTimeouts.Stretch(
            options.RequestReceiveTimeout, GlueLimits.RequestReceiveTimeout, options.IsDebugged);
        MaxReceivingBytesPerConnection = options.MaxReceivingBytesPerConnection;
        MaxReceivingBytes = options.MaxReceivingBytes;
        MaxQueuedOneWayCalls = options.MaxQueuedOneWayCalls;
        MaxQueueDelay = options.MaxQueueDelay;
        LostLinkCalls = options.LostLinkCalls;
        DrainTimeout = options.DrainTimeout;
        GenericForms = options.GenericForms;
        Filters = options.FilterOptions;
        InstanceIdleTimeout = options.InstanceIdleTimeout;
        InstanceLockTimeout = options.InstanceLockTimeout;
        MaxInstances = options.MaxInstances;
    }

    /// <summary>The settings as client options, for the calls that a server makes: those to objects of its
    /// clients.</summary>
    public GlueClientOptions ToClientOptions(ILoggerFactory loggerFactory) => new()
    {
        DefaultDeadline = Deadline,
        MaxMessageBytes = MaxMessageBytes,
        MaxCallsInFlight = MaxCallsInFlight,
        Node = Node,
        ConfigureTypes = ConfigureTypes,
        LoggerFactory = loggerFactory,
        TimeProvider = Time,
    };

    public string? ListenAddress { get; }

    public string? PeerListenAddress { get; }

    public string? InProcessName { get; }

    public GlueInProcessMode InProcessMode { get; }

    public GlueExceptionDetail ExceptionDetail { get; }

    public TimeSpan HandshakeTimeout { get; }

    public int MaxUnauthenticatedConnections { get; }

    public int MaxHandshakesPerAddress { get; }

    public int MaxHandshakesPerConnection { get; }

    public int MaxConnections { get; }

    public TimeSpan RequestReceiveTimeout { get; }

    public long MaxReceivingBytesPerConnection { get; }

    public long MaxReceivingBytes { get; }

    public int MaxQueuedOneWayCalls { get; }

    public TimeSpan MaxQueueDelay { get; }

    public GlueLostLinkCalls LostLinkCalls { get; }

    public TimeSpan DrainTimeout { get; }

    public TimeSpan InstanceIdleTimeout { get; }

    public TimeSpan InstanceLockTimeout { get; }

    public int MaxInstances { get; }

    /// <summary>The filters; read once, when the server is created.</summary>
    public FilterOptions Filters { get; }

    /// <summary>The closed generic methods, shared with the other servers of the process; protects itself.</summary>
    public GenericForms GenericForms { get; }
}
