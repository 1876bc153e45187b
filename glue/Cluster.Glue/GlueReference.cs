using Cluster.Glue.References;

namespace Cluster.Glue;

/// <summary>Gives up objects and streams that were passed by reference, earlier than by the end of the link or the
/// garbage collection of a proxy. Stateless.</summary>
public static class GlueReference
{
    /// <summary>Ends the reference. For a proxy or stream that came from a peer: it is given back to its owner; using
    /// it fails. For an object of this process that was passed to peers as a callback: their proxies fail from now on.
    /// Anything else, null among it, is left alone. Idempotent, does not wait; calls under way are not
    /// affected.</summary>
    /// <param name="value">A proxy, a stream, or an object that was passed as a callback.</param>
    public static void Release(object? value)
    {
        if (value is not null && !ImportedReference.Release(value))
            ExportedObjects.Revoke(value);
    }
}
