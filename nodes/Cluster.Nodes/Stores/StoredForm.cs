using Cluster.StateStore;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Stores;

/// <summary>The bytes that stores keep, read and written with the store's own errors, which say where the bytes lie and
/// what to do about them. Pure functions, for authors of stores.</summary>
public static class StoredForm
{
    /// <summary>Writes a table.</summary>
    /// <param name="table">What to write.</param>
    /// <exception cref="ClusterStoreException">The table is too large to be stored.</exception>
    public static byte[] Encode(ClusterTable table)
    {
        try
        {
            return ClusterTableCodec.Encode(table);
        }
        catch (StateFormatException failure)
        {
            throw new ClusterStoreException(
                ClusterStoreError.Unusable,
                $"The cluster's table cannot be stored: {failure.Message} Run fewer nodes, or create the cluster with "
                + "fewer partitions (Cluster:PartitionCount).", failure);
        }
    }

    /// <summary>Reads a table.</summary>
    /// <param name="bytes">What is stored.</param>
    /// <param name="place">Where it is stored, for the message.</param>
    /// <exception cref="ClusterStoreException">The bytes are no table that this version of the library
    /// reads.</exception>
    public static ClusterTable Decode(ReadOnlySpan<byte> bytes, string place)
    {
        try
        {
            return ClusterTableCodec.Decode(bytes);
        }
        catch (StateFormatException failure)
        {
            throw Incompatible(place, failure);
        }
    }

    /// <summary>Reads a cluster's fixed properties and checks that they are those of this cluster.</summary>
    /// <param name="bytes">What is stored.</param>
    /// <param name="clusterName">The name the store was opened for.</param>
    /// <param name="place">Where it is stored, for the message.</param>
    /// <exception cref="ClusterStoreException">They are of another format or of another cluster.</exception>
    public static ClusterMeta DecodeMeta(ReadOnlySpan<byte> bytes, string clusterName, string place)
    {
        ClusterMeta meta;
        try
        {
            meta = ClusterMetaCodec.Decode(bytes);
        }
        catch (StateFormatException failure)
        {
            throw Incompatible(place, failure);
        }

        if (meta.Name == clusterName)
            return meta;
        throw new ClusterStoreException(
            ClusterStoreError.Incompatible,
            $"{place} belongs to cluster '{LogText.Clean(meta.Name)}', not to '{clusterName}'. "
            + "Correct Cluster:Name or choose "
            + "another place.");
    }

    private static ClusterStoreException Incompatible(string place, StateFormatException failure) => new(
        ClusterStoreError.Incompatible,
        $"{place} cannot be read: {failure.Message} Run the version that wrote it, or choose another place.", failure);
}
