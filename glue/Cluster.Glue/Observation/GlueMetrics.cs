using System.Diagnostics.Metrics;

namespace Cluster.Glue.Observation;

/// <summary>The meter <c>Cluster.Glue</c>: failures that no caller sees. From a host's meter factory, or shared by the
/// process for clients without a host. Instruments protect themselves.</summary>
internal sealed class GlueMetrics
{
    public const string MeterName = "Cluster.Glue";

    private const string MethodTag = "rpc.method";
    private const string ErrorTag = "error.type";

    // The name of the semantic conventions for an unknown method.
    private const string OtherMethod = "_OTHER";

    private static readonly GlueMetrics Process = new(new Meter(MeterName));

    private readonly Counter<long> _lateReplies;
    private readonly Counter<long> _failedOneWays;
    private readonly Counter<long> _refusedCertificates;

    private GlueMetrics(Meter meter)
    {
        _lateReplies = meter.CreateCounter<long>(
            "cluster.glue.replies.late", "{reply}",
            "Answers that came when their caller had given up: cancelled, or out of time");
        _failedOneWays = meter.CreateCounter<long>(
            "cluster.glue.oneways.failed", "{call}",
            "One-way calls that failed, or were refused, where nobody waits for them");
        _refusedCertificates = meter.CreateCounter<long>(
            "cluster.glue.certificates.refused", "{request}",
            "Requests and connections that were refused for the certificate of the other side");
    }

    /// <summary>The meter of a factory, which owns it; null: that of the process.</summary>
    public static GlueMetrics Of(IMeterFactory? meters) => meters is null ? Process : new(meters.Create(MeterName));

    public void CountLateReply() => _lateReplies.Add(1);

    public void CountRefusedCertificate() => _refusedCertificates.Add(1);

    /// <summary>Counts a one-way call that failed here.</summary>
    /// <param name="method">Contract and method; null: not known.</param>
    /// <param name="error">Why: a code of Glue, or the type of an exception.</param>
    public void CountFailedOneWay(string? method, string error) =>
        _failedOneWays.Add(1, new(MethodTag, method ?? OtherMethod), new(ErrorTag, error));
}
