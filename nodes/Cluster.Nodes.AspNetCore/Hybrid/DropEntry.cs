using Cluster.StateStore;

namespace Cluster.Nodes.AspNetCore.Hybrid;

/// <summary>Removes an entry that counts no more, unless a newer one has taken its place.</summary>
/// <param name="stamp">The stamp of the entry.</param>
internal sealed class DropEntry(long stamp) : IStateOperation<HybridEntry, bool>
{
    /// <inheritdoc />
    public bool Apply(ref HybridEntry? entry, in OperationContext context)
    {
        if (entry is null || entry.Stamp != stamp)
            return false;
        entry = null;
        return true;
    }
}
