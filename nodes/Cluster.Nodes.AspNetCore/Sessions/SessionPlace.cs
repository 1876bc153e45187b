using Cluster.StateStore;

namespace Cluster.Nodes.AspNetCore.Sessions;

/// <summary>One session in the cluster. Immutable and thread-safe.</summary>
/// <param name="sessions">The state of all sessions.</param>
/// <param name="key">The key of the session, which the cookie holds.</param>
/// <param name="expiry">When a new session ends.</param>
internal sealed class SessionPlace(
    IPartitionedState<string, SessionRecord> sessions, string key, StateExpiry expiry)
{
    /// <summary>Reads the session, which begins its idle time anew.</summary>
    public ValueTask<SessionRecord?> ReadAsync(CancellationToken cancellationToken) =>
        sessions.GetAsync(key, cancellationToken);

    /// <summary>Begins the idle time of the session anew.</summary>
    public async ValueTask TouchAsync(CancellationToken cancellationToken) =>
        await sessions.TouchAsync(key, cancellationToken: cancellationToken).ConfigureAwait(false);

    /// <summary>Stores a session where there is none.</summary>
    /// <returns>False: there is one.</returns>
    public async ValueTask<bool> TryCreateAsync(SessionRecord session, CancellationToken cancellationToken)
    {
        var version = await sessions
            .PutIfVersionAsync(key, session, StateVersion.None, expiry, cancellationToken).ConfigureAwait(false);
        return version is not null;
    }

    /// <summary>Changes the session on its owner.</summary>
    public ValueTask<TResult> UpdateAsync<TResult>(
        IStateOperation<SessionRecord, TResult> operation, CancellationToken cancellationToken) =>
        sessions.UpdateAsync(key, operation, cancellationToken);
}
