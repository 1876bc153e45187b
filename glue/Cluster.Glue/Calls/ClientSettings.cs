using Cluster.Contracts;
using Cluster.Glue.Hosting;
using Cluster.Glue.Observation;
using Cluster.Glue.Resilience;
using Cluster.Slim;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Cluster.Glue.Calls;

/// <summary>
/// The frozen copy of <see cref="GlueClientOptions"/>, and what all calls of a client count together. Immutable but for
/// that.
/// </summary>
internal sealed record ClientSettings
{
    public ClientSettings(GlueClientOptions options)
    {
        Transport = options.Transport;
        Deadline = Patient(options.DeadlineDefault, GlueLimits.DeadlineDefault);
        ConnectTimeout = Patient(options.ConnectTimeout, GlueLimits.ConnectTimeout);
        HeartbeatInterval = Patient(options.HeartbeatInterval, GlueLimits.HeartbeatInterval);
        ResumeWindow = Patient(options.ResumeWindow, GlueLimits.ResumeWindow);
        LinkAgeMax = options.LinkAgeMax;
        MessageBytesMax = options.MessageBytesMax;
        WindowBytes = options.WindowBytes;
        Compression = options.Compression;
        CallsInFlightMax = options.CallsInFlightMax;
        SendQueueBytesMax = options.SendQueueBytesMax;
        StreamWindowItems = options.StreamWindowItems;
        StreamWindowBytes = options.StreamWindowBytes;
        ReferencesMax = options.ReferencesMax;
        Node = options.Node ?? NodeId.NewIncarnation(Environment.MachineName);
        FlowsContext = options.FlowsContext;
        ConfigureTypes = options.ConfigureTypes;
        LoggerFactory = options.LoggerFactory ?? NullLoggerFactory.Instance;
        Metrics = GlueMetrics.Of(options.MeterFactory);
        Time = options.TimeProvider;
        Services = options.Services;
        Lines = new LineNumbers(options.Transport);
        RetryBudgets = new RetryBudgets(options.RetryBudgetRatio);
        Blocking = new BlockingCalls(options.BlockingCallsMax);

        // Nobody who steps through a method is to meet its deadline.
        TimeSpan Patient(TimeSpan time, TimeSpan byDefault)
            => DebuggerPatience.Stretch(time, byDefault, options.IsDebugged);
    }

    /// <summary>The same for the calls that a client serves: to objects that it passed to servers.</summary>
    public GlueServerOptions ToServerOptions() => new()
    {
        DeadlineDefault = Deadline,
        MessageBytesMax = MessageBytesMax,
        CallsInFlightMax = CallsInFlightMax,
        Node = Node,
        ConfigureTypes = ConfigureTypes,
        TimeProvider = Time,
    };

    public GlueTransport Transport { get; }

    public TimeSpan Deadline { get; }

    public TimeSpan ConnectTimeout { get; }

    public TimeSpan HeartbeatInterval { get; }

    public TimeSpan ResumeWindow { get; init; }

    public TimeSpan LinkAgeMax { get; }

    public int MessageBytesMax { get; }

    public int WindowBytes { get; }

    public GlueCompression Compression { get; }

    public int CallsInFlightMax { get; }

    public long SendQueueBytesMax { get; }

    public int StreamWindowItems { get; }

    public int StreamWindowBytes { get; }

    public int ReferencesMax { get; }

    public NodeId Node { get; }

    public bool FlowsContext { get; }

    public Action<SlimOptions>? ConfigureTypes { get; }

    public ILoggerFactory LoggerFactory { get; }

    public GlueMetrics Metrics { get; }

    public TimeProvider Time { get; }

    /// <summary>The container that the client is in; null: none.</summary>
    public IServiceProvider? Services { get; }

    /// <summary>Shared by all proxies of the client.</summary>
    public LineNumbers Lines { get; }

    /// <summary>Shared by all calls of the client, and counts, as the next one.</summary>
    public RetryBudgets RetryBudgets { get; }

    /// <summary>Shared by all calls of the client.</summary>
    public BlockingCalls Blocking { get; }
}
