using System.Diagnostics.Metrics;

namespace Cluster.StateStore.Observation;

/// <summary>The instruments of one side: of the operations of this process, or of the requests that a node serves.
/// Instruments protect themselves.</summary>
internal sealed class StateInstruments
{
    private static readonly Meter Process = new(StateNames.Source);

    private readonly Histogram<double> _duration;
    private readonly Counter<long>? _retries;

    private StateInstruments(IMeterFactory? meters, ActivityKind kind)
    {
        Kind = kind;
        var meter = meters?.Create(StateNames.Source) ?? Process;
        var isClient = kind == ActivityKind.Client;
        _duration = meter.CreateHistogram(
            isClient ? StateNames.OperationDuration : StateNames.RequestDuration,
            "s",
            isClient
                ? "Time of the operations of this process, all attempts together"
                : "Time in which the owner served the requests of other processes",
            advice: new InstrumentAdvice<double> { HistogramBucketBoundaries = StateNames.DurationBuckets });
        if (isClient)
        {
            _retries = meter.CreateCounter<long>(
                StateNames.OperationRetries, "{attempt}", "Attempts at operations after the first one");
        }
    }

    /// <summary>The kind of the spans of this side.</summary>
    public ActivityKind Kind { get; }

    /// <summary>Whether somebody listens to any of them.</summary>
    public bool AreEnabled => _duration.Enabled || _retries is { Enabled: true };

    /// <summary>The instruments of operations, from a factory or, with null, from the process.</summary>
    public static StateInstruments OfOperations(IMeterFactory? meters) => new(meters, ActivityKind.Client);

    /// <summary>The instruments of served requests, from a factory or, with null, from the process.</summary>
    public static StateInstruments OfRequests(IMeterFactory? meters) => new(meters, ActivityKind.Server);

    public void CountRetry(string state, string verb) => _retries?.Add(1, TagsOf(state, verb));

    public void NoteEnd(TimeSpan time, string state, string verb, string? error, string outcome)
    {
        var tags = TagsOf(state, verb);
        tags.Add(StateNames.OutcomeTag, outcome);
        if (error is not null)
            tags.Add(StateNames.ErrorTag, error);
        _duration.Record(time.TotalSeconds, tags);
    }

    private static TagList TagsOf(string state, string verb) =>
        new() { { StateNames.StateTag, state }, { StateNames.VerbTag, verb } };
}
