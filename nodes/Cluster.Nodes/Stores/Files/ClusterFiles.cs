using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Stores.Files;

/// <summary>The two files that make a cluster: its properties and its table. Owned by the store; readers need no lock,
/// writers hold the table's lock. The cluster id is kept from the first read, to notice a folder that was
/// replaced.</summary>
internal sealed class ClusterFiles(StoreFolder folder, string clusterName)
{
    private readonly StoreIdentity _identity = new();

    public async ValueTask<ClusterMeta?> ReadMetaAsync(CancellationToken cancellationToken)
    {
        var file = await ReadAsync(folder.MetaPath, StoreFileKind.Meta, cancellationToken).ConfigureAwait(false);
        if (file is null)
            return null;
        var meta = StoredForm.DecodeMeta(file.Payload.Span, clusterName, folder.MetaPath);
        if (meta.ClusterId != file.ClusterId)
            throw StoreFileFormat.Damaged(folder.MetaPath, "its two cluster ids differ");

        return _identity.Check(meta, folder.MetaPath);
    }

    public async ValueTask<ClusterTable?> ReadTableAsync(CancellationToken cancellationToken)
    {
        if (await ReadMetaAsync(cancellationToken).ConfigureAwait(false) is not { } meta)
            return null;
        var file = await ReadAsync(folder.TablePath, StoreFileKind.Table, cancellationToken).ConfigureAwait(false)
            ?? throw StoreFileFormat.Damaged(folder.TablePath, "it is missing");
        if (file.ClusterId != meta.ClusterId)
        {
            throw StoreFileFormat.Foreign(
                folder.TablePath, $"it belongs to cluster {file.ClusterId}, not to {meta.ClusterId}");
        }

        var table = StoredForm.Decode(file.Payload.Span, folder.TablePath);
        if (table.Version == file.Stamp && table.SetSize == meta.PartitionCount)
            return table;
        throw StoreFileFormat.Damaged(
            folder.TablePath,
            $"version {table.Version} with {table.SetSize} partitions in a set, expected were version {file.Stamp} "
            + $"with {meta.PartitionCount}");
    }

    /// <summary>The table's version alone, or <c>null</c> where there is no table.</summary>
    public async ValueTask<long?> ReadVersionAsync(CancellationToken cancellationToken)
    {
        if (_identity.Known is null && await ReadMetaAsync(cancellationToken).ConfigureAwait(false) is null)
            return null;
        if (await ReadHeaderAsync(cancellationToken).ConfigureAwait(false) is not { } header)
            return null;
        _identity.Check(header.ClusterId, folder.TablePath);
        return header.Stamp;
    }

    /// <summary>The table's version and digest, or <c>null</c> where there is no table. The digest is the checksum that
    /// the table itself ends with.</summary>
    public async ValueTask<TableStamp?> ReadStampAsync(CancellationToken cancellationToken)
    {
        if (await ReadMetaAsync(cancellationToken).ConfigureAwait(false) is null)
            return null;
        var (start, end) = await AtomicFile.ReadEndsAsync(
            folder.TablePath, StoreFileFormat.HeaderBytes, StoreFileFormat.DigestBytesFromEnd, cancellationToken)
            .ConfigureAwait(false);
        if (start is null)
            throw StoreFileFormat.Damaged(folder.TablePath, "it is missing");
        var (clusterId, version) = StoreFileFormat.DecodeHeader(start, folder.TablePath);
        _identity.Check(clusterId, folder.TablePath);
        return new TableStamp(version, BinaryPrimitives.ReadUInt64LittleEndian(end));
    }

    /// <summary>The error for a folder without the cluster's properties.</summary>
    /// <param name="description">The store, as it describes itself.</param>
    public ClusterStoreException DescribeMissing(string description) => File.Exists(folder.TablePath)
        ? StoreFileFormat.Damaged(folder.MetaPath, "it is missing")
        : _identity.DescribeMissing(description);

    /// <summary>Whether the folder holds the cluster that this store belongs to.</summary>
    public async ValueTask<bool> IsOwnAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await ReadMetaAsync(cancellationToken).ConfigureAwait(false) is not null;
        }
        catch (ClusterStoreException)
        {
            return false;
        }
    }

    public async ValueTask<ClusterMeta> CreateNeedsLockAsync(ClusterMeta proposed, CancellationToken cancellationToken)
    {
        // The properties come last: they make the folder a cluster, so a crash before them leaves none. A table that
        // was changed without them is no leftover of such a crash.
        if (await ReadHeaderAsync(cancellationToken).ConfigureAwait(false) is { Stamp: > 1 })
            throw StoreFileFormat.Foreign(folder.TablePath, $"there is a table, but no {folder.MetaPath}");

        await WriteClusterAsync(proposed, ClusterTable.CreateEmpty(proposed.PartitionCount)).ConfigureAwait(false);
        return proposed;
    }

    /// <summary>Writes a cluster again whose properties are missing. A newer table than the given one stays.</summary>
    public async ValueTask RestoreNeedsLockAsync(
        ClusterMeta meta, ClusterTable table, CancellationToken cancellationToken)
    {
        if (await ReadHeaderAsync(cancellationToken).ConfigureAwait(false) is { } found
            && (found.Stamp >= table.Version || found.ClusterId != meta.ClusterId))
        {
            throw StoreFileFormat.Foreign(
                folder.TablePath,
                $"it holds table {found.Stamp} of cluster {found.ClusterId}, but {folder.MetaPath} is missing");
        }

        await WriteClusterAsync(meta, table).ConfigureAwait(false);
    }

    private async ValueTask WriteClusterAsync(ClusterMeta meta, ClusterTable table)
    {
        _identity.Check(meta, folder.MetaPath);
        await WriteTableAsync(meta.ClusterId, table).ConfigureAwait(false);
        var file = new StoreFile(StoreFileKind.Meta, meta.ClusterId, 0, ClusterMetaCodec.Encode(meta));
        await AtomicFile.ReplaceAsync(folder.MetaPath, StoreFileFormat.Encode(file)).ConfigureAwait(false);
    }

    public ValueTask WriteTableNeedsLockAsync(ClusterTable table) =>
        WriteTableAsync(_identity.Known!.ClusterId, table);

    private async ValueTask<(Guid ClusterId, long Stamp)?> ReadHeaderAsync(CancellationToken cancellationToken)
    {
        var header = await AtomicFile.ReadStartAsync(folder.TablePath, StoreFileFormat.HeaderBytes, cancellationToken)
            .ConfigureAwait(false);
        return header is null ? null : StoreFileFormat.DecodeHeader(header, folder.TablePath);
    }

    private ValueTask WriteTableAsync(Guid clusterId, ClusterTable table)
    {
        var file = new StoreFile(StoreFileKind.Table, clusterId, table.Version, StoredForm.Encode(table));
        return AtomicFile.ReplaceAsync(folder.TablePath, StoreFileFormat.Encode(file));
    }

    private static async ValueTask<StoreFile?> ReadAsync(
        string path, StoreFileKind kind, CancellationToken cancellationToken)
    {
        var bytes = await AtomicFile.ReadAsync(path, StoreFileFormat.FileBytesMax, cancellationToken)
            .ConfigureAwait(false);
        return bytes is null ? null : StoreFileFormat.Decode(bytes, kind, path);
    }
}
