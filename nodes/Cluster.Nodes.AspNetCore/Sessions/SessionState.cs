using Cluster.StateStore;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Cluster.Nodes.AspNetCore.Sessions;

/// <summary>A typed value of the session of the current request. Belongs to one request.</summary>
internal sealed class SessionState<T>(IHttpContextAccessor requests, ClusterSessionOptions options) : ISessionState<T>
    where T : class
{
    private static readonly string Name = typeof(T).ToString();

    private ClusterSession Session
    {
        get
        {
            if (!options.HasState(typeof(T)))
            {
                throw new InvalidOperationException(
                    $"Sessions have no value of the type {typeof(T)}. Add it on all nodes: "
                    + $"AddClusterSession(session => session.AddState<{typeof(T).Name}>()).");
            }

            return requests.HttpContext?.Features.Get<ISessionFeature>()?.Session as ClusterSession
                ?? throw new InvalidOperationException(
                    $"ISessionState<{typeof(T).Name}> works in a request with a session of the cluster. Call "
                    + "AddClusterSession for the cluster, and app.UseSession() before the code that uses it.");
        }
    }

    /// <inheritdoc />
    public async ValueTask<T?> GetAsync(CancellationToken cancellationToken = default)
    {
        var session = Session;
        if (!session.MayBeStored)
            return null;
        var found = await session.Place.ReadAsync(cancellationToken).ConfigureAwait(false);
        session.MarkAccessed();
        return (T?)found?.States.GetValueOrDefault(Name);
    }

    /// <inheritdoc />
    public async ValueTask SetAsync(T value, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(value);
        await ChangeAsync(Session, new ReplaceState(value), cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc />
    public async ValueTask<TResult> UpdateAsync<TResult>(
        IStateOperation<T, TResult> operation, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return (TResult)(await ChangeAsync(Session, operation, cancellationToken).ConfigureAwait(false))!;
    }

    /// <inheritdoc />
    public async ValueTask<bool> RemoveAsync(CancellationToken cancellationToken = default)
    {
        var session = Session;
        if (!session.MayBeStored)
            return false;
        var change = new SessionStateChange(Name, new ReplaceState(null));
        var result = await session.Place.UpdateAsync(change, cancellationToken).ConfigureAwait(false);
        session.MarkAccessed();
        return result is { HasSession: true, Value: true };
    }

    // The session may end between two steps. The deadlines of the state's operations bound the loop.
    private static async ValueTask<object?> ChangeAsync(
        ClusterSession session, object change, CancellationToken cancellationToken)
    {
        while (true)
        {
            if (session.MayBeStored)
            {
                var result = await session.Place
                    .UpdateAsync(new SessionStateChange(Name, change), cancellationToken).ConfigureAwait(false);
                if (result.HasSession)
                {
                    session.MarkAccessed();
                    return result.Value;
                }
            }

            await session.BeginAsync(cancellationToken).ConfigureAwait(false);
        }
    }
}
