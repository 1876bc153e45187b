using Cluster.Glue.Client;

namespace Cluster.Glue.Routes;

/// <summary>Intercepts the calls of a proxy before they are sent, and may make none, one or several calls instead.
/// Immutable; used by all calls of a proxy at once.</summary>
internal abstract class CallInterceptor
{
    /// <summary>Whether arguments are passed without serialization.</summary>
    public abstract bool TakesObjects { get; }

    /// <summary>Makes a call.</summary>
    /// <param name="call">The arguments. The call itself is not sent; this method gives it back.</param>
    /// <param name="route">The route of the call.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    public abstract Task<T> SendAsync<T>(OutgoingCall<T> call, CallRoute route, CancellationToken cancellationToken);
}
