using Cluster.Contracts;
using Cluster.Glue.Filters;
using Cluster.Glue.Hosting;
using Cluster.Slim;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Serving;

/// <summary>The frozen copy of <see cref="GlueServerOptions"/>. Immutable.</summary>
internal sealed record ServerSettings
{
    public ServerSettings(GlueServerOptions options)
    {
        ListenAddress = options.ListenAddress;
        InProcessName = options.InProcessName;
        InProcessMode = options.InProcessMode;
        ExceptionDetail = options.ExceptionDetail;
        Deadline = Patient(options.DeadlineDefault, GlueLimits.DeadlineDefault);
        HandshakeTimeout = Patient(options.HandshakeTimeout, GlueLimits.ConnectTimeout);
        UnauthenticatedConnectionsMax = options.UnauthenticatedConnectionsMax;
        QueueDelayMax = options.QueueDelayMax;
        LostLinkCalls = options.LostLinkCalls;
        HeartbeatInterval = Patient(options.HeartbeatInterval, GlueLimits.HeartbeatInterval);
        ResumeWindow = Patient(options.ResumeWindow, GlueLimits.ResumeWindow);
        DrainTimeout = options.DrainTimeout;
        MessageBytesMax = options.MessageBytesMax;
        WindowBytes = options.WindowBytes;
        Compression = options.Compression;
        CallsInFlightMax = options.CallsInFlightMax;
        SendQueueBytesMax = options.SendQueueBytesMax;
        StreamWindowItems = options.StreamWindowItems;
        StreamWindowBytes = options.StreamWindowBytes;
        ReferencesMax = options.ReferencesMax;
        Node = options.Node ?? NodeId.NewIncarnation(Environment.MachineName);
        ConfigureTypes = options.ConfigureTypes;
        GenericForms = options.GenericForms;
        Filters = options.FilterOptions;
        InstanceIdleTimeout = options.InstanceIdleTimeout;
        InstanceLockTimeout = options.InstanceLockTimeout;
        InstancesMax = options.InstancesMax;
        Time = options.TimeProvider;

        // Nobody who steps through a method is to meet its deadline.
        TimeSpan Patient(TimeSpan time, TimeSpan byDefault)
            => DebuggerPatience.Stretch(time, byDefault, options.IsDebugged);
    }

    /// <summary>The same for the calls that a server makes: to objects of its clients.</summary>
    public GlueClientOptions ToClientOptions(ILoggerFactory loggerFactory) => new()
    {
        DeadlineDefault = Deadline,
        MessageBytesMax = MessageBytesMax,
        CallsInFlightMax = CallsInFlightMax,
        Node = Node,
        ConfigureTypes = ConfigureTypes,
        LoggerFactory = loggerFactory,
        TimeProvider = Time,
    };

    public string? ListenAddress { get; }

    public string? InProcessName { get; }

    public GlueInProcessMode InProcessMode { get; }

    public GlueExceptionDetail ExceptionDetail { get; }

    public TimeSpan Deadline { get; }

    public TimeSpan HandshakeTimeout { get; }

    public int UnauthenticatedConnectionsMax { get; }

    public TimeSpan QueueDelayMax { get; }

    public GlueLostLinkCalls LostLinkCalls { get; }

    public TimeSpan HeartbeatInterval { get; }

    public TimeSpan ResumeWindow { get; }

    public TimeSpan DrainTimeout { get; }

    public int MessageBytesMax { get; }

    public int WindowBytes { get; }

    public GlueCompression Compression { get; }

    public int CallsInFlightMax { get; }

    public long SendQueueBytesMax { get; }

    public int StreamWindowItems { get; }

    public int StreamWindowBytes { get; }

    public int ReferencesMax { get; }

    public NodeId Node { get; }

    public Action<SlimOptions>? ConfigureTypes { get; }

    public TimeSpan InstanceIdleTimeout { get; }

    public TimeSpan InstanceLockTimeout { get; }

    public int InstancesMax { get; }

    /// <summary>Read once, when the server is made.</summary>
    public FilterOptions Filters { get; }

    /// <summary>Shared with the other servers of the process; protects itself.</summary>
    public GenericForms GenericForms { get; }

    public TimeProvider Time { get; }
}
