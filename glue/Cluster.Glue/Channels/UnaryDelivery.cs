using Cluster.Glue.Transport;

namespace Cluster.Glue.Channels;

/// <summary>Decides whether the method of a failed unary request may have run. That is another question than what the
/// failure is called: a proxy's 504 says UNAVAILABLE while the method runs. Not delivered is only what certainly did
/// not run; all else is unknown. Pure.</summary>
internal static class UnaryDelivery
{
    // RFC 9113: the server has not begun to handle the stream.
    private const long RefusedStream = 7;

    /// <summary>Whether a failed request may have run its method.</summary>
    /// <param name="failure">How it failed.</param>
    /// <param name="attemptCount">How often HttpClient has begun to send its message.</param>
    public static GlueDelivery Of(Exception failure, int attemptCount) =>
        attemptCount == 0 || IsRefusedStream(failure) || IsAboveGoAway(failure, attemptCount)
            || failure is GrpcStatusException { IsNotStarted: true }
                ? GlueDelivery.NotDelivered
                : GlueDelivery.Unknown;

    /// <summary>The server has refused the stream, for instance because it has as many as it allows.</summary>
    public static bool IsRefusedStream(Exception failure) =>
        failure is HttpRequestException { InnerException: HttpProtocolException { ErrorCode: RefusedStream } };

    /// <summary>The server closes the connection and says that it has not begun the stream. HttpClient repeats such a
    /// request and nothing else by itself; only when it gives up, it wraps the reason in a message of its own. Both
    /// together tell it from a stream that was handled when its connection was closed.</summary>
    public static bool IsAboveGoAway(Exception failure, int attemptCount) =>
        attemptCount > 1
            && failure is HttpRequestException { InnerException: HttpProtocolException reason }
            && failure.Message != reason.Message;
}
