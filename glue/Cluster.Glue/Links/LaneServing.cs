using Cluster.Contracts;
using Cluster.Glue.Calls;
using Cluster.Glue.Faults;
using Cluster.Glue.Serving;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Links;

/// <summary>
/// The calls that arrive on one lane, and their answers, which travel on the same one. The handle table is touched by
/// the lane's read loop only.
/// </summary>
internal sealed class LaneServing(LinkServing link, Lane lane) : IReplySink
{
    private readonly List<MethodVerdict> _methods = [];

    public NodeId Peer => link.Settings.Peer;

    public int AnswerBytesMax => link.Settings.MessageBytesMax - GlueWire.EnvelopeHeaderBytesMax;

    public void Answer(ulong callId, EnvelopeKind kind, WireBuffer body, ReadOnlyMemory<byte> headers = default)
    {
        var header = new EnvelopeHeader { Kind = kind, CallId = callId, Headers = headers };
        if (body.Count <= GlueWire.WholeBodyBytesMax)
            lane.Writer.Append(header, body.WrittenSpan, isAlone: link.IsServingOne);
        else
            link.AnswerInBulk(header, body);
    }

    public void Ended(IncomingCall call) => link.Ended(call);

    /// <summary>Starts a call, or answers why not.</summary>
    public void Begin(in Envelope envelope)
    {
        bool isOneWay = envelope.Kind == EnvelopeKind.OneWay;
        MethodVerdict verdict = VerdictOf(envelope);
        GlueException? refusal = verdict.Method is null ? verdict.ToException() : link.RefusalNow(verdict.Method);
        if (refusal is not null)
        {
            Refuse(envelope.CallId, isOneWay, refusal);
            return;
        }

        LinkSettings settings = link.Settings;
        TimeSpan time = CallDeadline.FromWire(envelope.RemainingMilliseconds, link.Server.Settings.Deadline);
        IncomingCall call = link.Server.RentCall();
        if (envelope.BeganAt != 0)
            time -= settings.Time.GetElapsedTime(envelope.BeganAt);
        call.Begin(this, verdict.Method!, envelope.CallId, isOneWay, CallDeadline.After(settings.Time, time));
        call.SetHeaders(envelope.Headers);
        call.SetArguments(envelope.Body, envelope.OwnBody);
        link.Run(call, lane.Work);
    }

    /// <summary>Gives handles to the methods of a contract and answers which of them are different here.</summary>
    public void Bind(BindRequest request)
    {
        if (request.FirstHandle != _methods.Count)
            throw new WireException($"bind: handle {request.FirstHandle} instead of {_methods.Count}.");
        MethodVerdict[] verdicts = link.Server.Catalog.Judge(request);
        _methods.AddRange(verdicts);
        var body = new WireBuffer(256, int.MaxValue);
        MethodVerdict.ToVerdicts(request.FirstHandle, verdicts).Write(body);
        Answer(0, EnvelopeKind.Bound, body);
        body.Reset();
    }

    private MethodVerdict VerdictOf(in Envelope envelope)
    {
        if (envelope.IsNamed)
            return link.Server.Catalog.Judge(envelope);
        return envelope.Method < (ulong)_methods.Count
            ? _methods[(int)envelope.Method]
            : MethodVerdict.Refused(
                GlueErrorCode.UnknownMethod, $"Method handle {envelope.Method} was not bound on this lane.");
    }

    private void Refuse(ulong callId, bool isOneWay, GlueException refusal)
    {
        if (isOneWay)
        {
            link.Server.Log.OneWayRefused(link.Settings.PeerName, refusal.Message);
            return;
        }

        var body = new WireBuffer(256, int.MaxValue);
        FaultCodec.WriteGlue(body, refusal);
        Answer(callId, EnvelopeKind.Fault, body);
        body.Reset();
    }
}
