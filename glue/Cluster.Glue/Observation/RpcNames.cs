namespace Cluster.Glue.Observation;

/// <summary>The names of spans, instruments and tags. Those that begin with <c>rpc</c>, <c>error</c> or <c>server</c>
/// come from OpenTelemetry's semantic conventions for remote procedure calls. All names are here, because the
/// conventions may still change.</summary>
internal static class RpcNames
{
    /// <summary>The name of the meter and of the source of spans.</summary>
    public const string Source = "Cluster.Glue";

    /// <summary>What <see cref="SystemTag"/> says.</summary>
    public const string System = "glue";

    /// <summary>The method of a call that names no method which is known here.</summary>
    public const string OtherMethod = "_OTHER";

    public const string SystemTag = "rpc.system.name";
    public const string MethodTag = "rpc.method";
    public const string StatusTag = "rpc.response.status_code";
    public const string ErrorTag = "error.type";
    public const string AddressTag = "server.address";
    public const string PortTag = "server.port";
    public const string OutcomeTag = "outcome";

    /// <summary>How often a call was sent, where that was more than once.</summary>
    public const string AttemptsTag = "cluster.glue.attempts";

    /// <summary>The event of a span: the call is sent again.</summary>
    public const string AttemptEvent = "attempt";

    /// <summary>The span of the items of a stream.</summary>
    public const string StreamSpan = "stream";

    public const string ClientDuration = "rpc.client.call.duration";
    public const string ClientStarted = "cluster.glue.client.calls.started";
    public const string ClientEnded = "cluster.glue.client.calls.ended";
    public const string ClientActive = "cluster.glue.client.calls.active";
    public const string ClientRequestSize = "cluster.glue.client.request.size";
    public const string ClientResponseSize = "cluster.glue.client.response.size";
    public const string ClientRetries = "cluster.glue.client.retries";

    public const string ServerDuration = "rpc.server.call.duration";
    public const string ServerStarted = "cluster.glue.server.calls.started";
    public const string ServerEnded = "cluster.glue.server.calls.ended";
    public const string ServerActive = "cluster.glue.server.calls.active";
    public const string ServerRequestSize = "cluster.glue.server.request.size";
    public const string ServerResponseSize = "cluster.glue.server.response.size";
    public const string ServerQueueTime = "cluster.glue.server.queue.time";
    public const string ServerRefused = "cluster.glue.server.calls.refused";

    public const string LateReplies = "cluster.glue.replies.late";
    public const string FailedOneWays = "cluster.glue.oneways.failed";
    public const string RefusedCertificates = "cluster.glue.certificates.refused";

    /// <summary>The buckets that the conventions advise for the time of calls, in seconds.</summary>
    public static readonly double[] DurationBuckets =
        [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

    /// <summary>From 64 bytes to 16 MiB, in steps of four.</summary>
    public static readonly long[] SizeBuckets =
        [64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216];
}
