using Cluster.Glue.Authorization;
using Cluster.Glue.Catalog;
using Cluster.Glue.Client;
using Cluster.Glue.Faults;
using Cluster.Glue.Filters;
using Cluster.Glue.References;
using Cluster.Glue.Serving;
using Cluster.Glue.Substreams;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Sessions;

/// <summary>Serves the calls that arrive on one substream, and sends their answers on the same substream. Only the
/// substream's read loop touches the handle table.</summary>
internal sealed class SubstreamServing(LinkServing link, Substream substream) : IReplySink
{
    private readonly List<BindResult> _methods = [];

    // The id of the thread that runs a call inline instead of reading on; 0: none.
    private int _inlineThread;

    public NodeId Peer => link.Settings.Peer;

    public bool IsPeer => link.Settings.IsPeer;

    public CallerIdentity Caller => link.Settings.Caller;

    public ReferenceTable References => link.Link.References;

    public GlueBinding Binding => link.Settings.Binding;

    public int AnswerBytesMax => link.Settings.MaxMessageBytes - GlueWire.EnvelopeHeaderBytesMax;

    public void Answer(ulong callId, EnvelopeKind kind, WireBuffer body, ReadOnlyMemory<byte> headers = default)
    {
        var header = new EnvelopeHeader { Kind = kind, CallId = callId, Headers = headers };
        if (body.Count > GlueWire.WholeBodyBytesMax)
        {
            link.AnswerInBulk(header, body);
            return;
        }

        if (substream.Role != SubstreamRole.Bulk)
            link.NoteSmallAnswer();
        substream.Writer.Append(header, body.WrittenSpan, FlushModeNow());
    }

    public void Ended(IncomingCall call)
    {
        call.Inline?.NoteEnded();
        link.Ended(call);
    }

    /// <summary>Starts a call, or answers with the reason for its refusal.</summary>
    public void Begin(in Envelope envelope)
    {
        var isOneWay = envelope.Kind == EnvelopeKind.OneWay;
        var bindResult = BindResultOf(envelope);
        object? target = null;
        var refusal = bindResult.Method is null
            ? bindResult.ToException()
            : FindTarget(envelope, bindResult.Method, out target)
                ?? link.RefusalNow(bindResult.Method, isNested: (envelope.Target | envelope.Chain) != 0);
        if (refusal is not null)
        {
            IncomingReferences.Discard(envelope.Body, References);
            link.Server.Metrics.CountRefusedCall(bindResult.Method?.Contract.RpcName, refusal.Code);
            if (isOneWay)
                link.Server.Calls.NoteRefusedOneWay(refusal, link.Settings.PeerName, bindResult.Method?.Contract);
            else
                Refuse(envelope.CallId, refusal);
            return;
        }

        var time = CallDeadline.FromWire(envelope.RemainingMilliseconds, link.Server.Settings.Deadline);
        var call = link.Server.Calls.Rent();
        var sentAt = envelope.BeganAt != 0 ? envelope.BeganAt : substream.SentAt;
        var deadline = CallDeadline.After(link.Settings.Time, sentAt, time);
        call.Begin(this, bindResult.Method!, envelope.CallId, isOneWay, deadline);
        call.ArrivedAt = substream.ReceivedAt;
        call.Line = envelope.Line;
        call.SetHeaders(envelope.Headers);
        if (substream.Batch is { } batch && envelope.OwnBody is null && IncomingArguments.AreLent(envelope.Body.Length))
            call.LendArguments(substream.MemoryOf(envelope.Body), batch);
        else
            call.SetArguments(envelope.Body, envelope.OwnBody);
        if (envelope.Chain != 0)
            call.Context.Chain = new CallChain(link.Link.Number, envelope.Chain);
        call.Callee = target;
        if (!link.TryQueue(call))
            Start(call);
    }

    /// <summary>Binds handles to the methods of a contract, and answers which methods differ here.</summary>
    public void Bind(in Envelope envelope)
    {
        var request = BindRequest.Read(envelope.Body);
        if (request.FirstHandle != _methods.Count)
            throw new WireException($"bind: handle {request.FirstHandle} instead of {_methods.Count}.");
        var bindResults = !request.Contracts.Any(link.Server.Catalog.Offers)
            && link.Server.Callbacks.FindServed(request.Contracts) is { } callback
                ? ServiceCatalog.Judge(callback, request)
                : link.Server.Catalog.Judge(request, link.Settings.Access);
        _methods.AddRange(bindResults);
        var body = new WireBuffer(256, int.MaxValue);
        BindResult.ToBindResults(request.FirstHandle, bindResults).Write(body);
        Answer(envelope.CallId, EnvelopeKind.Bound, body);
        body.Reset();
    }

    private GlueException? FindTarget(in Envelope envelope, ServedMethod method, out object? target)
    {
        target = envelope.Target == 0 ? null : References.FindTarget(envelope.Target, method.Owner.Description);
        if (target is not null || (envelope.Target == 0 && !method.Owner.IsCallback))
            return null;
        return envelope.Target == 0
            ? GlueErrors.NotDelivered(
                GlueErrorKind.Refused,
                GlueErrorCode.UnknownContract,
                $"{method.Contract.DisplayName} is called on objects that were passed by reference only.")
            : GlueErrors.ReferenceReleased(method.Contract, link.Settings);
    }

    private BindResult BindResultOf(in Envelope envelope)
    {
        if (envelope.IsNamed && envelope.Target != 0
            && link.Server.Callbacks.FindMethod(envelope.Method) is { } callback)
            return ServiceCatalog.JudgeNamed(callback, envelope);
        if (envelope.IsNamed)
            return link.Server.Catalog.Judge(envelope, link.Settings.Access);
        return envelope.Method < (ulong)_methods.Count
            ? _methods[(int)envelope.Method]
            : BindResult.Refused(
                GlueErrorCode.UnknownMethod, $"Method handle {envelope.Method} was not bound on this substream.");
    }

    private void Start(IncomingCall call)
    {
        // Authorization handlers of the host may take long and must not block the read loop.
        if (call.Inline is not { IsDue: true } inline || !call.IsAdmittedAtOnce)
        {
            substream.Work.Add(call);
            return;
        }

        // Earlier calls of the batch must not wait for the inline call.
        substream.Work.Start();
        var method = call.MethodName;
        var took = RunHere(call);
        if (took > GlueLimits.InlineTimeMax && inline.TryEnd())
            link.Server.Log.InlineEnded(method, took);
    }

    private TimeSpan RunHere(IncomingCall call)
    {
        var context = ExecutionContext.Capture() ?? throw new UnreachableException("The flow is on.");
        var began = link.Settings.Time.GetTimestamp();
        _inlineThread = Environment.CurrentManagedThreadId;
        call.Execute();
        _inlineThread = 0;
        // The inline call must not leave values in the read loop's execution context.
        ExecutionContext.Restore(context);
        SynchronizationContext.SetSynchronizationContext(null);
        return link.Settings.Time.GetElapsedTime(began);
    }

    // Answers that are given while a batch is read leave together after the batch.
    private FlushMode FlushModeNow()
    {
        var inlineThread = Volatile.Read(ref _inlineThread);
        if (inlineThread != 0 && inlineThread == Environment.CurrentManagedThreadId)
            return FlushMode.Held;
        return link.IsServingOne ? FlushMode.Now : FlushMode.Soon;
    }

    private void Refuse(ulong callId, GlueException refusal)
    {
        var body = new WireBuffer(256, int.MaxValue);
        FaultCodec.WriteGlue(body, refusal);
        Answer(callId, EnvelopeKind.Fault, body);
        body.Reset();
    }
}
