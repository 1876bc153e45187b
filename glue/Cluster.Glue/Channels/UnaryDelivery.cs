using Cluster.Glue.Transport;

namespace Cluster.Glue.Channels;

/// <summary>Decides whether the method of a failed unary request may have run. The status does not answer that: a
/// proxy's 504 says UNAVAILABLE while the method runs. "Not delivered" is used only where the method certainly did not
/// run; otherwise the delivery is unknown. Pure.</summary>
internal static class UnaryDelivery
{
    // RFC 9113: the server has not begun to handle the stream.
    private const long RefusedStream = 7;

    /// <summary>Whether a failed request may have run its method.</summary>
    /// <param name="failure">The failure.</param>
    /// <param name="attemptCount">How often HttpClient has begun to send the message.</param>
    public static GlueDelivery Of(Exception failure, int attemptCount) =>
        attemptCount == 0 || IsRefusedStream(failure) || IsAboveGoAway(failure, attemptCount)
            || failure is GrpcStatusException { IsNotStarted: true }
                ? GlueDelivery.NotDelivered
                : GlueDelivery.Unknown;

    /// <summary>Whether the server has refused the stream, for instance because it has as many as it allows.</summary>
    public static bool IsRefusedStream(Exception failure) =>
        failure is HttpRequestException { InnerException: HttpProtocolException { ErrorCode: RefusedStream } };

    /// <summary>Whether the server closed the connection and said that it has not begun the stream. HttpClient repeats
    /// only such requests by itself. When it gives up, it wraps the reason in its own message. Both signs together tell
    /// such a request from one that was handled when its connection was closed.</summary>
    public static bool IsAboveGoAway(Exception failure, int attemptCount) =>
        attemptCount > 1
            && failure is HttpRequestException { InnerException: HttpProtocolException reason }
            && failure.Message != reason.Message;
}
