using Cluster.Contracts;

namespace Cluster.Glue.Calls;

/// <summary>Where the calls of one proxy go. Immutable; used by all calls of the proxy at once.</summary>
internal abstract class CallRoute(ClientSettings settings, CallInterceptor? interceptor = null)
{
    public ClientSettings Settings { get; } = settings;

    /// <summary>What calls pass before they are sent; null: nothing.</summary>
    public CallInterceptor? Interceptor { get; } = interceptor;

    /// <summary>Headers that each call carries.</summary>
    public virtual ReadOnlyMemory<byte> Headers => default;

    /// <summary>
    /// Arguments and results are handed over as they are, because the server is in this process and shares objects.
    /// </summary>
    public virtual bool SharesObjects => false;

    /// <summary>A call that was not delivered may be tried at another address.</summary>
    public abstract bool HasAlternatives { get; }

    /// <summary>The channel for the next attempt, or null when no address is left.</summary>
    public abstract ICallChannel? Select(IReadOnlyCollection<string> excluded);

    /// <summary>The same way, and there to one instance of a stateful service.</summary>
    public virtual CallRoute At(GlueInstance instance) => new InstanceRoute(this, instance);
}
