using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Stores;

/// <summary>Which cluster a store belongs to: the one whose properties it has read, or created, first. What it reads
/// later is compared with it, so that a cluster that somebody created anew under the same name is never taken for the
/// one that this process belongs to. For authors of stores. One reference, set once, is its whole state.</summary>
public sealed class StoreIdentity
{
    private ClusterMeta? _first;

    /// <summary>The properties that were read first, or null before that.</summary>
    public ClusterMeta? Known => Volatile.Read(ref _first);

    /// <summary>Takes the first properties as this store's own, and refuses those of another cluster later.</summary>
    /// <param name="found">The properties that were read, or are about to be written.</param>
    /// <param name="place">Where they are stored, for the message.</param>
    /// <returns>The properties that were found.</returns>
    /// <exception cref="ClusterStoreException">They belong to another cluster.</exception>
    public ClusterMeta Check(ClusterMeta found, string place)
    {
        ArgumentNullException.ThrowIfNull(found);
        Check(found.ClusterId, Interlocked.CompareExchange(ref _first, found, null)?.ClusterId, place);
        return found;
    }

    /// <summary>Refuses data of another cluster than the one whose properties were read first.</summary>
    /// <param name="found">The identity that stands beside the data.</param>
    /// <param name="place">Where the data are stored, for the message.</param>
    /// <exception cref="ClusterStoreException">They belong to another cluster.</exception>
    public void Check(Guid found, string place) => Check(found, Known?.ClusterId, place);

    /// <summary>The error for a store that holds no cluster: it has none yet, or it holds this process's cluster no
    /// more.</summary>
    /// <param name="description">The store, as it describes itself.</param>
    public ClusterStoreException DescribeMissing(string description) => Known is null
        ? StoreErrors.NotBootstrapped(description)
        : StoreErrors.Emptied(description);

    private static void Check(Guid found, Guid? known, string place)
    {
        if (known is null || found == known)
            return;
        throw new ClusterStoreException(
            ClusterStoreError.Incompatible,
            $"{place} belongs to cluster {found}, but this process belongs to cluster {known}: somebody has created a "
            + "cluster of the same name there anew. Put the data of the former cluster back, or stop this process and "
            + "start it again to make it a member of the new cluster.");
    }
}
