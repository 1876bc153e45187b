using Cluster.StateStore;

namespace Cluster.Nodes.Storage.Values;

/// <summary>Chooses the revisions of writes. Stateless.</summary>
internal static class Revisions
{
    /// <summary>The revision of a write: greater than a known one, and greater than those of earlier writes that are
    /// known to the storage alone, because a clock is read.</summary>
    public static long Next(long known, in OperationContext context) => Math.Max(known + 1, context.UtcNow.UtcTicks);
}
