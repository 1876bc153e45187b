namespace Cluster.Glue.Filters;

/// <summary>Runs around calls, on the side of the caller or of the service: sees and may change arguments, result and
/// headers, may answer instead of the service, and may fail the call. One object serves all calls at once, so
/// implementations are thread-safe.</summary>
public interface IGlueFilter
{
    /// <summary>Runs around one call. An exception of the filter fails this call only: the caller gets it like an
    /// exception of the method.</summary>
    /// <param name="context">The call; valid until the returned task ends.</param>
    /// <param name="proceed">Calls the next filter, and after the last filter the service. When its task ends, the
    /// result is set; if the call fails, its task fails with the same exception. A filter calls it once and awaits it,
    /// or does not call it: then the call ends with <see cref="GlueCallContext.Result"/>, and the service is not
    /// called.</param>
    ValueTask InvokeAsync(GlueCallContext context, Func<GlueCallContext, ValueTask> proceed);
}
