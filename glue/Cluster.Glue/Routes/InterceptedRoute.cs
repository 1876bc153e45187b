namespace Cluster.Glue.Routes;

/// <summary>Another route with an interceptor before it. Immutable.</summary>
internal sealed class InterceptedRoute(CallRoute route, CallInterceptor interceptor)
    : CallRoute(route.Settings, interceptor)
{
    /// <summary>The route after the interceptor.</summary>
    public CallRoute Next => route;

    public override ReadOnlyMemory<byte> Headers => route.Headers;

    public override bool SharesObjects => Interceptor!.TakesObjects || route.SharesObjects;

    public override bool HasAlternatives => route.HasAlternatives;

    public override ICallChannel? Select(IReadOnlyCollection<string> excluded) => route.Select(excluded);

    public override CallRoute StartingWith(ICallChannel channel) =>
        new InterceptedRoute(route.StartingWith(channel), Interceptor!);

    public override CallRoute At(GlueInstance instance) => new InterceptedRoute(route.At(instance), Interceptor!);
}
