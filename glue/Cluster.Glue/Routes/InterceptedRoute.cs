namespace Cluster.Glue.Routes;

/// <summary>Another route with an interceptor before it. Immutable.</summary>
internal sealed class InterceptedRoute : CallRoute
{
    private readonly CallRoute _route;

    public InterceptedRoute(CallRoute route, CallInterceptor interceptor)
        : base(route.Settings, interceptor)
    {
        _route = route;
        DeadlineMax = route.DeadlineMax;
    }

    /// <summary>The route after the interceptor.</summary>
    public CallRoute Next => _route;

    public override ReadOnlyMemory<byte> Headers => _route.Headers;

    public override bool SharesObjects => Interceptor!.TakesObjects || _route.SharesObjects;

    public override bool HasAlternatives => _route.HasAlternatives;

    public override ICallChannel? Select(IReadOnlyCollection<string> excluded) => _route.Select(excluded);

    public override CallRoute StartingWith(ICallChannel channel) =>
        new InterceptedRoute(_route.StartingWith(channel), Interceptor!);

    public override CallRoute At(GlueInstance instance) => new InterceptedRoute(_route.At(instance), Interceptor!);
}
