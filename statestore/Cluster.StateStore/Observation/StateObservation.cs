using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Observation;

/// <summary>What is observed of one operation at its caller, or of one request at its owner: span, time and outcome.
/// Exists only while somebody listens when it begins. Used by the one logical thread of the operation, which ends it
/// once.</summary>
internal sealed class StateObservation
{
    private static readonly ActivitySource Source = new(StateNames.Source);
    private static readonly string[] Verbs =
        [StateNames.Other, "get", "put", "put_if_version", "remove", "touch", "update", "scan", "load"];

    private readonly StateInstruments _instruments;
    private readonly TimeProvider _time;
    private readonly string _state;
    private readonly string _verb;
    private readonly long _beganAt;
    private readonly Activity? _span;
    private int _attempts = 1;
    private string? _error;

    private StateObservation(StateInstruments instruments, TimeProvider time, string state, StateVerb verb)
    {
        (_instruments, _time, _state) = (instruments, time, state);
        _verb = (uint)verb < (uint)Verbs.Length ? Verbs[(int)verb] : StateNames.Other;
        _beganAt = time.GetTimestamp();
        if (Source.HasListeners())
        {
            _span = Source.StartActivity(
                instruments.Kind,
                tags: [new(StateNames.StateTag, state), new(StateNames.VerbTag, _verb)],
                name: $"{_verb} {state}");
        }
    }

    /// <summary>Whether somebody listens.</summary>
    public static bool IsWanted(StateInstruments instruments) => Source.HasListeners() || instruments.AreEnabled;

    /// <summary>Begins. The span becomes the current activity of the calling method, which must be asynchronous and
    /// lasts until the end.</summary>
    public static StateObservation Begin(
        StateInstruments instruments, TimeProvider time, string state, StateVerb verb) =>
        new(instruments, time, state, verb);

    /// <summary>Notes into how many partitions the keys of the cluster are divided.</summary>
    public void NotePartitionCount(int count) => _span?.SetTag(StateNames.PartitionCountTag, count);

    /// <summary>Notes that the operation is tried again.</summary>
    public void NoteRetry()
    {
        _attempts++;
        _instruments.CountRetry(_state, _verb);
        if (_span is not { IsAllDataRequested: true })
            return;
        _span.SetTag(StateNames.AttemptsTag, _attempts);
        _span.AddEvent(new ActivityEvent(StateNames.AttemptEvent));
    }

    /// <summary>Notes what an owner has answered. Another answer may follow.</summary>
    public void NoteAnswer(StateReplyStatus status) =>
        _error = status is StateReplyStatus.Done or StateReplyStatus.NotFound or StateReplyStatus.Loading
            ? null
            : status.ToString();

    /// <summary>Ends.</summary>
    /// <param name="failure">Why it failed; null: it did not, unless the last answer says so.</param>
    public void End(Exception? failure)
    {
        var error = failure is null ? _error : failure is OperationCanceledException
            ? typeof(OperationCanceledException).FullName
            : failure.GetType().FullName;
        var outcome = failure switch
        {
            OperationCanceledException => StateNames.Cancelled,
            StateOutcomeUnknownException => StateNames.Unknown,
            _ => error is null ? StateNames.Ok : StateNames.Failed,
        };
        _instruments.NoteEnd(_time.GetElapsedTime(_beganAt), _state, _verb, error, outcome);
        if (error is not null)
        {
            _span?.SetTag(StateNames.ErrorTag, error);
            _span?.SetStatus(ActivityStatusCode.Error);
        }

        _span?.Stop();
    }
}
