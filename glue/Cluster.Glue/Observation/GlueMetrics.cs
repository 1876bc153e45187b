using System.Diagnostics.Metrics;

namespace Cluster.Glue.Observation;

/// <summary>The meter <c>Cluster.Glue</c>: the calls of both sides, and failures that no caller sees. From a host's
/// meter factory, or shared by the process for clients without a host. Instruments protect themselves.</summary>
internal sealed class GlueMetrics
{
    private static readonly GlueMetrics Process = new(new Meter(RpcNames.Source));

    private readonly Counter<long> _lateReplies;
    private readonly Counter<long> _failedOneWays;
    private readonly Counter<long> _refusedCalls;
    private readonly Counter<long> _refusedCertificates;

    private GlueMetrics(Meter meter)
    {
        Client = CallInstruments.OfClient(meter);
        Server = CallInstruments.OfServer(meter);
        _lateReplies = meter.CreateCounter<long>(
            RpcNames.LateReplies, "{reply}",
            "Answers that came when their caller had given up: cancelled, or out of time");
        _failedOneWays = meter.CreateCounter<long>(
            RpcNames.FailedOneWays, "{call}",
            "One-way calls that failed, or were refused, where nobody waits for them");
        _refusedCalls = meter.CreateCounter<long>(
            RpcNames.ServerRefused, "{call}",
            "Calls that were refused before they began: the server was full or draining, or has no such method");
        _refusedCertificates = meter.CreateCounter<long>(
            RpcNames.RefusedCertificates, "{request}",
            "Requests and connections that were refused for the certificate of the other side");
    }

    /// <summary>The calls that are made.</summary>
    public CallInstruments Client { get; }

    /// <summary>The calls that are served.</summary>
    public CallInstruments Server { get; }

    /// <summary>The meter of a factory, which owns it; null: that of the process.</summary>
    public static GlueMetrics Of(IMeterFactory? meters) =>
        meters is null ? Process : new(meters.Create(RpcNames.Source));

    public void CountLateReply() => _lateReplies.Add(1);

    public void CountRefusedCertificate() => _refusedCertificates.Add(1);

    /// <summary>Counts a call that is refused before it begins.</summary>
    /// <param name="method">The name of the method for spans and metrics; null: not known.</param>
    /// <param name="code">Why.</param>
    public void CountRefusedCall(string? method, GlueErrorCode code) => _refusedCalls.Add(
        1,
        new(RpcNames.SystemTag, RpcNames.System),
        new(RpcNames.MethodTag, method ?? RpcNames.OtherMethod),
        new(RpcNames.ErrorTag, CallOutcome.NameOf(code)));

    /// <summary>Counts a one-way call that failed here.</summary>
    /// <param name="method">The name of the method for spans and metrics; null: not known.</param>
    /// <param name="failure">Why.</param>
    public void CountFailedOneWay(string? method, Exception failure) => _failedOneWays.Add(
        1,
        new(RpcNames.MethodTag, method ?? RpcNames.OtherMethod),
        new(RpcNames.ErrorTag, CallOutcome.Of(failure).Error));
}
