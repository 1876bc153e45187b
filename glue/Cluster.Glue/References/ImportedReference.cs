using Cluster.Glue.Emission;

namespace Cluster.Glue.References;

/// <summary>What this side holds of an object or stream of the peer. Implementations protect themselves.</summary>
internal abstract class ImportedReference
{
    /// <summary>Gives it back to its owner; nothing can be done with it any more. Idempotent.</summary>
    public abstract void Release();

    /// <summary>Gives back what a user holds; false when that is no object of a peer.</summary>
    public static bool Release(object value)
    {
        ImportedReference? reference = value switch
        {
            GlueProxy { Route: CallbackRoute route } => route.Reference,
            IRemoteStream stream => stream.Reference,
            _ => null,
        };
        reference?.Release();
        return reference is not null;
    }
}
