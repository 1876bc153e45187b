namespace Cluster.Pile.Persistence;

/// <summary>
/// The snapshots in one folder: which there are, and which may go. Stateless beside the folder; one save at a time
/// works in it.
/// </summary>
internal sealed class SnapshotFolder(IPileFiles files, string path)
{
    /// <summary>Complete snapshots that are kept.</summary>
    public const int GenerationsKept = 2;

    public string Path => path;

    public IPileFiles Files => files;

    /// <summary>The generations with a manifest, newest first.</summary>
    public List<long> Generations()
    {
        var generations = new List<long>();
        foreach (var name in files.List(path))
        {
            if (SnapshotFormat.TryParse(name, SnapshotFormat.ManifestEnding, out var generation))
                generations.Add(generation);
        }

        return [.. generations.OrderDescending()];
    }

    public string PathOf(long generation, string ending)
        => System.IO.Path.Join(path, SnapshotFormat.NameOf(generation, ending));

    /// <summary>
    /// Deletes what is older than the snapshots that are kept, and what saves have left that failed. Failures are of no
    /// consequence: the next save tries again.
    /// </summary>
    public void Tidy(List<long> complete)
    {
        var kept = complete.Take(GenerationsKept).ToHashSet();
        foreach (var name in files.List(path))
        {
            var isOld = (SnapshotFormat.TryParse(name, SnapshotFormat.ManifestEnding, out var generation)
                || SnapshotFormat.TryParse(name, SnapshotFormat.BlocksEnding, out generation)
                || SnapshotFormat.TryParse(
                    name, SnapshotFormat.ManifestEnding + SnapshotFormat.TemporaryEnding, out generation))
                && !kept.Contains(generation);
            if (isOld)
                files.Delete(System.IO.Path.Join(path, name));
        }
    }
}
