using Cluster.Contracts;

namespace Cluster.Glue.Calls;

/// <summary>
/// What gRPC's own documents say of its statuses: their names, which one an HTTP status without a gRPC status stands
/// for, and what a caller can do about each. Whoever carries the bytes asks here. Pure.
/// </summary>
internal static class GrpcStatuses
{
    private const int Unknown = 2;

    private static readonly string[] Names =
    [
        "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
        "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
        "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
    ];

    /// <summary>The status that stands for an HTTP answer without one, by gRPC's table.</summary>
    public static int OfHttp(int httpStatus) => httpStatus switch
    {
        400 => 13,
        401 => 16,
        403 => 7,
        404 => 12,
        429 or 502 or 503 or 504 => 14,
        _ => Unknown,
    };

    /// <summary>The name of a status; of one that gRPC does not have, its number.</summary>
    public static string NameOf(int status)
        => status >= 0 && status < Names.Length ? Names[status] : $"status {status}";

    /// <summary>What a caller can do about a status.</summary>
    public static GlueErrorKind KindOf(int status) => status switch
    {
        14 => GlueErrorKind.Unreachable,
        8 => GlueErrorKind.Overloaded,
        4 => GlueErrorKind.Deadline,
        3 or 5 or 6 or 7 or 9 or 11 or 12 or 16 => GlueErrorKind.Refused,
        _ => GlueErrorKind.Broken,
    };
}
