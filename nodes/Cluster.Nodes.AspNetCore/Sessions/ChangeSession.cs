using Cluster.StateStore;

namespace Cluster.Nodes.AspNetCore.Sessions;

/// <summary>Applies the changes of one request to a session, on the session's owner. Changes of other requests to other
/// keys stay.</summary>
/// <param name="isCleared">Whether all values go first.</param>
/// <param name="values">The new values by their keys; null removes a value.</param>
/// <param name="maxSessionBytes">The largest session.</param>
internal sealed class ChangeSession(bool isCleared, Dictionary<string, byte[]?> values, long maxSessionBytes)
    : IStateOperation<SessionRecord, ChangeSessionResult>
{
    /// <inheritdoc />
    public ChangeSessionResult Apply(ref SessionRecord? session, in OperationContext context)
    {
        // Only the caller knows the idle time-out, so the caller stores a session that is not there.
        if (session is null)
            return new ChangeSessionResult(IsApplied: false, Bytes: 0);
        var changed = new SessionRecord
        {
            Id = session.Id,
            Values = isCleared ? [] : new Dictionary<string, byte[]>(session.Values),
            States = isCleared ? [] : session.States,
        };
        foreach (var (key, value) in values)
        {
            if (value is null)
                changed.Values.Remove(key);
            else
                changed.Values[key] = value;
        }

        var bytes = changed.CountBytes();
        if (bytes > maxSessionBytes && bytes > session.CountBytes())
            return new ChangeSessionResult(IsApplied: false, bytes);
        session = changed;
        return new ChangeSessionResult(IsApplied: true, bytes);
    }
}

/// <summary>What became of the changes of a request.</summary>
/// <param name="IsApplied">Whether the session has changed.</param>
/// <param name="Bytes">The size of the session with the changes; zero when there is no session.</param>
internal readonly record struct ChangeSessionResult(bool IsApplied, long Bytes);
