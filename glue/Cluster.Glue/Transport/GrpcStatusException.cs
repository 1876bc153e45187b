using Grpc.Core;

namespace Cluster.Glue.Transport;

/// <summary>A gRPC status other than OK. Thrown on the server to answer with the status, and on the client when a
/// server answered with it. Never thrown for a failure that the client itself found.</summary>
internal sealed class GrpcStatusException(StatusCode status, string message) : Exception(message)
{
    public StatusCode Status { get; } = status;

    /// <summary>The HTTP status of an answer that had no gRPC status; null: the answer had one.</summary>
    public int? HttpStatus { get; init; }

    /// <summary>Whether the server has said that it did not begin the call.</summary>
    public bool IsNotStarted { get; init; }

    /// <summary>Glue's code for a call that authorization has refused; null: it was not refused so.</summary>
    public GlueErrorCode? Refusal { get; init; }
}
