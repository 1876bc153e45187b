namespace Cluster.Glue.Filters;

/// <summary>The filters of one endpoint, composed for each binding. Immutable.</summary>
internal sealed class FilterChains(IGlueFilter[][] filters)
{
    private readonly Func<GlueCallContext, ValueTask>?[] _chains = Array.ConvertAll(filters, Compose);

    /// <summary>Runs all filters of a call over the binding, and then the call; null: there are none.</summary>
    public Func<GlueCallContext, ValueTask>? Of(GlueBinding binding) => _chains[(int)binding];

    private static Func<GlueCallContext, ValueTask>? Compose(IGlueFilter[] filters)
    {
        if (filters.Length == 0)
            return null;
        Func<GlueCallContext, ValueTask> chain = static context => context.ContinueAsync();
        foreach (var filter in filters.Reverse())
        {
            var next = chain;
            chain = context => filter.InvokeAsync(context, next);
        }

        return chain;
    }
}
