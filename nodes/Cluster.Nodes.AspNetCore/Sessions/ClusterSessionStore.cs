using Cluster.StateStore;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Session;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Sessions;

/// <summary>Gives the session middleware sessions that are values of a state of the cluster. Immutable and
/// thread-safe.</summary>
internal sealed class ClusterSessionStore(
    [FromKeyedServices(SessionRecord.StateName)] IPartitionedState<string, SessionRecord> sessions,
    ClusterSessionOptions options,
    SessionRefusals refusals,
    TimeProvider time) : ISessionStore
{
    /// <inheritdoc />
    public ISession Create(
        string sessionKey,
        TimeSpan idleTimeout,
        TimeSpan ioTimeout,
        Func<bool> tryEstablishSession,
        bool isNewSessionKey)
    {
        ArgumentException.ThrowIfNullOrEmpty(sessionKey);
        ArgumentNullException.ThrowIfNull(tryEstablishSession);
        if (isNewSessionKey)
            refusals.NoteNewKey();
        var place = new SessionPlace(sessions, sessionKey, StateExpiry.Sliding(idleTimeout));
        return new ClusterSession(place, options, new SessionTimeout(ioTimeout, time), refusals)
        {
            IsNewKey = isNewSessionKey,
            TryEstablish = tryEstablishSession,
        };
    }
}
