namespace Cluster.Glue.Transport;

/// <summary>
/// A gRPC status other than OK: thrown to answer with it on the server, and when a server answered with it on the
/// client.
/// </summary>
internal sealed class GrpcStatusException(int status, string message) : Exception(message)
{
    public int Status { get; } = status;

    /// <summary>The HTTP status of an answer without a gRPC status, for which the latter stands; null: it had one.
    /// </summary>
    public int? HttpStatus { get; init; }

    /// <summary>The server has said that it did not begin the call.</summary>
    public bool IsNotStarted { get; init; }
}
