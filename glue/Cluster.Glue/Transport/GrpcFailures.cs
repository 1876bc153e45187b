using Cluster.Glue.Authorization;
using Cluster.Glue.Wire;
using Grpc.Core;

namespace Cluster.Glue.Transport;

/// <summary>Takes apart what the gRPC client throws. It wraps all failures in one exception: what the server answered,
/// and what this side met, which it keeps as the cause. Pure.</summary>
internal static class GrpcFailures
{
    // How gRPC's client refuses a message that is larger than its channel allows.
    private const string TooLarge = "Received message exceeds the maximum configured message size.";

    /// <summary>The cause on this side, or else the status that the server answered with.</summary>
    public static Exception Of(RpcException failure) => failure.Status switch
    {
        { DebugException: InvalidDataException cause } => new WireException($"gRPC frame: {cause.Message}"),
        { DebugException: RpcException cause } => Of(cause),
        { DebugException: { } cause } => cause,
        { Detail: TooLarge } => new WireException($"gRPC frame: {TooLarge}"),
        _ => new GrpcStatusException(failure.StatusCode, TextOf(failure.Status))
        {
            IsNotStarted = failure.Trailers.Get(GlueWire.NotStartedHeader) is not null,
            Refusal = CallRefusal.CodeIn(failure.Trailers),
        },
    };

    private static string TextOf(Status status) =>
        status.Detail.Length > 0
            ? LogText.Clean(status.Detail, GlueLimits.ExceptionTextMax)
            : $"grpc-status {(int)status.StatusCode}";
}
