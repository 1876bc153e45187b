using Cluster.StateStore.Partitions;

namespace Cluster.Nodes.Stores.Files;

/// <summary>
/// The two files that make a cluster: its properties and its table. Owned by the store; readers need no lock, writers
/// hold the table's lock. The cluster id is kept from the first read, in one reference, to notice a folder that was
/// replaced.
/// </summary>
internal sealed class ClusterFiles(StoreFolder folder, string clusterName)
{
    private volatile ClusterMeta? _known;

    internal async ValueTask<ClusterMeta?> ReadMetaAsync(CancellationToken cancellation)
    {
        var file = await ReadAsync(folder.MetaPath, StoreFileKind.Meta, cancellation);
        if (file is null) return null;
        var meta = StoredForm.DecodeMeta(file.Payload.Span, clusterName, folder.MetaPath);
        if (meta.ClusterId != file.ClusterId)
        {
            throw StoreFileFormat.Damaged(folder.MetaPath, "its two cluster ids differ");
        }

        _known ??= meta;
        return meta;
    }

    internal async ValueTask<ClusterTable?> ReadTableAsync(CancellationToken cancellation)
    {
        var meta = _known ?? await ReadMetaAsync(cancellation);
        if (meta is null) return null;
        var file = await ReadAsync(folder.TablePath, StoreFileKind.Table, cancellation)
            ?? throw StoreFileFormat.Damaged(folder.TablePath, "it is missing");
        if (file.ClusterId != meta.ClusterId)
        {
            throw StoreFileFormat.Foreign(
                folder.TablePath, $"it belongs to cluster {file.ClusterId}, not to {meta.ClusterId}");
        }

        var table = StoredForm.Decode(file.Payload.Span, folder.TablePath);
        if (table.Version == file.Stamp && table.Partitions.Length == meta.PartitionCount) return table;
        throw StoreFileFormat.Damaged(
            folder.TablePath,
            $"version {table.Version} with {table.Partitions.Length} partitions, expected were version {file.Stamp} "
            + $"with {meta.PartitionCount}");
    }

    /// <summary>The table's version alone, or <c>null</c> where there is no table.</summary>
    internal async ValueTask<long?> ReadVersionAsync(CancellationToken cancellation)
    {
        var header = await AtomicFile.ReadStartAsync(folder.TablePath, StoreFileFormat.HeaderBytes, cancellation);
        return header is null ? null : StoreFileFormat.DecodeStamp(header, folder.TablePath);
    }

    internal async ValueTask<ClusterMeta> CreateNeedsLockAsync(ClusterMeta proposed, CancellationToken cancellation)
    {
        // The properties come last: they are what makes a cluster, so a crash before them leaves none, and a table that
        // has lived without them is no leftover of such a crash.
        if (await ReadVersionAsync(cancellation) > 1)
        {
            throw StoreFileFormat.Foreign(folder.TablePath, $"there is a table, but no {folder.MetaPath}");
        }

        var table = ClusterTable.CreateEmpty(proposed.PartitionCount);
        await WriteTableAsync(proposed.ClusterId, table);
        var meta = new StoreFile(StoreFileKind.Meta, proposed.ClusterId, 0, ClusterMetaCodec.Encode(proposed));
        await AtomicFile.ReplaceAsync(folder.MetaPath, StoreFileFormat.Encode(meta));
        _known ??= proposed;
        return proposed;
    }

    internal ValueTask WriteTableNeedsLockAsync(ClusterTable table) => WriteTableAsync(_known!.ClusterId, table);

    private ValueTask WriteTableAsync(Guid clusterId, ClusterTable table)
    {
        var file = new StoreFile(StoreFileKind.Table, clusterId, table.Version, StoredForm.Encode(table));
        return AtomicFile.ReplaceAsync(folder.TablePath, StoreFileFormat.Encode(file));
    }

    private static async ValueTask<StoreFile?> ReadAsync(
        string path, StoreFileKind kind, CancellationToken cancellation)
    {
        var bytes = await AtomicFile.ReadAsync(path, StoreFileFormat.FileBytesMax, cancellation);
        return bytes is null ? null : StoreFileFormat.Decode(bytes, kind, path);
    }
}
