using Cluster.Glue.Sessions;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Grpc.Core;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Cluster.Glue.Endpoints;

/// <summary>The gRPC method for one call in its own request. A type of its own, because gRPC's server sets limits by
/// .NET type. Stateless.</summary>
internal sealed class CallService(GlueEndpoint endpoint, ServerRuntime server)
{
    private static readonly WriteOptions Uncompressed = new(WriteFlags.NoCompress);

    public async Task<GrpcMessage> CallAsync(GrpcMessage request, ServerCallContext call)
    {
        var answer = GrpcMessage.Of(await AnswerAsync(request, call.GetHttpContext()).ConfigureAwait(false));
        if (!answer.IsWorthCompressing)
            call.WriteOptions = Uncompressed;
        return answer;
    }

    private async Task<ReadOnlyMemory<byte>> AnswerAsync(GrpcMessage request, HttpContext context)
    {
        if (context.Features.Get<ReceivedRequest>() is not { } received)
        {
            return context.Features.GetRequiredFeature<RefusedRequest>().Reason switch
            {
                GrpcStatusException refusal => throw NotStarted(refusal.Status, refusal.Message),
                GlueException failure => UnaryExchange.AnswerOf(failure),
                Exception other => throw new UnreachableException("A request is refused in two ways.", other),
            };
        }

        try
        {
            received.IsTaken = true;
            return await new UnaryExchange(server, context, received).RunAsync(request).ConfigureAwait(false);
        }
        catch (WireException violation)
        {
            endpoint.LogRefusal(context, violation.Message);
            throw NotStarted(StatusCode.InvalidArgument, violation.Message);
        }
    }

    private static RpcException NotStarted(StatusCode status, string message) =>
        new(new Status(status, message), new Metadata { { GlueWire.NotStartedHeader, "1" } });
}
