using Cluster.Glue.Authorization;
using Cluster.Glue.Catalog;
using Cluster.Glue.Client;
using Cluster.Glue.Faults;
using Cluster.Glue.Filters;
using Cluster.Glue.Observation;
using Cluster.Glue.Signatures;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Serving;

/// <summary>One served call, from its arguments to its answer. Runs on a pool thread, or on the caller's thread when
/// the caller is in this process. Pooled; owned by one logical thread at a time, which moves with the awaits of the
/// method.</summary>
internal sealed class IncomingCall(IncomingCalls calls) : IThreadPoolWorkItem
{
    private readonly IncomingArguments _arguments = new();
    private readonly CallAnswer _answer = new(calls.Log, calls.Settings.ExceptionDetail);
    private ServedMethod _method = null!;
    private IReplySink _sink = null!;
    private ServiceInstance _instance;
    private OutgoingCall? _sharedWith;
    private StatefulInstance? _stateful;
    private IncomingCallContext? _filtered;
    private CallObservation? _observation;
    private Exception? _refusal;
    private bool _isAdmitted;
    private bool _endsInstance;

    public ulong CallId { get; private set; }

    public bool IsOneWay { get; private set; }

    /// <summary>The line of the caller's proxy; 0: none.</summary>
    public ulong Line { get; set; }

    public GlueCall Context { get; private set; } = null!;

    /// <summary>The called object, if it was passed by reference; null: the service.</summary>
    public object? Callee { get; set; }

    /// <summary>When the call arrived, as a timestamp, if it may wait before it runs.</summary>
    public long ArrivedAt { get; set; }

    /// <summary>The next call in the bucket of <see cref="RunningCalls"/>, protected by the lock of that
    /// table.</summary>
    public IncomingCall? NextRunning { get; set; }

    /// <summary>The previous call in the same bucket.</summary>
    public IncomingCall? PreviousRunning { get; set; }

    public GlueBinding Binding => _sink.Binding;

    /// <summary>The contract and the method, for messages.</summary>
    public string MethodName => _method.Contract.DisplayName;

    /// <summary>When the call runs on the thread that reads its connection; null: never.</summary>
    public InlineRun? Inline => _method.Inline;

    /// <summary>Whether no authorization has to be awaited before the call runs.</summary>
    public bool IsAdmittedAtOnce =>
        _isAdmitted || calls.Admission.IsFree(_method.Access, Context)
            || CallAdmission.IsKnown(_method.Access, Context);

    /// <summary>Whether the call creates an instance of a stateful service.</summary>
    public bool IsConstructor => _method.Contract.IsConstructor;

    /// <summary>Whether the call goes to an instance of a stateful service.</summary>
    public bool HasInstance => _method.Owner.Instances is not null;

    /// <summary>The instance of a stateful service to which the call goes.</summary>
    public GlueInstance Target => Context.Received is { } headers ? CallHeaders.InstanceIn(headers) : default;

    /// <summary>For emitted code: the token for a method that has a token parameter.</summary>
    public CancellationToken Token => Context.CancellationToken;

    public void Begin(IReplySink sink, ServedMethod method, ulong callId, bool isOneWay, long deadline)
    {
        _sink = sink;
        _method = method;
        _arguments.Begin(method.Owner.Serializer);
        _answer.Begin(method);
        CallId = callId;
        IsOneWay = isOneWay;
        Context = new GlueCall(calls.Settings.Time, deadline, sink.Peer)
        {
            IsFromPeer = sink.IsPeer,
            Identity = sink.Caller,
        };
    }

    /// <summary>Copies the arguments, or takes over the array if the body has one for itself.</summary>
    public void SetArguments(ReadOnlySpan<byte> body, PooledBytes? own = null) =>
        _arguments.Set(body, own);

    /// <summary>Reads the arguments where they have arrived, until the call has ended.</summary>
    public void LendArguments(ReadOnlyMemory<byte> body, IReceivedMessage batch) => _arguments.Lend(body, batch);

    /// <summary>Takes the arguments of a caller in this process without a copy. The result goes back without a copy,
    /// too.</summary>
    public void ShareWith(OutgoingCall call)
    {
        _sharedWith = call;
        _arguments.Set(call.FirstBox);
    }

    /// <summary>Copies the header block if there is one, and begins to observe the call if somebody listens: the trace
    /// of the caller is in the headers.</summary>
    public void SetHeaders(ReadOnlySpan<byte> headers)
    {
        if (!headers.IsEmpty)
            Context.Received = headers.ToArray();
        _observation = CallObservation.Begin(
            calls.Metrics.Server, _method.Contract.RpcName, calls.Settings.Time, headers);
    }

    /// <summary>Queues an arrived call to the pool, or puts it into the line of its instance.</summary>
    public void Schedule(bool preferLocal)
    {
        if (_method.Owner.Instances is { } instances)
            EnterAdmitted(instances);
        else
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal);
    }

    // Authorization comes before an instance is created, waited for, or kept alive.
    private void EnterAdmitted(InstanceTable instances)
    {
        if (calls.Admission.IsFree(_method.Access, Context))
        {
            instances.Enter(this);
            return;
        }

        _isAdmitted = true;
        _ = CallAdmission.WaitAsync(calls.Admission.DecideAsync(_method.Access, Context), Context, refusal =>
        {
            if (refusal is null)
                instances.Enter(this);
            else
                Refuse(refusal);
        });
    }

    /// <summary>The instance whose line holds the call; null: none.</summary>
    public void SetInstance(StatefulInstance? instance) => _stateful = instance;

    /// <summary>Fails the call on the pool instead of running it.</summary>
    public void Refuse(Exception refusal)
    {
        _refusal = refusal;
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    public void Execute()
    {
        if ((_refusal ?? calls.Admission.Late(_method.Contract, Context, ArrivedAt)) is { } reason)
            Fail(reason);
        else
            Run();
    }

    /// <summary>Executes on the calling thread, and restores the execution context afterwards, because the service may
    /// change it.</summary>
    /// <param name="hasWaited">Whether the call waited before: then it fails if its deadline or the longest queue
    /// delay has passed.</param>
    public void ExecuteApart(bool hasWaited = false)
    {
        var activity = CurrentActivity.Keep();
        var ambient = GlueCall.AmbientValue;
        var headers = AmbientHeaders.Current;
        if (hasWaited)
            Execute();
        else
            Run();
        if (activity.Restore())
            return;
        GlueCall.AmbientValue = ambient;
        AmbientHeaders.Current = headers;
    }

    /// <summary>For emitted code: reads the next argument.</summary>
    public T Read<T>() => _arguments.Read<T>();

    /// <summary>For emitted code: all arguments are read, and code of the service follows.</summary>
    public void EndArguments() => _arguments.End();

    public void Return<T>(T result)
    {
        if (_stateful is not null)
            result = ReturnStateful(_stateful, result);
        if (_filtered is not null)
            _filtered.SetReturned(result);
        else
            Conclude(result);
    }

    private void Conclude<T>(T result)
    {
        if (IsOneWay)
        {
            End(EnvelopeKind.None);
            return;
        }

        if (_sharedWith is OutgoingCall<T> caller)
        {
            End<T>(EnvelopeKind.None, (caller, _method.Contract.ReturnsStream ? _answer.KeepScope(result) : result));
            return;
        }

        End(_answer.WriteResult(result, _sink));
    }

    private void Run()
    {
        if (_isAdmitted || calls.Admission.IsFree(_method.Access, Context))
        {
            RunAdmitted();
            return;
        }

        var admission = calls.Admission.DecideAsync(_method.Access, Context);
        if (admission.IsCompletedSuccessfully)
            RunUnless(admission.Result);
        else
            _ = CallAdmission.WaitAsync(admission, Context, RunUnless);
    }

    private void RunUnless(Exception? refusal)
    {
        if (refusal is null)
            RunAdmitted();
        else
            Fail(refusal);
    }

    private void RunAdmitted()
    {
        try
        {
            _arguments.FindReferences(_sink.References);
            GlueCall.AmbientValue = Context;
            AmbientHeaders.Enter(Context.Received);
            _observation?.EnterMethod();
            var service = Callee ?? OpenService();
            if (_method.Owner.Filters?.Of(_sink.Binding) is { } filters)
                RunFiltered(service, filters);
            else
                _method.Invoker(service, this);
        }
        catch (Exception exception)
        {
            Fail(exception);
        }
    }

    /// <summary>For filters: runs the method with arguments that the filters may have changed.</summary>
    public void InvokeFiltered(object service, ArgumentBox? firstArgument)
    {
        _arguments.Set(firstArgument);
        try
        {
            _method.Invoker(service, this);
        }
        catch (Exception exception)
        {
            _filtered!.SetFailed(exception);
        }
    }

    /// <summary>For filters: ends the call with the failure that the filters have left.</summary>
    public void FailFiltered(Exception exception)
    {
        var isRefusal = !_filtered!.HasRun && exception is GlueException;
        _filtered = null;
        Fail(exception, isRefusal);
    }

    private void RunFiltered(object service, Func<GlueCallContext, ValueTask> filters)
    {
        var first = _method.Shape.ReadArguments(this);
        EndArguments();
        var services = _stateful?.Services ?? _instance.Services ?? calls.Services;
        _filtered = new IncomingCallContext(this, service, _method, first, services);
        _ = _filtered.RunAsync(filters);
    }

    /// <summary>For filters: ends the call with the result that the filters have left.</summary>
    public void ConcludeFiltered<T>(T result)
    {
        _endsInstance |= _stateful is not null && IsConstructor && !_filtered!.HasRun;
        Conclude(result);
    }

    private T ReturnStateful<T>(StatefulInstance instance, T result)
    {
        _endsInstance = _method.Contract.IsDestructor;
        return _method.Contract.IsConstructor ? (T)(object)instance.Publish() : result;
    }

    private object OpenService()
    {
        try
        {
            return _stateful is null
                ? _instance.Open(calls.Services, _method.Owner.Registration)
                : _stateful.Open(calls.Services);
        }
        catch (Exception exception)
        {
            calls.Log.ServiceNotCreated(exception, _method.Contract.DisplayName);
            throw GlueErrors.ServiceNotCreated(_method.Contract, exception);
        }
    }

    /// <summary>Ends the call with a failure of any kind.</summary>
    /// <param name="exception">The failure.</param>
    /// <param name="isRefusal">Whether the failure itself says if the method has run.</param>
    public void Fail(Exception exception, bool isRefusal = false)
    {
        if (_filtered is not null)
        {
            _filtered.SetFailed(exception);
            return;
        }

        // If a constructor fails, nobody knows the id of the instance: it ends here.
        _endsInstance |= _stateful is not null && _method.Contract.IsConstructor;
        _arguments.Abandon(_sink.References);
        var hasRead = _arguments.AreRead && !isRefusal;
        if (IsOneWay)
        {
            _answer.NoteFailure(exception, Context, hasRead);
            NoteFailedOneWay(exception);
            End(EnvelopeKind.None);
            return;
        }

        _answer.WriteFault(exception, Context, hasRead, _sink.AnswerBytesMax);
        End(EnvelopeKind.Fault);
    }

    private void NoteFailedOneWay(Exception exception)
    {
        if (exception is GlueException { Code: GlueErrorCode.NotAuthenticated or GlueErrorCode.NotAuthorized } refusal)
            calls.NoteRefusedOneWay(refusal, $"{Context.Caller}", _method.Contract);
        else
            calls.NoteFailedOneWay(exception, _method.Contract);
    }

    private void End(EnvelopeKind answer) => End<Nothing>(answer, null);

    /// <summary>Closes the service's scope, then sends the answer: a caller that has its result may rely on the closed
    /// scope.</summary>
    private void End<T>(EnvelopeKind answer, (OutgoingCall<T> Caller, T Result)? shared)
    {
        ValueTask closing;
        if (_answer.Lease is { } lease)
            _instance.KeepFor(lease);
        try
        {
            closing = _endsInstance ? _stateful!.EndAsync() : _instance.CloseAsync();
        }
        catch (Exception exception)
        {
            closing = ValueTask.FromException(exception);
        }

        if (closing.IsCompletedSuccessfully)
            Deliver(answer, shared);
        else
            _ = CloseAndDeliverAsync(closing, answer, shared);
    }

    private async Task CloseAndDeliverAsync<T>(
        ValueTask closing, EnvelopeKind answer, (OutgoingCall<T> Caller, T Result)? shared)
    {
        try
        {
            await closing.ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            calls.Log.ScopeNotClosed(exception, _method.Contract.DisplayName);
        }

        Deliver(answer, shared);
    }

    private void Deliver<T>(EnvelopeKind answer, (OutgoingCall<T> Caller, T Result)? shared)
    {
        var headers = Context.ReplyBlock;
        var isTooLarge = headers.Length > GlueLimits.HeaderBytesMax && !IsOneWay;
        if (isTooLarge)
            _answer.WriteHeadersFault(headers.Length);
        // Before the answer, so that a caller that has its result may rely on it.
        if (_observation is not null)
            EndObservation(_observation);
        if (isTooLarge)
            _sink.Answer(CallId, EnvelopeKind.Fault, _answer.Body);
        else if (answer != EnvelopeKind.None)
            _sink.Answer(CallId, answer, _answer.Body, headers);
        else if (shared is { } direct && _sink.TryTakeCaller(CallId, direct.Caller))
        {
            direct.Caller.SetReplyHeaders(headers);
            direct.Caller.FinishShared(direct.Result);
        }

        _sink.Ended(this);
        _stateful?.Leave(this);
        Recycle();
    }

    private void EndObservation(CallObservation observation)
    {
        if (_sharedWith is null)
            observation.NoteSizes(_arguments.Count, IsOneWay ? null : _answer.Body.Count);
        observation.End(_answer.Failure);
    }

    private void Recycle()
    {
        _arguments.Reset();
        _answer.Reset();
        _sharedWith = null;
        _filtered = null;
        _observation = null;
        _stateful = null;
        _refusal = null;
        _isAdmitted = false;
        _endsInstance = false;
        Callee = null;
        Context = null!;
        calls.Return(this);
    }
}
