using Cluster.Glue.Emission;

namespace Cluster.Glue;

/// <summary>Makes proxies for single instances of stateful services.</summary>
public static class GlueInstanceExtensions
{
    /// <summary>Makes a proxy whose calls go to one instance. The handle may come from anywhere: a constructor's
    /// result, an argument, a database.</summary>
    /// <typeparam name="TContract">The contract of a stateful service.</typeparam>
    /// <param name="proxy">Any proxy for the same service.</param>
    /// <param name="instance">The handle.</param>
    /// <exception cref="ArgumentException">The object is no proxy.</exception>
    public static TContract At<TContract>(this TContract proxy, GlueInstance instance)
        where TContract : class =>
        proxy is GlueProxy known
            ? (TContract)known.At(instance)
            : throw new ArgumentException($"{typeof(TContract)} is not implemented by a proxy here.", nameof(proxy));
}
