using System.IO.Compression;
using Cluster.Glue.Sessions;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Grpc.AspNetCore.Server;
using Microsoft.Extensions.Options;

namespace Cluster.Glue.Endpoints;

/// <summary>Sets the limits of Glue's methods in gRPC's server: a message of a link is small, a message of a call may
/// have as many bytes as the server allows. Stateless.</summary>
internal sealed class GlueServiceOptions(ServerRuntime server)
    : IConfigureOptions<GrpcServiceOptions<LinkService>>, IConfigureOptions<GrpcServiceOptions<CallService>>
{
    public void Configure(GrpcServiceOptions<LinkService> options) => Configure(options, GlueWire.PayloadBytesMax);

    public void Configure(GrpcServiceOptions<CallService> options) =>
        Configure(options, server.Settings.MaxMessageBytes);

    private void Configure(GrpcServiceOptions options, int payloadBytesMax)
    {
        var bytesMax = GrpcMethods.MaxMessageBytes(payloadBytesMax);
        options.MaxReceiveMessageSize = bytesMax;
        options.MaxSendMessageSize = null;
        options.CompressionProviders = [new GzipProvider(bytesMax)];
        options.ResponseCompressionLevel = CompressionLevel.Fastest;
        if (server.Settings.Compression == GlueCompression.Gzip)
            options.ResponseCompressionAlgorithm = GzipProvider.Name;
    }
}
