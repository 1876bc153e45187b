using Cluster.Pile.Hosting;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Storage;
using Cluster.StateStore.Protocol.Wire;

namespace Cluster.StateStore.Engine.Snapshots;

/// <summary>The snapshots of one node in one cluster: one file for each partition, and one with the layouts of their
/// values. Each node of each cluster has a folder of its own, so nobody else's files are ever touched. A lock of the
/// system keeps a second process out. Files are written and loaded by one thread each.</summary>
internal sealed class SnapshotFiles : IDisposable
{
    private const string Ending = ".snapshot";
    private const string FailedEnding = ".failed";
    private const int FormatVersion = 1;

    private readonly Guid _clusterId;
    private readonly int _partitionCount;
    private readonly string _folder;
    private readonly FileStream _lock;

    private SnapshotFiles(string folder, Guid clusterId, int partitionCount)
    {
        (_folder, _clusterId, _partitionCount) = (folder, clusterId, partitionCount);
        try
        {
            _lock = SnapshotWriter.Open(Path.Combine(folder, "lock"), FileMode.OpenOrCreate);
        }
        catch (IOException refusal) when (File.Exists(Path.Combine(folder, "lock")))
        {
            throw new IOException(
                $"Another process uses the snapshots in {folder}: {refusal.Message} Two nodes of a cluster need two "
                + "names.",
                refusal);
        }
    }

    /// <summary>Which other user can write there, and what follows; null: nobody can.</summary>
    public string? Sharing { get; private init; }

    private string LayoutsPath => Path.Combine(_folder, "layouts" + Ending);

    /// <summary>Opens the folder of a node, and makes it where it is missing.</summary>
    /// <param name="settings">Where the folder is.</param>
    /// <param name="clusterId">The identity of the cluster.</param>
    /// <param name="partitionCount">The most partitions that the cluster can have.</param>
    /// <exception cref="IOException">It cannot be used; the message says why, and what to do.</exception>
    public static SnapshotFiles Open(SnapshotSettings settings, Guid clusterId, int partitionCount)
    {
        var cluster = Path.Combine(Path.GetFullPath(settings.Folder), clusterId.ToString("N"));
        var folder = Path.Combine(cluster, settings.NodeName);
        string? sharing = null;
        try
        {
            foreach (var path in new[] { settings.Folder, cluster, folder })
            {
                PrivateFolder.Create(path);
                if (PrivateFolder.FindRisk(path) is not { } risk)
                    continue;
                sharing ??= $"{path}: {risk}. Whoever can write there can change the values of the cluster.";
                if (!settings.AllowsSharedFolder)
                {
                    throw new IOException(
                        $"{sharing} Give it to the user of this process (chown) and take the right to write from "
                        + "others (chmod go-w), or choose another folder.");
                }
            }

            return new SnapshotFiles(folder, clusterId, partitionCount) { Sharing = sharing };
        }
        catch (UnauthorizedAccessException refusal)
        {
            throw new IOException(
                $"The folder {folder} for snapshots cannot be used: {refusal.Message} Grant this process the right to "
                + "write there, or choose another folder.",
                refusal);
        }
    }

    /// <summary>Begins to write the snapshot of a partition.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="first">Up to which entry it will have everything.</param>
    /// <param name="body">Encodes blocks.</param>
    public SnapshotWriter Create(PartitionId partition, EntryId first, FormatWriter body)
    {
        body.Clear();
        body.Byte(FormatVersion);
        body.Guid(_clusterId);
        body.Varint((uint)partition.Value);
        body.UInt64(first.Value);
        var writer = new SnapshotWriter(PathOf(partition));
        try
        {
            writer.Add(SnapshotBlock.Head, body);
            return writer;
        }
        catch (IOException)
        {
            // The disk is full: the file must not stay open, nor on the disk.
            writer.Dispose();
            throw;
        }
    }

    /// <summary>Reads a whole snapshot, and checks it.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="take">Gets each part of the content; false ends the reading. Null: the file is checked only.
    /// </param>
    /// <returns>Of which state the snapshot is; null: there is no snapshot, or the reading was ended.</returns>
    /// <exception cref="StateFormatException">The file is damaged, or is not that of the partition.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public SnapshotMark? Read(PartitionId partition, Func<SnapshotContent, bool>? take)
    {
        var path = PathOf(partition);
        if (!File.Exists(path))
            return null;
        using var reader = new SnapshotReader(path);
        EntryId? first = null;
        SnapshotMark? mark = null;
        while (reader.Read())
        {
            var input = new FrameReader(reader.Body, _partitionCount);
            if ((reader.Kind == SnapshotBlock.Head) != first is null || mark is not null)
                throw input.Malformed($"a block of kind {reader.Kind} at this place");
            switch (reader.Kind)
            {
                case SnapshotBlock.Head:
                    first = ReadHead(ref input, partition);
                    break;
                case SnapshotBlock.Records:
                    if (take?.Invoke(new SnapshotContent(RecordFormat.ReadRecords(ref input), [])) == false)
                        return null;
                    break;
                case SnapshotBlock.Requests:
                    if (take?.Invoke(new SnapshotContent([], RecordFormat.ReadRequests(ref input))) == false)
                        return null;
                    break;
                case SnapshotBlock.End:
                    mark = new SnapshotMark(first!.Value, input.Entry(), input.Int64());
                    input.End();
                    break;
                default:
                    throw input.Malformed($"a block of kind {(byte)reader.Kind}");
            }
        }

        return mark ?? throw new StateFormatException($"The snapshot {path} was not completed.");
    }

    /// <summary>Puts a snapshot that could not be loaded aside, so that the next one does not replace it.</summary>
    /// <returns>Where it is now; null: there is none.</returns>
    public string? SetAside(PartitionId partition)
    {
        var path = PathOf(partition);
        if (!File.Exists(path))
            return null;
        File.Move(path, path + FailedEnding, overwrite: true);
        return path + FailedEnding;
    }

    /// <summary>Deletes the snapshot of a partition, if there is one.</summary>
    public void Delete(PartitionId partition) => File.Delete(PathOf(partition));

    /// <summary>Writes the layouts of values. Call it before a snapshot is completed that has such values.</summary>
    public void WriteLayouts(IReadOnlyCollection<(uint State, byte[][] Descriptions)> layouts, FormatWriter body)
    {
        using var writer = new SnapshotWriter(LayoutsPath);
        body.Clear();
        body.Byte(FormatVersion);
        body.Guid(_clusterId);
        body.Varint((uint)layouts.Count);
        foreach (var (state, descriptions) in layouts)
        {
            body.UInt32(state);
            body.Varint((uint)descriptions.Length);
            foreach (var description in descriptions)
                body.Block(description);
        }

        writer.Add(SnapshotBlock.Layouts, body);
        writer.Complete();
    }

    /// <summary>Reads the layouts of values.</summary>
    /// <exception cref="StateFormatException">The file is damaged.</exception>
    public IReadOnlyList<(uint State, byte[][] Descriptions)> ReadLayouts()
    {
        if (!File.Exists(LayoutsPath))
            return [];
        using var reader = new SnapshotReader(LayoutsPath);
        if (!reader.Read() || reader.Kind != SnapshotBlock.Layouts)
            throw new StateFormatException($"The file {LayoutsPath} has no layouts.");
        var input = new FrameReader(reader.Body, _partitionCount);
        CheckIdentity(ref input);
        var layouts = new (uint, byte[][])[input.Count(itemBytesMin: 5)];
        for (var index = 0; index < layouts.Length; index++)
        {
            var state = input.UInt32();
            var descriptions = new byte[input.Count(itemBytesMin: 1)][];
            for (var at = 0; at < descriptions.Length; at++)
                descriptions[at] = input.Block().ToArray();
            layouts[index] = (state, descriptions);
        }

        input.End();
        return layouts;
    }

    /// <inheritdoc />
    public void Dispose() => _lock.Dispose();

    private EntryId ReadHead(ref FrameReader input, PartitionId partition)
    {
        CheckIdentity(ref input);
        var found = input.Partition();
        if (found != partition)
            throw input.Malformed($"partition {found} in the place of {partition}");
        var first = input.Entry();
        input.End();
        return first;
    }

    private void CheckIdentity(ref FrameReader input)
    {
        var version = input.Byte();
        if (version != FormatVersion)
            throw input.Malformed($"format {version}, {FormatVersion} expected");
        var cluster = input.Guid();
        if (cluster != _clusterId)
            throw input.Malformed($"cluster {cluster} in the place of {_clusterId}");
    }

    private string PathOf(PartitionId partition) => Path.Combine(
        _folder, partition.Value.ToString("00000", CultureInfo.InvariantCulture) + Ending);
}
