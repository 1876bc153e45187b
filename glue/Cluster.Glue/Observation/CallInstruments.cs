using System.Diagnostics.Metrics;

namespace Cluster.Glue.Observation;

/// <summary>The instruments for the calls of one side, client or server. Each call that is counted as started is
/// counted as ended once. Instruments protect themselves.</summary>
internal sealed class CallInstruments
{
    private readonly Histogram<double> _duration;
    private readonly Counter<long> _started;
    private readonly Counter<long> _ended;
    private readonly UpDownCounter<long> _active;
    private readonly Histogram<long> _requestSize;
    private readonly Histogram<long> _responseSize;
    private readonly Counter<long>? _retries;
    private readonly Histogram<double>? _queueTime;

    private CallInstruments(Meter meter, ActivityKind kind)
    {
        Kind = kind;
        var isClient = kind == ActivityKind.Client;
        _duration = CreateTime(
            meter, isClient ? RpcNames.ClientDuration : RpcNames.ServerDuration,
            isClient ? "Time from the begin of a call to its result" : "Time from the arrival of a call to its answer");
        _started = meter.CreateCounter<long>(
            isClient ? RpcNames.ClientStarted : RpcNames.ServerStarted, "{call}", "Calls that have begun");
        _ended = meter.CreateCounter<long>(
            isClient ? RpcNames.ClientEnded : RpcNames.ServerEnded, "{call}", "Calls that have ended, by outcome");
        _active = meter.CreateUpDownCounter<long>(
            isClient ? RpcNames.ClientActive : RpcNames.ServerActive, "{call}", "Calls under way");
        _requestSize = CreateSize(
            meter, isClient ? RpcNames.ClientRequestSize : RpcNames.ServerRequestSize, "Serialized arguments");
        _responseSize = CreateSize(
            meter, isClient ? RpcNames.ClientResponseSize : RpcNames.ServerResponseSize, "Serialized answers");
        if (isClient)
            _retries = meter.CreateCounter<long>(RpcNames.ClientRetries, "{attempt}", "Calls that were sent again");
        else
            _queueTime = CreateTime(meter, RpcNames.ServerQueueTime, "Time from the arrival of a call to its method");
    }

    /// <summary>The kind of the spans of this side.</summary>
    public ActivityKind Kind { get; }

    /// <summary>Whether somebody listens to any of them.</summary>
    public bool AreEnabled =>
        _duration.Enabled || _started.Enabled || _ended.Enabled || _active.Enabled || _requestSize.Enabled
            || _responseSize.Enabled || _retries is { Enabled: true } || _queueTime is { Enabled: true };

    public static CallInstruments OfClient(Meter meter) => new(meter, ActivityKind.Client);

    public static CallInstruments OfServer(Meter meter) => new(meter, ActivityKind.Server);

    public void CountBegin(string method)
    {
        var tags = TagsOf(method);
        _started.Add(1, tags);
        _active.Add(1, tags);
    }

    public void CountEnd(string method, TimeSpan time, CallOutcome outcome)
    {
        var tags = TagsOf(method);
        _active.Add(-1, tags);
        var ended = tags;
        ended.Add(RpcNames.OutcomeTag, outcome.Outcome);
        _ended.Add(1, ended);
        if (outcome.Error is not null)
            tags.Add(RpcNames.ErrorTag, outcome.Error);
        if (outcome.Status is not null)
            tags.Add(RpcNames.StatusTag, outcome.Status);
        _duration.Record(time.TotalSeconds, tags);
    }

    public void CountRetry(string method) => _retries?.Add(1, TagsOf(method));

    public void NoteSizes(string method, int request, int? response)
    {
        var tags = TagsOf(method);
        _requestSize.Record(request, tags);
        if (response is { } size)
            _responseSize.Record(size, tags);
    }

    public void NoteQueueTime(string method, TimeSpan time) => _queueTime?.Record(time.TotalSeconds, TagsOf(method));

    private static TagList TagsOf(string method) =>
        new() { { RpcNames.SystemTag, RpcNames.System }, { RpcNames.MethodTag, method } };

    private static Histogram<double> CreateTime(Meter meter, string name, string what) => meter.CreateHistogram(
        name, "s", what, advice: new InstrumentAdvice<double> { HistogramBucketBoundaries = RpcNames.DurationBuckets });

    private static Histogram<long> CreateSize(Meter meter, string name, string what) => meter.CreateHistogram(
        name, "By", what, advice: new InstrumentAdvice<long> { HistogramBucketBoundaries = RpcNames.SizeBuckets });
}
