using Cluster.Glue.Wire;
using Grpc.Core;

namespace Cluster.Glue.Transport;

/// <summary>The methods of Glue's gRPC service, as objects of the gRPC library; <c>docs/formats/glue.proto</c>
/// describes the same service. Constants only.</summary>
internal static class GrpcMethods
{
    private static readonly Marshaller<GrpcMessage> Marshaller = new(GrpcMessage.Serialize, GrpcMessage.Deserialize);

    /// <summary>One duplex stream for each substream of a link.</summary>
    public static Method<GrpcMessage, GrpcMessage> Link { get; } =
        new(MethodType.DuplexStreaming, GlueWire.ServiceName, GlueWire.LinkName, Marshaller, Marshaller);

    /// <summary>One request for each call.</summary>
    public static Method<GrpcMessage, GrpcMessage> Call { get; } =
        new(MethodType.Unary, GlueWire.ServiceName, GlueWire.CallName, Marshaller, Marshaller);

    /// <summary>The largest gRPC message around a payload of the given size, in bytes.</summary>
    public static int MaxMessageBytes(int payloadBytesMax) =>
        (int)Math.Min(int.MaxValue, (long)payloadBytesMax + BytesValue.HeadBytesMax);
}
