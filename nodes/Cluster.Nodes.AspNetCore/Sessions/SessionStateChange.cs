using Cluster.StateStore;

namespace Cluster.Nodes.AspNetCore.Sessions;

/// <summary>Changes one typed value of a session, on the session's owner.</summary>
/// <param name="name">The name of the value.</param>
/// <param name="change">An operation of the user, or a <see cref="ReplaceState"/>.</param>
internal sealed class SessionStateChange(string name, object change)
    : IStateOperation<SessionRecord, SessionStateResult>
{
    /// <inheritdoc />
    public SessionStateResult Apply(ref SessionRecord? session, in OperationContext context)
    {
        // Only the caller knows the idle time-out, so the caller begins a session that is not there.
        if (session is null)
            return new SessionStateResult(HasSession: false, Value: null);
        var state = session.States.GetValueOrDefault(name);
        var result = change is ReplaceState replacement
            ? replacement.Apply(ref state)
            : OperationRunner.Of(change.GetType()).Run(change, ref state, context);
        if (state is null)
            session.States.Remove(name);
        else
            session.States[name] = state;
        return new SessionStateResult(HasSession: true, result);
    }
}

/// <summary>What a change of a typed value gives.</summary>
/// <param name="HasSession">False: there is no session, and nothing has changed.</param>
/// <param name="Value">The result of the operation.</param>
internal sealed record SessionStateResult(bool HasSession, object? Value);
