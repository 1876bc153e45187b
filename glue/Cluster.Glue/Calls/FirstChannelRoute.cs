namespace Cluster.Glue.Calls;

/// <summary>A route whose first channel was chosen before. Immutable; for one call.</summary>
internal sealed class FirstChannelRoute(CallRoute route, ICallChannel channel) : CallRoute(route.Settings)
{
    public override ReadOnlyMemory<byte> Headers => route.Headers;

    public override bool SharesObjects => route.SharesObjects;

    public override bool HasAlternatives => route.HasAlternatives;

    public override ICallChannel? Select(IReadOnlyCollection<string> excluded)
        => excluded.Count == 0 ? channel : route.Select(excluded);
}
