namespace Cluster.Glue.Transport;

/// <summary>What gRPC calls the compressions of messages in HTTP headers. Pure.</summary>
internal static class GrpcEncoding
{
    public const string Header = "grpc-encoding";
    public const string AcceptHeader = "grpc-accept-encoding";
    public const string Gzip = "gzip";

    /// <summary>All that Glue reads, in the form of <see cref="AcceptHeader"/>.</summary>
    public const string Accepted = "identity,gzip";

    private const string Identity = "identity";

    /// <summary>Whether Glue reads what a peer says that it sends; null or empty: as it is.</summary>
    public static bool IsKnown(string? encoding)
        => string.IsNullOrEmpty(encoding) || encoding.Equals(Identity, StringComparison.OrdinalIgnoreCase)
            || IsGzip(encoding);

    public static bool IsGzip(string? encoding) => Gzip.Equals(encoding, StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether a peer that says what it accepts reads gzip.</summary>
    public static bool AcceptsGzip(string? accepted)
    {
        foreach (Range one in accepted.AsSpan().Split(','))
        {
            if (accepted.AsSpan()[one].Trim().Equals(Gzip, StringComparison.OrdinalIgnoreCase))
                return true;
        }

        return false;
    }
}
