using Cluster.Glue.References;
using Cluster.Glue.Settings;

namespace Cluster.Glue.Routes;

/// <summary>The route of a callback's proxy: its calls go to the one object, over the link that it came by. When no
/// user holds the proxy any more, the object is given back to its owner. Immutable.</summary>
internal sealed class CallbackRoute(ClientSettings settings, CallbackReference reference, ICallChannel channel)
    : CallRoute(settings)
{
    // The last resort, where no user has called GlueReference.Release. It never waits.
    ~CallbackRoute()
    {
        if (reference.IsReturning)
            GC.ReRegisterForFinalize(this);
        else
            ThreadPool.UnsafeQueueUserWorkItem(static one => one.Release(), reference, preferLocal: false);
    }

    public override ImportedReference Target => reference;

    public override bool HasAlternatives => false;

    public override ICallChannel? Select(IReadOnlyCollection<string> excluded) => channel;
}
