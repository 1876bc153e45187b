using Cluster.Glue.Sessions;
using Cluster.Glue.Transport;
using Grpc.Core;

namespace Cluster.Glue.Endpoints;

/// <summary>The gRPC method that carries the substreams of links. A type of its own, because gRPC's server sets limits
/// by .NET type. Stateless.</summary>
internal sealed class LinkService(GlueEndpoint endpoint, ServerRuntime server)
{
    public async Task CarryAsync(
        IAsyncStreamReader<GrpcMessage> requests,
        IServerStreamWriter<GrpcMessage> responses,
        ServerCallContext call)
    {
        // The calls of a link do not belong to the request that opened the link.
        Activity.Current = null;
        var context = call.GetHttpContext();
        var refusal = context.Features.Get<RefusedRequest>()?.Reason as GrpcStatusException;
        if (refusal is null)
        {
            var stream = new GrpcServerStream(requests, responses, context, server.Settings.Compression);
            await using (stream.ConfigureAwait(false))
            {
                refusal = await endpoint.ServeLinkAsync(stream, context, () => call.WriteResponseHeadersAsync([]))
                    .ConfigureAwait(false);
            }
        }

        // Not thrown: gRPC would log each message of a stranger.
        if (refusal is not null)
            call.Status = new Status(refusal.Status, refusal.Message);
    }
}
