namespace Cluster.Glue.Transport;

/// <summary>
/// A gRPC status other than OK: thrown to answer with it on the server, and when a server answered with it on the
/// client.
/// </summary>
internal sealed class GrpcStatusException(int status, string message) : Exception(message)
{
    public int Status { get; } = status;
}
