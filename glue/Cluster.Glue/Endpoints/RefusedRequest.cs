using System.IO.Pipelines;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Cluster.Glue.Endpoints;

/// <summary>Why a request is refused before gRPC reads it. gRPC still answers it: it reads an empty message in place of
/// the body, and the method finds this feature. Immutable.</summary>
internal sealed class RefusedRequest : IRequestBodyPipeFeature
{
    private static readonly ReadOnlySequence<byte> EmptyMessage = new(new byte[GlueWire.GrpcPrefixBytes]);

    private RefusedRequest(Exception reason) => Reason = reason;

    /// <summary>A <see cref="GrpcStatusException"/>, or a <see cref="GlueException"/> that is answered as the failure
    /// of a call.</summary>
    public Exception Reason { get; }

    public PipeReader Reader { get; } = PipeReader.Create(EmptyMessage);

    public static void Set(HttpContext context, Exception reason)
    {
        var refused = new RefusedRequest(reason);
        context.Features.Set(refused);
        context.Features.Set<IRequestBodyPipeFeature>(refused);
    }
}
