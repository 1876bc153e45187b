using Cluster.Glue.Wire;

namespace Cluster.Glue.Observation;

/// <summary>What is observed of one call on one side: its span, its time and its outcome. Exists only where somebody
/// listens when the call begins, so that other calls cost a look. All attempts of a logical call share one object. The
/// owner of the call ends it once; several threads may note attempts.</summary>
internal sealed class CallObservation
{
    private static readonly ActivitySource Source = new(RpcNames.Source);

    private readonly CallInstruments _instruments;
    private readonly string _method;
    private readonly TimeProvider _time;
    private readonly long _beganAt;
    private int _attempts;

    private CallObservation(CallInstruments instruments, string method, TimeProvider time, ActivityContext parent)
    {
        (_instruments, _method, _time) = (instruments, method, time);
        _beganAt = time.GetTimestamp();
        Span = StartSpan(method, instruments.Kind, parent);
        instruments.CountBegin(method);
    }

    /// <summary>The span of the call; null: nobody listens to spans, or the sampler has left it out.</summary>
    public Activity? Span { get; }

    /// <summary>Begins to observe a call; null, without allocation: nobody listens. The span does not become the
    /// current activity of the caller.</summary>
    /// <param name="instruments">The instruments of this side.</param>
    /// <param name="method">The name of the method for spans and metrics.</param>
    /// <param name="time">The clock.</param>
    /// <param name="headers">The headers that came with the call. Without a trace in them, the current activity is the
    /// parent.</param>
    public static CallObservation? Begin(
        CallInstruments instruments, string method, TimeProvider time, ReadOnlySpan<byte> headers = default) =>
        Source.HasListeners() || instruments.AreEnabled
            ? new CallObservation(instruments, method, time, headers.IsEmpty ? default : HeaderBlock.TraceIn(headers))
            : null;

    /// <summary>Starts the span of a stream's items, and makes it the current activity. Null: nobody listens.</summary>
    /// <param name="call">The activity in which the stream was handed out; null: none.</param>
    public static Activity? BeginStream(Activity? call) => call is null
        ? null
        : Source.StartActivity(RpcNames.StreamSpan, ActivityKind.Internal, call.Context);

    /// <summary>Notes that the method is about to run on this thread, and makes the span the current
    /// activity.</summary>
    public void EnterMethod()
    {
        _instruments.NoteQueueTime(_method, _time.GetElapsedTime(_beganAt));
        EnterSpan();
    }

    /// <summary>Makes the span the current activity.</summary>
    public void EnterSpan()
    {
        if (Span is not null)
            Activity.Current = Span;
    }

    /// <summary>Notes that the call is about to be sent to an address.</summary>
    public void NoteAttempt(string address)
    {
        var count = Interlocked.Increment(ref _attempts);
        if (count > 1)
            _instruments.CountRetry(_method);
        if (Span is not { IsAllDataRequested: true } span)
            return;
        var (host, port) = PlaceOf(address);
        span.SetTag(RpcNames.AddressTag, host);
        span.SetTag(RpcNames.PortTag, port);
        if (count == 1)
            return;
        span.SetTag(RpcNames.AttemptsTag, count);
        span.AddEvent(new ActivityEvent(
            RpcNames.AttemptEvent, tags: [new(RpcNames.AddressTag, host), new(RpcNames.PortTag, port)]));
    }

    /// <summary>Notes the bytes of the arguments and of the answer; null: there is none.</summary>
    public void NoteSizes(int request, int? response) => _instruments.NoteSizes(_method, request, response);

    /// <summary>Ends the call.</summary>
    /// <param name="failure">Why it failed; null: it succeeded.</param>
    public void End(Exception? failure)
    {
        var outcome = CallOutcome.Of(failure);
        _instruments.CountEnd(_method, _time.GetElapsedTime(_beganAt), outcome);
        if (Span is not { } span)
            return;
        if (outcome.Error is not null)
        {
            span.SetTag(RpcNames.ErrorTag, outcome.Error);
            span.SetTag(RpcNames.StatusTag, outcome.Status);
            span.SetStatus(ActivityStatusCode.Error);
        }

        var current = CurrentActivity.Keep();
        span.Stop();
        current.Restore();
    }

    // The peer of a callback has no address, only the words that describe it.
    private static (string? Host, int? Port) PlaceOf(string address) =>
        Uri.TryCreate(address, UriKind.Absolute, out var uri)
            ? (uri.Scheme == AddressScheme.Unix ? uri.AbsolutePath : uri.Host, uri.Port < 0 ? null : uri.Port)
            : (null, null);

    private static Activity? StartSpan(string method, ActivityKind kind, ActivityContext parent)
    {
        if (!Source.HasListeners())
            return null;
        var current = CurrentActivity.Keep();
        var span = Source.StartActivity(
            kind,
            parent,
            [new(RpcNames.SystemTag, RpcNames.System), new(RpcNames.MethodTag, method)],
            name: method);
        current.Restore();
        return span;
    }
}
