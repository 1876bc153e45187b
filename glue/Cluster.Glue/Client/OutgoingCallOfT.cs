using System.Threading.Tasks.Sources;
using Cluster.Glue.Faults;
using Cluster.Glue.Observation;
using Cluster.Glue.References;
using Cluster.Glue.Routes;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Client;

/// <summary>A call with its result type. Completes a task or, without allocation, itself as the source of a ValueTask.
/// The result is rebuilt on the pool thread that then runs the caller's continuation, so that large results never delay
/// the link.</summary>
internal sealed class OutgoingCall<T>(ClientMethod<T> method)
    : OutgoingCall(method), IValueTaskSource<T>, IValueTaskSource
{
    private ManualResetValueTaskSourceCore<T> _source;
    private TaskCompletionSource<T>? _task;
    private T? _shared;

    /// <summary>Sends the call; used by proxies for methods that return Task or Task&lt;T&gt;.</summary>
    public Task<T> SendForTaskAsync(CancellationToken cancellationToken)
    {
        if (Route.Interceptor is not null)
            return InterceptAsync(cancellationToken);
        var task = new TaskCompletionSource<T>();
        _task = task;
        if (Start(cancellationToken))
            Conclude();
        return task.Task;
    }

    /// <summary>Sends the call; used by proxies for methods that return ValueTask&lt;T&gt;.</summary>
    public ValueTask<T> SendForValueTaskAsync(CancellationToken cancellationToken)
    {
        if (Route.Interceptor is not null)
            return new ValueTask<T>(InterceptAsync(cancellationToken));
        var version = _source.Version;
        if (Start(cancellationToken))
            Conclude();
        return new ValueTask<T>(this, version);
    }

    /// <summary>Sends the call; used by proxies for methods that return ValueTask.</summary>
    public ValueTask SendForPlainValueTaskAsync(CancellationToken cancellationToken)
    {
        if (Route.Interceptor is not null)
            return new ValueTask(InterceptAsync(cancellationToken));
        var version = _source.Version;
        if (Start(cancellationToken))
            Conclude();
        return new ValueTask(this, version);
    }

    /// <summary>Sends the call and blocks until it ends; used by proxies for synchronous methods.</summary>
    public T SendAndWait(CancellationToken cancellationToken)
    {
        var settings = Route.Settings;
        var (blocking, time) = (settings.Blocking, settings.Time);
        var now = time.GetTimestamp();
        LatestDeadline = CallDeadline.Next(settings, Route.DeadlineMax, now);
        var left = time.GetElapsedTime(now, LatestDeadline);
        var isEntered = false;
        try
        {
            isEntered = blocking.TryEnter(left > TimeSpan.Zero ? left : TimeSpan.Zero, cancellationToken);
        }
        finally
        {
            if (!isEntered)
                Recycle();
        }

        if (!isEntered)
        {
            var refusal = GlueErrors.BlockingCalls(Method.Contract, blocking.CountMax);
            CallObservation.Begin(settings.Metrics.Client, Method.Contract.RpcName, time)?.End(refusal);
            throw refusal;
        }

        try
        {
            return BlockingCalls.Wait(SendForTaskAsync(cancellationToken));
        }
        finally
        {
            blocking.Leave();
        }
    }

    /// <summary>Completes the call with an object of this process, without serialization.</summary>
    public void FinishShared(T result)
    {
        _shared = result;
        SignalShared();
    }

    public T GetResult(short token)
    {
        var isCurrent = token == _source.Version;
        try
        {
            return _source.GetResult(token);
        }
        finally
        {
            if (isCurrent)
                Recycle();
        }
    }

    void IValueTaskSource.GetResult(short token) => GetResult(token);

    public ValueTaskSourceStatus GetStatus(short token) => _source.GetStatus(token);

    public void OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);

    protected override void Conclude()
    {
        var failure = ReadOutcome(out var result);
        if (failure is not null && TryElsewhere(failure))
            return;
        if (Observation is { } observation)
            EndObservation(observation, failure);
        if (_task is { } task)
        {
            var token = Token;
            Recycle();
            Complete(task, result, failure, token);
        }
        else if (failure is not null)
        {
            _source.SetException(failure);
        }
        else
        {
            _source.SetResult(result!);
        }
    }

    private static void Complete(
        TaskCompletionSource<T> task, T? result, Exception? failure, CancellationToken cancellationToken)
    {
        if (failure is null)
            task.TrySetResult(result!);
        else if (failure is OperationCanceledException && cancellationToken.IsCancellationRequested)
            task.TrySetCanceled(cancellationToken);
        else
            task.TrySetException(failure);
    }

    private Exception? ReadOutcome(out T? result)
    {
        result = default;
        switch (Outcome)
        {
            case EnvelopeKind.Reply when IsShared:
                result = _shared;
                return null;
            case EnvelopeKind.Reply:
                return ReadResult(out result);
            case EnvelopeKind.Fault:
                var fault = FaultCodec.Read(Answer, Method.Owner.Serializer, Method.Contract.DisplayName);
                return GlueErrors.WithCall(fault, Method.Contract, LastAddress ?? string.Empty);
            case EnvelopeKind.OneWay:
                return null;
            default:
                return Failure!;
        }
    }

    private Cluster.Contracts.GlueException? ReadResult(out T? result)
    {
        result = default;
        if (!Method.Contract.HasResult)
            return null;
        var serializer = Method.Owner.Serializer;
        try
        {
            result = IncomingReferences.ArePresent(Answer.Span) && AnswerReferences is { } table
                ? IncomingReferences.Read(Answer.Span, table, serializer).ReadMessage<T>(Answer)
                : serializer.Read<T>(Answer);
            return null;
        }
        catch (Exception exception)
        {
            return GlueErrors.ResultNotReadable(Method.Contract, exception);
        }
    }

    /// <summary>Gives back a call that was not sent.</summary>
    public void Abandon() => Recycle();

    private Task<T> InterceptAsync(CancellationToken cancellationToken) =>
        IsPart || BeginObservation() is not { } observation
            ? SendThroughAsync(cancellationToken)
            : ObserveAsync(observation, cancellationToken);

    private Task<T> SendThroughAsync(CancellationToken cancellationToken) =>
        Route.Interceptor!.SendAsync(this, ((InterceptedRoute)Route).Next, cancellationToken);

    // The interceptor gives this object back, and sends the call by other ones.
    private async Task<T> ObserveAsync(CallObservation observation, CancellationToken cancellationToken)
    {
        observation.EnterSpan();
        try
        {
            var result = await SendThroughAsync(cancellationToken).ConfigureAwait(false);
            observation.End(null);
            return result;
        }
        catch (Exception exception)
        {
            observation.End(exception);
            throw;
        }
    }

    private void Recycle()
    {
        _task = null;
        _shared = default;
        _source.Reset();
        Clear();
        ((ClientMethod<T>)Method).Recycle(this);
    }
}
