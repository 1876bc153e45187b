using Cluster.Glue.Faults;
using Cluster.Glue.Observation;
using Cluster.Glue.References;
using Cluster.Glue.Routes;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Substreams;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Client;

/// <summary>One call on the caller's side, from its first argument to its result. An emitted proxy begins and writes it
/// on the caller's thread; the thread that removed it from its link's pending table finishes it once. It is concluded,
/// and then reused, when it is finished and no thread sends it any more: an atomic count finds the last
/// thread.</summary>
internal abstract class OutgoingCall(ClientMethod method) : IThreadPoolWorkItem, IArgumentWriter
{
    private const int Unfinished = 1;
    private const int OneSender = 2;

    // Many answers arrive in one batch, and each is kept until its caller goes on. The shared pool keeps few arrays of
    // a size: with 256 callers, answers that did not fit here made it allocate 600 bytes for a read of 200 bytes.
    private const int AnswerBytes = 512;

    private readonly OutgoingArguments _arguments = new(method);
    private readonly WireBuffer _answer = new(AnswerBytes, int.MaxValue);
    private GlueHeaderScope? _headerScope;
    private CancellationTokenRegistration _registration;
    private CallCarriage _carriage;
    private List<string>? _excluded;
    private bool _isFinal;
    private bool _isPart;
    private long _startedAt;
    private int _state;

    public ClientMethod Method { get; } = method;

    /// <summary>The serialized arguments; kept until the call ends, because it may be sent again elsewhere.</summary>
    public ReadOnlySpan<byte> Arguments => _arguments.Bytes;

    /// <summary>The serialized arguments, with bytes that the caller lends in their place.</summary>
    public EnvelopeBody Body => _arguments.Body;

    /// <summary>The number of bytes of the serialized arguments.</summary>
    public int ArgumentBytes => _arguments.Count;

    /// <summary>Objects and streams among the arguments; null without any.</summary>
    public OutgoingReferences? References => _arguments.References;

    /// <summary>Whether arguments or result may be passed by reference, which needs a link.</summary>
    public bool NeedsLink => References is not null || Method.ReturnsReferences;

    /// <summary>The first argument where the route shares objects.</summary>
    public ArgumentBox? FirstBox => _arguments.FirstBox;

    /// <summary>Whether nothing was serialized, because the route shares objects.</summary>
    public bool IsShared => _arguments.IsShared;

    /// <summary>The header block of the call; empty for none.</summary>
    public ReadOnlyMemory<byte> Headers { get; set; }

    /// <summary>When the call's time is over, as a timestamp of the client's clock.</summary>
    public long Deadline { get; private set; }

    /// <summary>The deadline that no attempt may exceed.</summary>
    protected long LatestDeadline { get; set; } = long.MaxValue;

    public CancellationToken Token { get; private set; }

    public CallRoute Route { get; private set; } = null!;

    /// <summary>What is observed of the logical call; null: nobody listens.</summary>
    public CallObservation? Observation { get; private set; }

    /// <summary>Whether the call is sent for another call object, which the caller waits for.</summary>
    protected bool IsPart => _isPart;

    /// <summary>The references of the link that carried the call; null where there are none.</summary>
    protected ReferenceTable? AnswerReferences => _carriage.Carrier?.References;

    protected EnvelopeKind Outcome { get; private set; }

    protected Exception? Failure { get; private set; }

    protected string? LastAddress { get; private set; }

    protected ReadOnlyMemory<byte> Answer => _answer.WrittenMemory;

    public TimeSpan Remaining =>
        Route.Settings.Time.GetElapsedTime(Route.Settings.Time.GetTimestamp(), Deadline);

    /// <summary>The time of the latest <see cref="NoteTime"/>, as a timestamp of the client's clock.</summary>
    public long StartedAt => _startedAt;

    /// <summary>The time left at the latest <see cref="NoteTime"/>, which is the begin of the call as a rule.</summary>
    public TimeSpan RemainingAtStart => Route.Settings.Time.GetElapsedTime(_startedAt, Deadline);

    public void Begin(CallRoute route)
    {
        Route = route;
        _arguments.Begin(route.SharesObjects, route.Settings.MaxMessageBytes);
    }

    /// <summary>Takes one argument. Never throws: a failure fails the call, so that emitted code needs no
    /// handlers.</summary>
    public void Write<T>(T argument) => _arguments.Write(argument);

    /// <summary>Takes the arguments out, for several attempts at this call.</summary>
    /// <exception cref="GlueException">They could not be serialized.</exception>
    public CallArguments TakeArguments() => _arguments.Take();

    /// <summary>Makes the call a part of a logical call, which is observed as a whole.</summary>
    /// <param name="observation">What is observed of the logical call; null: nobody listens.</param>
    public void BecomePartOf(CallObservation? observation) => (_isPart, Observation) = (true, observation);

    /// <summary>Takes over arguments instead of writing them.</summary>
    public void SetArguments(CallArguments arguments) => _arguments.Set(arguments);

    /// <summary>Writes the arguments again with descriptions of their types, for a server of another build; called
    /// before the call is sent. False: that failed, and the call is finished.</summary>
    public bool TryDescribe()
    {
        if (_arguments.TryDescribe())
            return true;
        FinishFinally(_arguments.Failure!);
        return false;
    }

    /// <summary>Whether the arguments fit a message of a carrier. False: the call is finished with a failure.</summary>
    public bool TryFit(int maxMessageBytes, int headBytes)
    {
        var size = ArgumentBytes;
        if (size <= maxMessageBytes - headBytes)
            return true;
        FinishWithFailure(GlueErrors.ArgumentsTooLarge(Method.Contract, size, maxMessageBytes));
        return false;
    }

    /// <summary>Reads the clock once before the call is sent, because that takes longer than most other
    /// steps.</summary>
    public void NoteTime() => _startedAt = Route.Settings.Time.GetTimestamp();

    /// <summary>Notes that a thread other than the caller's sends the call. The call is not reused until that thread is
    /// through, even if it ends before.</summary>
    public void BeginSending() => Interlocked.Add(ref _state, OneSender);

    public void EndSending()
    {
        if (Interlocked.Add(ref _state, -OneSender) == 0)
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: true);
    }

    /// <summary>Exports the references among the arguments over a link. False: that failed, and the call with
    /// it.</summary>
    public bool TryBindReferences(ReferenceTable table)
    {
        if (References is null || References.IsBoundTo(table))
            return true;
        try
        {
            _arguments.Bind(References, table);
            return true;
        }
        catch (Exception exception)
        {
            FinishWithFailure(exception as GlueException ?? GlueErrors.FromWriting(Method.Contract, exception));
            return false;
        }
    }

    /// <summary>The carrier and place of the call; the carrier sets it before the call can be answered.</summary>
    public ref CallCarriage Carriage => ref _carriage;

    /// <summary>Notes that a carrier is about to send the call, and may answer it at once.</summary>
    public void NoteSending(ICallCanceller carrier)
    {
        _carriage.Begin(carrier);
        References?.NoteSent();
    }

    /// <summary>Notes that the call is queued with this id. It can be cancelled from now on, and may have been
    /// cancelled before.</summary>
    public void NoteQueued(ulong callId, in QueuedPlace place)
    {
        _carriage.NoteQueued(callId, place);
        CheckCancelled();
    }

    /// <summary>The arguments for a sender that may read them after the call has ended; the sender releases
    /// them.</summary>
    public PooledBytes ShareArguments() => _arguments.Share();

    /// <summary>Handles a cancellation that came before the call was queued; called after the call was sent.</summary>
    public void CheckCancelled()
    {
        if (!Token.CanBeCanceled)
            return;
        Interlocked.MemoryBarrier();
        if (Token.IsCancellationRequested)
            OnCancelled();
    }

    /// <summary>Ends the call with its answer.</summary>
    /// <param name="kind">Reply or Fault.</param>
    /// <param name="body">The answer; it is copied.</param>
    /// <param name="own">The answer in an array to take over instead of the copy; null: there is none.</param>
    /// <param name="run">The run on which the caller continues in its turn; null: anywhere on the pool.</param>
    public void FinishWithAnswer(
        EnvelopeKind kind, ReadOnlySpan<byte> body, PooledBytes? own = null, PoolRun? run = null)
    {
        if (TakeAnswer(kind, body, own))
            Queue(run);
    }

    /// <summary>Ends the call with its answer like <see cref="FinishWithAnswer"/>, but queues nothing. True: the
    /// calling thread, a pool thread with no other work, must run <see cref="Execute"/>.</summary>
    public bool TakeAnswer(EnvelopeKind kind, ReadOnlySpan<byte> body, PooledBytes? own = null)
    {
        _answer.Reset();
        if (own is null)
            _answer.WriteBytes(body);
        else
            _answer.Adopt(own);
        Outcome = kind;
        return EndUnfinished();
    }

    /// <summary>Takes the headers of the answer before the answer itself, for a caller that may want them.</summary>
    public void SetReplyHeaders(ReadOnlySpan<byte> headers)
    {
        if (_headerScope is { } scope)
            scope.Reply = GlueHeaders.Read(headers);
    }

    public void FinishWithoutAnswer()
    {
        Outcome = EnvelopeKind.OneWay;
        Signal();
    }

    public void FinishWithFailure(Exception failure)
    {
        Failure = failure;
        Outcome = EnvelopeKind.None;
        Signal();
    }

    public void Execute() => Conclude();

    /// <summary>Builds the result from the answer and completes the caller's task.</summary>
    protected abstract void Conclude();

    protected void SignalShared()
    {
        Outcome = EnvelopeKind.Reply;
        Signal();
    }

    /// <summary>Begins to observe the call if somebody listens.</summary>
    protected CallObservation? BeginObservation() => Observation = CallObservation.Begin(
        Route.Settings.Metrics.Client, Method.Contract.RpcName, Route.Settings.Time);

    /// <summary>Ends what is observed of the call, before its caller goes on.</summary>
    protected void EndObservation(CallObservation observation, Exception? failure)
    {
        if (!IsShared && Outcome != EnvelopeKind.None)
            observation.NoteSizes(ArgumentBytes, Outcome == EnvelopeKind.OneWay ? null : Answer.Length);
        if (!_isPart)
            observation.End(failure);
    }

    /// <summary>Sends the call. True: it is finished already, and the caller's thread must conclude it.</summary>
    protected bool Start(CancellationToken cancellationToken)
    {
        _state = Unfinished + OneSender;
        Token = cancellationToken;
        _arguments.Complete();
        if (_isPart || BeginObservation() is not { Span: not null } observation)
            TrySend();
        else
            TrySendIn(observation);
        if (cancellationToken.CanBeCanceled && (Volatile.Read(ref _state) & Unfinished) != 0)
            _registration = cancellationToken.UnsafeRegister(static call => ((OutgoingCall)call!).OnCancelled(), this);
        return Interlocked.Add(ref _state, -OneSender) == 0;
    }

    /// <summary>Sends the call to another endpoint if its failure allows that.</summary>
    protected bool TryElsewhere(Exception failure)
    {
        if (_isFinal || !Route.HasAlternatives)
            return false;
        if (failure is not GlueException error || !GlueErrors.MayTryElsewhere(error))
            return false;
        if ((_excluded?.Count ?? 0) >= GlueLimits.AttemptsMax)
            return false;
        Volatile.Write(ref _state, Unfinished);
        Failure = null;
        _ = StartWaitingAsync(null, error);
        return true;
    }

    /// <summary>Resets the object for another call.</summary>
    protected void Clear()
    {
        // Waits for a cancellation callback that runs on another thread: it must not meet the next call.
        _registration.Dispose();
        _registration = default;
        _carriage = default;
        LatestDeadline = long.MaxValue;
        _excluded = null;
        _isFinal = false;
        _isPart = false;
        Observation = null;
        Failure = null;
        Token = default;
        _arguments.Reset();
        _answer.Reset();
    }

    private void Signal()
    {
        if (EndUnfinished())
            Queue(null);
    }

    private void Queue(PoolRun? run)
    {
        if (run is null)
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: true);
        else
            run.Add(this);
    }

    // False: a thread still sends the call. That thread then concludes it.
    private bool EndUnfinished() => Interlocked.And(ref _state, ~Unfinished) == Unfinished;

    // What the transport does for the call belongs to its span, and the headers name it.
    private void TrySendIn(CallObservation observation)
    {
        var current = CurrentActivity.Keep();
        observation.EnterSpan();
        TrySend();
        current.Restore();
    }

    private void TrySend()
    {
        if (_arguments.Failure is { } failure)
        {
            FinishFinally(failure);
            return;
        }

        if (Token.IsCancellationRequested)
        {
            FinishFinally(new OperationCanceledException(Token));
            return;
        }

        NoteTime();
        Deadline = Math.Min(LatestDeadline, CallDeadline.Next(Route.Settings, Route.DeadlineMax, _startedAt));
        try
        {
            // The check is the same for all channels, also where the call runs on this thread at once.
            if (Deadline <= _startedAt)
                throw GlueErrors.DeadlineBeforeSend(Method.Contract, null);
            Headers = CallHeaders.Of(Route, Method.Contract, out _headerScope);
            var channel = Select();
            if (channel?.TryStart(this) != StartResult.Started)
                _ = StartWaitingAsync(channel, null);
        }
        catch (Exception exception)
        {
            FinishFinally(exception);
        }
    }

    private async Task StartWaitingAsync(ICallChannel? channel, GlueException? earlier)
    {
        BeginSending();
        try
        {
            while (true)
            {
                if (earlier is not null)
                    (_excluded ??= []).Add(LastAddress ?? string.Empty);
                channel ??= Select() ?? throw earlier ?? GlueErrors.NoEndpoint(Method.Contract);
                try
                {
                    await channel.StartAsync(this).ConfigureAwait(false);
                    return;
                }
                catch (GlueException error) when (IsWorthAnotherTry(error))
                {
                    earlier = error;
                    channel = null;
                }
            }
        }
        catch (Exception exception)
        {
            FinishFinally(exception);
        }
        finally
        {
            EndSending();
        }
    }

    private bool IsWorthAnotherTry(GlueException error) =>
        Route.HasAlternatives
            && GlueErrors.MayTryElsewhere(error)
            && (_excluded?.Count ?? 0) < GlueLimits.AttemptsMax
            && Remaining > TimeSpan.Zero;

    private void FinishFinally(Exception failure)
    {
        _isFinal = true;
        FinishWithFailure(failure);
    }

    private ICallChannel? Select()
    {
        var channel = Route.Select(_excluded ?? (IReadOnlyCollection<string>)[]);
        LastAddress = channel?.Address;
        if (channel is not null)
            Observation?.NoteAttempt(channel.Address);
        return channel;
    }

    private void OnCancelled()
    {
        if (_carriage.TryCancel(this))
            FinishFinally(new OperationCanceledException(Token));
    }
}
