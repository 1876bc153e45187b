namespace Cluster.Glue.Transport;

/// <summary>The names of compressions in the HTTP headers of gRPC. Pure.</summary>
internal static class GrpcEncoding
{
    /// <summary>The compressions that Glue reads, as the value of <c>grpc-accept-encoding</c>.</summary>
    public const string Accepted = $"{Identity},{GzipProvider.Name}";

    private const string Identity = "identity";

    /// <summary>Whether Glue reads the compression that a peer names. Null or empty: no compression.</summary>
    public static bool IsKnown(string? encoding) =>
        string.IsNullOrEmpty(encoding) || encoding is Identity or GzipProvider.Name;
}
