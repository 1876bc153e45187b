using Cluster.Glue.Authorization;
using Cluster.Glue.Wire;
using Grpc.Core;

namespace Cluster.Glue.Transport;

/// <summary>Finds the cause of an exception of the gRPC client, which wraps all failures in one exception type: a
/// status that the server answered, or an exception on this side. Pure.</summary>
internal static class GrpcFailures
{
    // The text with which the gRPC client refuses a message that is too large for its channel.
    private const string TooLarge = "Received message exceeds the maximum configured message size.";

    /// <summary>The exception on this side, or else the status that the server answered.</summary>
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
