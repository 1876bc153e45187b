using Cluster.Glue.Authorization;
using Cluster.Glue.Observation;
using Cluster.Glue.Resilience;
using Cluster.Glue.Scheduling;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Cluster.Glue.Settings;

/// <summary>The frozen copy of <see cref="GlueClientOptions"/>, and the counters that all calls of a client share.
/// Immutable but for these.</summary>
internal sealed record ClientSettings : EndSettings
{
    public ClientSettings(GlueClientOptions options)
        : base(options)
    {
        Transport = options.Transport;
        ConnectTimeout = DebuggerTimeouts.Stretch(
            options.ConnectTimeout, GlueLimits.ConnectTimeout, options.IsDebugged);
        MaxLinkAge = options.MaxLinkAge;
        Detour = options.Detour;
        FlowsContext = options.FlowsContext;
        LoggerFactory = options.LoggerFactory ?? NullLoggerFactory.Instance;
        Metrics = GlueMetrics.Of(options.MeterFactory);
        Services = options.Services;
        Tokens = new TokenSource(options.AccessTokenProvider, options.AllowInsecure);
        Lines = new LineNumbers(options.Transport);
        RetryBudgets = new RetryBudgets(options.RetryBudgetRatio);
        Blocking = new BlockingCalls(options.MaxBlockingCalls, options.TimeProvider);
    }

    /// <summary>The settings as server options, for the calls that a client serves: those to objects that it passed to
    /// servers.</summary>
    public GlueServerOptions ToServerOptions() => new()
    {
        DefaultDeadline = Deadline,
        MaxMessageBytes = MaxMessageBytes,
        MaxCallsInFlight = MaxCallsInFlight,
        Node = Node,
        ConfigureTypes = ConfigureTypes,
        TimeProvider = Time,
    };

    public GlueTransport Transport { get; }

    public TimeSpan ConnectTimeout { get; }

    public TimeSpan MaxLinkAge { get; }

    public bool FlowsContext { get; }

    /// <summary>Where a connection goes instead of the given place; null: there.</summary>
    public Func<DnsEndPoint, DnsEndPoint>? Detour { get; }

    public ILoggerFactory LoggerFactory { get; }

    public GlueMetrics Metrics { get; }

    /// <summary>The bearer tokens of its calls.</summary>
    public TokenSource Tokens { get; }

    /// <summary>The container of the client; null: none.</summary>
    public IServiceProvider? Services { get; }

    /// <summary>The queue numbers, shared by all proxies of the client.</summary>
    public LineNumbers Lines { get; }

    /// <summary>The retry budgets, shared by all calls of the client.</summary>
    public RetryBudgets RetryBudgets { get; }

    /// <summary>The count of blocking calls, shared by all calls of the client.</summary>
    public BlockingCalls Blocking { get; }
}
