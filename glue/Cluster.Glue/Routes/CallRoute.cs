using Cluster.Glue.References;
using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Routes;

/// <summary>The route of the calls of one proxy: it chooses their channel. Used by all calls of the proxy at once;
/// immutable but for its queue number, which is set once.</summary>
internal abstract class CallRoute
{
    private readonly CallRoute _lineOwner;
    private ulong _line;

    protected CallRoute(ClientSettings settings, CallInterceptor? interceptor = null)
    {
        Settings = settings;
        Interceptor = interceptor;
        _lineOwner = this;
    }

    /// <summary>Creates another route for calls of the same proxy.</summary>
    protected CallRoute(CallRoute route)
    {
        Settings = route.Settings;
        DeadlineMax = route.DeadlineMax;
        _lineOwner = route._lineOwner;
    }

    public ClientSettings Settings { get; }

    /// <summary>The longest time of a call; longer ones of the client or the caller are cut to it.</summary>
    public TimeSpan DeadlineMax { get; init; } = TimeSpan.MaxValue;

    /// <summary>The interceptor of the calls; null: none.</summary>
    public CallInterceptor? Interceptor { get; }

    /// <summary>The number of the queue that keeps the proxy's one-way calls, and the calls after them, in order; 0:
    /// the proxy has made no one-way call.</summary>
    public ulong Line => Volatile.Read(ref _lineOwner._line);

    /// <summary>The headers that each call carries.</summary>
    public virtual ReadOnlyMemory<byte> Headers => default;

    /// <summary>Whether arguments and results are passed without serialization, because the server is in this process
    /// and shares objects.</summary>
    public virtual bool SharesObjects => false;

    /// <summary>The object of a peer that is called; null for a service.</summary>
    public virtual ImportedReference? Target => null;

    /// <summary>Whether a call that was not delivered may be tried at another address.</summary>
    public abstract bool HasAlternatives { get; }

    /// <summary>The queue number of a call that is about to be sent.</summary>
    public ulong LineOf(ContractMethod method)
    {
        if (method.IsOneWay && Line == 0)
            Interlocked.CompareExchange(ref _lineOwner._line, Settings.Lines.Next(), 0);
        return Line;
    }

    /// <summary>The channel for the next attempt, or null when no address is left.</summary>
    public abstract ICallChannel? Select(IReadOnlyCollection<string> excluded);

    /// <summary>This route with a first channel that was chosen before.</summary>
    public virtual CallRoute StartingWith(ICallChannel channel) => new ChosenRoute(this, channel, isFinal: false);

    /// <summary>This route to one instance of a stateful service.</summary>
    public virtual CallRoute At(GlueInstance instance) => new InstanceRoute(this, instance);
}
