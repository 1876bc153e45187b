namespace Cluster.Glue.Transport;

/// <summary>The gRPC status codes that Glue sends, by their published numbers. Constants only.</summary>
internal static class GrpcStatus
{
    public const int Ok = 0;
    public const int Unknown = 2;
    public const int InvalidArgument = 3;
    public const int DeadlineExceeded = 4;
    public const int NotFound = 5;
    public const int ResourceExhausted = 8;
    public const int FailedPrecondition = 9;
    public const int Unimplemented = 12;
    public const int Unavailable = 14;
    public const int Unauthenticated = 16;

    public const string StatusHeader = "grpc-status";
    public const string MessageHeader = "grpc-message";
}
