using System.Text.Json;
using Cluster.Nodes;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.NodeHost;

/// <summary>An exported cluster: its properties and its table, as one JSON file that says when and from where. The
/// table's own checksum guards the content. Immutable.</summary>
/// <param name="Meta">The cluster's properties.</param>
/// <param name="Table">Its table.</param>
internal sealed record TableFile(ClusterMeta Meta, ClusterTable Table)
{
    private const int FormatVersion = 1;
    private const int FileBytesMax = 4 << 20;
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true };

    /// <summary>Writes the file. It holds addresses and the seed of the key hash, so it is for its owner
    /// alone.</summary>
    /// <exception cref="OperatorException">It cannot be written.</exception>
    public async Task WriteAsync(string path, string source, DateTimeOffset now, CancellationToken cancellationToken)
    {
        var form = new TableFileForm
        {
            Format = FormatVersion,
            ExportedAt = now,
            Source = source,
            Version = Table.Version,
            Meta = ClusterMetaCodec.Encode(Meta),
            Table = StoredForm.Encode(Table),
        };
        try
        {
            var options = new FileStreamOptions { Mode = FileMode.Create, Access = FileAccess.Write };
            if (!OperatingSystem.IsWindows())
                options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
            await using var file = new FileStream(path, options);
            await JsonSerializer.SerializeAsync(file, form, Indented, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new OperatorException(
                OperatorExitCode.FileNotWritten,
                $"{path} cannot be written: {failure.Message} Choose another place with --to.");
        }
    }

    /// <summary>Reads a file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="clusterName">The cluster that the operator means.</param>
    /// <param name="cancellationToken">Ends the read.</param>
    /// <exception cref="OperatorException">It is missing, damaged, or of another cluster.</exception>
    public static async Task<TableFile> ReadAsync(
        string path, string clusterName, CancellationToken cancellationToken)
    {
        TableFileForm? form;
        try
        {
            var bytes = await ReadBytesAsync(path, cancellationToken).ConfigureAwait(false);
            form = JsonSerializer.Deserialize<TableFileForm>(bytes);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new OperatorException(
                OperatorExitCode.FileMissing,
                $"{path} cannot be read: {failure.Message} Name a file of 'cluster table export' with --from.");
        }
        catch (JsonException failure)
        {
            throw Damaged(path, failure.Message);
        }

        if (form is null)
            throw Damaged(path, "it is empty");
        if (form.Format != FormatVersion)
            throw Damaged(path, $"format {form.Format} was found, {FormatVersion} expected");
        return Decode(form, path, clusterName);
    }

    private static TableFile Decode(TableFileForm form, string path, string clusterName)
    {
        try
        {
            var meta = StoredForm.DecodeMeta(form.Meta, clusterName, path);
            var table = StoredForm.Decode(form.Table, path);
            if (table.Version == form.Version && table.SetSize == meta.PartitionCount)
                return new TableFile(meta, table);
        }
        catch (ClusterStoreException failure)
        {
            throw new OperatorException(OperatorExitCode.FileDamaged, failure.Message);
        }

        throw Damaged(path, "its parts do not fit each other");
    }

    private static async Task<byte[]> ReadBytesAsync(string path, CancellationToken cancellationToken)
    {
        if (new FileInfo(path) is { Exists: true, Length: > FileBytesMax })
            throw new IOException($"it has more than {FileBytesMax} bytes.");
        return await File.ReadAllBytesAsync(path, cancellationToken).ConfigureAwait(false);
    }

    private static OperatorException Damaged(string path, string why) => new(
        OperatorExitCode.FileDamaged, $"{path} is no usable export: {why}. Name another file with --from.");
}
