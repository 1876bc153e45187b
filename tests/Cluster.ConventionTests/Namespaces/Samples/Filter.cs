using Cluster.Glue.Filters;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Lets calls pass.</summary>
internal sealed class Filter : IGlueFilter
{
    public ValueTask InvokeAsync(GlueCallContext context, Func<GlueCallContext, ValueTask> proceed) =>
        proceed(context);
}
