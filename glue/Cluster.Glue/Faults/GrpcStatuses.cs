using Grpc.Core;

namespace Cluster.Glue.Faults;

/// <summary>Facts about gRPC's statuses from its own documents: their names, the status for an HTTP answer without a
/// gRPC status, and what a caller can do about each. Both transports use them. Pure.</summary>
internal static class GrpcStatuses
{
    private static readonly string[] Names =
    [
        "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
        "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
        "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
    ];

    /// <summary>The status for an HTTP answer without a gRPC status, by gRPC's table.</summary>
    public static StatusCode OfHttp(int httpStatus) => httpStatus switch
    {
        400 => StatusCode.Internal,
        401 => StatusCode.Unauthenticated,
        403 => StatusCode.PermissionDenied,
        404 => StatusCode.Unimplemented,
        429 or 502 or 503 or 504 => StatusCode.Unavailable,
        _ => StatusCode.Unknown,
    };

    /// <summary>The name of a status, or the number of an unknown one.</summary>
    public static string NameOf(StatusCode status) =>
        status >= 0 && (int)status < Names.Length ? Names[(int)status] : $"status {(int)status}";

    /// <summary>What a caller can do about a status.</summary>
    public static GlueErrorKind KindOf(StatusCode status) => status switch
    {
        StatusCode.Unavailable => GlueErrorKind.Unreachable,
        StatusCode.ResourceExhausted => GlueErrorKind.Overloaded,
        StatusCode.DeadlineExceeded => GlueErrorKind.Deadline,
        StatusCode.InvalidArgument or StatusCode.NotFound or StatusCode.AlreadyExists or StatusCode.PermissionDenied
            or StatusCode.FailedPrecondition or StatusCode.OutOfRange or StatusCode.Unimplemented
            or StatusCode.Unauthenticated => GlueErrorKind.Refused,
        _ => GlueErrorKind.Broken,
    };
}
