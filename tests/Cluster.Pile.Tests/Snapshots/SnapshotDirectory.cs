using Cluster.Pile.Files;
using Cluster.Pile.Snapshots;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>A folder for the snapshots of one test, deleted with it.</summary>
internal sealed class SnapshotDirectory : IDisposable
{
    public SnapshotDirectory() => PrivateFiles.CreateFolder(Path);

    public string Path { get; } = System.IO.Path.Join(System.IO.Path.GetTempPath(), $"snapshots-{Guid.NewGuid():N}");

    public string File(long generation, string ending) =>
        System.IO.Path.Join(Path, SnapshotFormat.NameOf(generation, ending));

    /// <summary>The files of snapshots; the one that saves hold is empty and always there.</summary>
    public string[] Names =>
    [
        .. Directory.GetFiles(Path).Select(path => System.IO.Path.GetFileName(path)!)
            .Where(name => name != SnapshotFormat.LockName).Order(),
    ];

    public static PileOptions Options(long budget = 64 * Piles.MiB) => new() { BudgetBytes = budget };

    public Task<LocalPile> RestoreAsync(PileOptions? options = null, long? generation = null) =>
        LocalPile.RestoreAsync(Path, options ?? Options(), generation);

    /// <summary>Another folder with the same files.</summary>
    public SnapshotDirectory Copy()
    {
        var copy = new SnapshotDirectory();
        foreach (var file in Directory.GetFiles(Path))
            System.IO.File.Copy(file, System.IO.Path.Join(copy.Path, System.IO.Path.GetFileName(file)));
        return copy;
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
