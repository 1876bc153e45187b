using Cluster.Glue.Client;

namespace Cluster.Glue.Routes;

/// <summary>Stands between a caller and the sending of his calls, of which it may make none, one or several. Immutable;
/// used by all calls of a proxy at once.</summary>
internal abstract class CallInterceptor
{
    /// <summary>Arguments are handed over as they are.</summary>
    public abstract bool TakesObjects { get; }

    /// <summary>Makes a call.</summary>
    /// <param name="call">The arguments; not sent, and given back by this method.</param>
    /// <param name="route">Where it goes.</param>
    /// <param name="cancellationToken">The caller's.</param>
    public abstract Task<T> SendAsync<T>(OutgoingCall<T> call, CallRoute route, CancellationToken cancellationToken);
}
