using Cluster.Glue.Client;
using Cluster.Glue.References;
using Cluster.Glue.Routes;

namespace Cluster.Glue.Emission;

/// <summary>The base of all emitted proxies: the route of the calls and the methods. Immutable, so proxies are
/// thread-safe.</summary>
internal abstract class GlueProxy(CallRoute route, ClientMethod[] methods) : IRemoteObject
{
    ImportedReference? IRemoteObject.Reference => route.Target;

    /// <summary>A copy of the proxy whose calls go to one instance.</summary>
    public object At(Cluster.Contracts.GlueInstance instance) =>
        Activator.CreateInstance(GetType(), route.At(instance), methods)!;

    /// <summary>For emitted code: begins a call of the method with this index.</summary>
    protected OutgoingCall<T> Begin<T>(int index) => ((ClientMethod<T>)methods[index]).Begin(route);

    /// <summary>For contracts that are <see cref="IDisposable"/>: gives the object of a peer back. Other proxies hold
    /// nothing.</summary>
    public virtual void Dispose() => ImportedReference.Release(this);

    /// <summary>For contracts that are <see cref="IAsyncDisposable"/>: gives the object of a peer back.</summary>
    public virtual ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }

    /// <summary>For emitted code: begins a call of the generic method with this index, closed over the arguments of the
    /// key.</summary>
    protected OutgoingCall<T> BeginGeneric<T>(int index, Type key) =>
        ((ClientMethod<T>)((OpenClientMethod)methods[index]).Close(key)).Begin(route);
}
