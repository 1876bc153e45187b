using Cluster.Glue.Faults;
using Cluster.Glue.Signatures;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Grpc.Core;

namespace Cluster.Glue.Authorization;

/// <summary>A unary call that authorization has refused, in the form of gRPC: a status that proxies and programs
/// without Glue know, and the code of Glue in a trailer. Pure.</summary>
internal static class CallRefusal
{
    /// <summary>The status that answers a request. Null: the fault is no refusal by authorization.</summary>
    public static RpcException? In(ReadOnlySpan<byte> fault)
    {
        return FaultCodec.FindGlue(fault) is
        {
            Code: GlueErrorCode.NotAuthenticated or GlueErrorCode.NotAuthorized,
            Delivery: GlueDelivery.NotDelivered,
        } refusal
            ? ToRpc(refusal)
            : null;
    }

    private static RpcException ToRpc(GlueException refusal) => new(
        new Status(
            refusal.Code == GlueErrorCode.NotAuthenticated
                ? StatusCode.Unauthenticated
                : StatusCode.PermissionDenied,
            refusal.Message),
        new Metadata
        {
            { GlueWire.NotStartedHeader, "1" },
            { GlueWire.RefusalHeader, ((int)refusal.Code).ToString(CultureInfo.InvariantCulture) },
        });

    /// <summary>The error code of Glue in the trailers of a status. Null: neither of the two codes.</summary>
    public static GlueErrorCode? CodeIn(Metadata trailers) =>
        int.TryParse(
                trailers.GetValue(GlueWire.RefusalHeader),
                NumberStyles.None,
                CultureInfo.InvariantCulture,
                out var code)
            && (GlueErrorCode)code is GlueErrorCode.NotAuthenticated or GlueErrorCode.NotAuthorized
                ? (GlueErrorCode)code
                : null;

    /// <summary>The exception for the caller. Null: the status is no refusal by authorization.</summary>
    public static GlueException? Of(GrpcStatusException status, ContractMethod method, string address) =>
        status is { IsNotStarted: true, Refusal: { } code }
            ? new GlueException(
                GlueErrorKind.Refused,
                GlueDelivery.NotDelivered,
                code,
                GlueErrors.MethodRefused(method, address, code, status.Message).Message,
                status)
            {
                GrpcStatus = (int)status.Status,
            }
            : null;
}
