namespace Cluster.Glue.Routes;

/// <summary>A route whose first channel was chosen before; it may be the only one. For one call; immutable.</summary>
internal sealed class ChosenRoute(CallRoute route, ICallChannel channel, bool isFinal) : CallRoute(route)
{
    private readonly CallRoute _route = route;
    private readonly ICallChannel _channel = channel;
    private readonly bool _isFinal = isFinal;

    public override ReadOnlyMemory<byte> Headers => _route.Headers;

    public override bool SharesObjects => _route.SharesObjects;

    public override bool HasAlternatives => !_isFinal && _route.HasAlternatives;

    public override ICallChannel? Select(IReadOnlyCollection<string> excluded) =>
        excluded.Count == 0 || _isFinal ? _channel : _route.Select(excluded);
}
