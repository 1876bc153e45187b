namespace Cluster.Glue.Transport;

/// <summary>What gRPC calls the compressions of messages in HTTP headers. Pure.</summary>
internal static class GrpcEncoding
{
    /// <summary>All that Glue reads, in the form of <c>grpc-accept-encoding</c>.</summary>
    public const string Accepted = $"{Identity},{GzipProvider.Name}";

    private const string Identity = "identity";

    /// <summary>Whether Glue reads what a peer says that it sends; null or empty: as it is.</summary>
    public static bool IsKnown(string? encoding) =>
        string.IsNullOrEmpty(encoding) || encoding is Identity or GzipProvider.Name;
}
