using Cluster.Glue.Filters;

namespace Cluster.Glue.Tests.Semantics.Filters;

/// <summary>A filter that says when it is at work and does what the test wants in between.</summary>
internal sealed class TestFilter(FilterTrace trace, string name) : IGlueFilter
{
    /// <summary>What it does; null: it lets the call pass.</summary>
    public Func<GlueCallContext, Func<GlueCallContext, ValueTask>, ValueTask>? Work { get; set; }

    public async ValueTask InvokeAsync(GlueCallContext context, Func<GlueCallContext, ValueTask> proceed)
    {
        trace.Add($"{name} in");
        await (Work ?? Pass)(context, proceed);
        trace.Add($"{name} out");
    }

    private static ValueTask Pass(GlueCallContext context, Func<GlueCallContext, ValueTask> proceed) =>
        proceed(context);
}

/// <summary>A filter that the container makes.</summary>
internal sealed class MadeFilter(FilterTrace trace) : IGlueFilter
{
    public async ValueTask InvokeAsync(GlueCallContext context, Func<GlueCallContext, ValueTask> proceed)
    {
        await Task.Yield();
        if (context.Arguments is ["made"])
            trace.Add("made");
        await proceed(context);
    }
}
