using Grpc.Core;

namespace Cluster.Glue.Transport;

/// <summary>A gRPC status other than OK, in Glue's own hands: thrown to answer with it on the server, and when a server
/// answered with it on the client. What the client's own side found wrong is never one.</summary>
internal sealed class GrpcStatusException(StatusCode status, string message) : Exception(message)
{
    public StatusCode Status { get; } = status;

    /// <summary>The HTTP status of an answer without a gRPC status, for which the latter stands; null: it had
    /// one.</summary>
    public int? HttpStatus { get; init; }

    /// <summary>The server has said that it did not begin the call.</summary>
    public bool IsNotStarted { get; init; }

    /// <summary>The code of Glue for which authorization has refused the call; null: none.</summary>
    public GlueErrorCode? Refusal { get; init; }
}
