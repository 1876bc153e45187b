namespace Cluster.Glue.Filters;

/// <summary>Runs around calls, on the side of the caller or of the service: sees and may change arguments, result and
/// headers, may answer instead of the service, and may fail the call. One object serves all calls at once, so
/// implementations are thread-safe.</summary>
public interface IGlueFilter
{
    /// <summary>Runs around one call. What it throws fails this call only: the caller gets it like an exception of the
    /// method.</summary>
    /// <param name="context">The call; valid until the returned task ends.</param>
    /// <param name="proceed">
    /// Goes on to the next filter, and in the end to the service; with its end, the result is there, or it fails as the
    /// call does. To be called once and awaited, or not at all: then the call ends with
    /// <see cref="GlueCallContext.Result"/>, and the service does not notice.
    /// </param>
    ValueTask InvokeAsync(GlueCallContext context, Func<GlueCallContext, ValueTask> proceed);
}
