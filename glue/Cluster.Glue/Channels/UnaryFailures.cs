using Cluster.Glue.Authorization;
using Cluster.Glue.Faults;
using Cluster.Glue.Signatures;
using Cluster.Glue.Tls;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Grpc.Core;

namespace Cluster.Glue.Channels;

/// <summary>The errors of unary requests with their messages. Pure.</summary>
/// <param name="address">The address of the server.</param>
/// <param name="method">The called method.</param>
/// <param name="attemptCount">How often HttpClient has begun to send the message.</param>
internal readonly struct UnaryFailures(string address, ContractMethod method, int attemptCount)
{
    /// <summary>The error of a failed request; not for a request that its caller or its client has ended.</summary>
    public GlueException Explain(Exception failure)
    {
        var delivery = UnaryDelivery.Of(failure, attemptCount);
        return failure switch
        {
            GlueException known => known,
            _ when CertificateException.In(failure) is { } problem => GlueErrors.NotTrusted(address, problem),
            GrpcStatusException refused when CallRefusal.Of(refused, method, address) is { } refusal => refusal,
            GrpcStatusException status => OfStatus(status, delivery),
            _ when attemptCount == 0 => NotConnected(failure.Message, failure),
            _ when delivery == GlueDelivery.NotDelivered => OfRefusedStream(failure),
            WireException => GlueErrors.LinkLost(address, GlueErrorCode.ProtocolViolation, failure.Message, failure),
            _ => GlueErrors.LinkLost(address, GlueErrorCode.LinkLost, failure.Message, failure),
        };
    }

    /// <summary>The error when no connection could carry the request. HttpClient may have sent its bytes before it
    /// knew.</summary>
    public GlueException NotConnected(string reason, Exception cause) =>
        new(
            GlueErrorKind.Unreachable,
            attemptCount == 0 ? GlueDelivery.NotDelivered : GlueDelivery.Unknown,
            GlueErrorCode.ConnectFailed,
            $"{address} cannot be reached: {reason}",
            cause);

    /// <summary>The error when the deadline has passed.</summary>
    public GlueException Late() =>
        attemptCount == 0
            ? GlueErrors.DeadlineBeforeSend(method, $"a connection to {address}")
            : GlueErrors.DeadlineAwaitingReply(method, address);

    private GlueException OfRefusedStream(Exception failure) =>
        UnaryDelivery.IsRefusedStream(failure)
            ? GlueErrors.NotDelivered(
                GlueErrorKind.Overloaded,
                GlueErrorCode.ServerOverloaded,
                $"{address} refused the request of {method.DisplayName} before it began: "
                + failure.InnerException!.Message,
                failure)
            : GlueErrors.NotDelivered(
                GlueErrorKind.Unreachable,
                GlueErrorCode.Draining,
                $"{address} closes its connections and did not begin {method.DisplayName}: "
                + failure.InnerException!.Message,
                failure);

    private GlueException OfStatus(GrpcStatusException status, GlueDelivery delivery)
    {
        var name = $"{GrpcStatuses.NameOf(status.Status)} ({(int)status.Status})";
        var text = status.HttpStatus is { } http
            ? $"{address} answered {method.DisplayName} with HTTP {http} and no gRPC status, which stands for {name}: "
                + $"{status.Message}. A proxy between may have given up while the method runs."
            : $"{address} answered {method.DisplayName} with gRPC status {name}: {status.Message}";
        if (delivery == GlueDelivery.NotDelivered)
            text += " The server says that it did not begin the call.";
        var kind = GrpcStatuses.KindOf(status.Status);
        return new GlueException(kind, delivery, CodeOf(status.Status, kind, delivery), text, status)
        {
            GrpcStatus = (int)status.Status,
        };
    }

    // A refusal by a server of Glue, before it begins a call, has its own error code.
    private static GlueErrorCode CodeOf(StatusCode status, GlueErrorKind kind, GlueDelivery delivery)
    {
        if (delivery != GlueDelivery.NotDelivered)
            return GlueErrorCode.ServerStatus;
        return kind switch
        {
            GlueErrorKind.Unreachable => GlueErrorCode.Draining,
            GlueErrorKind.Overloaded => GlueErrorCode.ServerOverloaded,
            GlueErrorKind.Deadline => GlueErrorCode.DeadlineOnServer,
            GlueErrorKind.Refused when status == StatusCode.Unauthenticated => GlueErrorCode.PeerNotAuthenticated,
            GlueErrorKind.Refused => GlueErrorCode.HandshakeRefused,
            _ => GlueErrorCode.ServerStatus,
        };
    }
}
