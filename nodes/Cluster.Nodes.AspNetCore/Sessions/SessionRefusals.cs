using Cluster.Nodes.AspNetCore.Refusals;
using Cluster.StateStore;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Cluster.Nodes.AspNetCore.Sessions;

/// <summary>Tells and counts which sessions, keys and values are refused, and what the cluster does not give in time.
/// Immutable and thread-safe.</summary>
/// <param name="metrics">Counts.</param>
/// <param name="requests">Finds the request that is served.</param>
/// <param name="options">The name of the session cookie.</param>
/// <param name="logger">Tells.</param>
internal sealed partial class SessionRefusals(
    RefusalMetrics metrics,
    IHttpContextAccessor requests,
    IOptions<SessionOptions> options,
    ILogger<ClusterSession> logger)
{
    /// <summary>A request gets a new session. The middleware makes a new key also where it could not unprotect the
    /// cookie.</summary>
    public void NoteNewKey()
    {
        if (options.Value.Cookie.Name is { } name && requests.HttpContext?.Request.Cookies.ContainsKey(name) == true)
            Count(RefusalReason.CookieUnreadable);
    }

    /// <summary>The cluster does not have the session that a request names.</summary>
    public void NoteUnknown()
    {
        LogExpired(logger);
        Count(RefusalReason.SessionUnknown);
    }

    /// <summary>A key is too long.</summary>
    public void NoteLongKey() => Count(RefusalReason.KeyTooLong);

    /// <summary>A value, or the session with it, is too large.</summary>
    public void NoteTooLarge() => Count(RefusalReason.ValueTooLarge);

    /// <summary>A session could not be read. A time-out was told before.</summary>
    public void NoteReadFailure(Exception failure)
    {
        LogReadFailure(logger, LogText.Clean(failure));
        if (failure is StateException)
            Count(RefusalReason.Unreachable);
    }

    /// <summary>A session was not read in time.</summary>
    public void NoteLoadTimeout()
    {
        LogLoadTimeout(logger);
        Count(RefusalReason.Unreachable);
    }

    /// <summary>A session was not stored in time.</summary>
    public void NoteCommitTimeout()
    {
        LogCommitTimeout(logger);
        Count(RefusalReason.Unreachable);
    }

    /// <summary>A session that could not be read is not stored.</summary>
    public void NoteNotAvailable() => LogNotAvailable(logger);

    private void Count(RefusalReason reason) => metrics.Count(SessionRecord.StateName, reason);
}
