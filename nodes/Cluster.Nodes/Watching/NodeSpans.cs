namespace Cluster.Nodes.Watching;

/// <summary>The spans of what a node does by itself, from the source <c>Cluster.Nodes</c>. Stateless.</summary>
internal static class NodeSpans
{
    /// <summary>The node registers, joins the member list, and serves what the table gives it.</summary>
    public const string Join = "join";

    /// <summary>The node hands its partitions over to others.</summary>
    public const string Drain = "drain";

    private const string NodeTag = "cluster.node.name";

    private static readonly ActivitySource Source = new(NodeMetrics.MeterName);

    /// <summary>Begins a span; null: nobody listens. It does not become the current activity: the loops that a node
    /// starts meanwhile would belong to it for ever.</summary>
    public static Activity? Begin(string name, NodeId node)
    {
        var current = Activity.Current;
        if (Source.StartActivity(name, ActivityKind.Internal, parentContext: default) is not { } span)
            return null;
        Activity.Current = current;
        // Without the incarnation, which is new after each start.
        return span.SetTag(NodeTag, node.Name);
    }

    /// <summary>Notes that what the span stands for has failed.</summary>
    public static void Fail(this Activity span, string error) =>
        span.SetTag("error.type", error).SetStatus(ActivityStatusCode.Error);
}
