using Cluster.Contracts;

namespace Cluster.Glue.Serving;

/// <summary>What a method handle or name stands for: the method, or why calls to it are refused. Immutable.</summary>
internal readonly record struct MethodVerdict(ServedMethod? Method, GlueErrorCode Code, string? Reason)
{
    public static MethodVerdict Same(ServedMethod method) => new(method, GlueErrorCode.Unknown, null);

    public static MethodVerdict Refused(GlueErrorCode code, string reason) => new(null, code, reason);

    public GlueException ToException() => new(GlueErrorKind.Refused, GlueDelivery.NotDelivered, Code, Reason!);
}
