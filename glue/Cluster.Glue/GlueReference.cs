using Cluster.Glue.References;

namespace Cluster.Glue;

/// <summary>Ends references to objects and streams, earlier than the end of the link or the garbage collection of a
/// proxy does. Stateless.</summary>
public static class GlueReference
{
    /// <summary>Ends the reference. A proxy or stream that came from a peer is given back to its owner; using it fails.
    /// For an object of this process that was passed to peers as a callback, the peers' proxies fail from now on. Any
    /// other value, also null, is ignored. Idempotent, does not wait; calls under way are not affected.</summary>
    /// <param name="value">A proxy, a stream, or an object that was passed as a callback.</param>
    public static void Release(object? value)
    {
        if (value is not null && !ImportedReference.Release(value))
            ExportedObjects.Revoke(value);
    }
}
