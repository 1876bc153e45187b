using Cluster.Pile.Hosting;

namespace Cluster.Nodes.Storage.Files;

/// <summary>The file that says whose values a folder keeps. Values of two states would replace each other, because a
/// file is named after its key alone. The first node writes the owner, also into a folder of an earlier version; all
/// others compare. It has the form of a <see cref="RecordFile"/> of revision 0: the key is the name of the cluster, the
/// value that of the state. Stateless.</summary>
internal static class OwnerFile
{
    private const string Name = "owner";

    // A turn takes milliseconds, but a process that is stopped in its turn keeps it.
    private static readonly TimeSpan TurnBound = TimeSpan.FromSeconds(5);

    /// <summary>Checks whose folder it is, or makes it that of an owner if it has none.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="owner">Whose values are to be kept there.</param>
    /// <exception cref="ClusterStartException">It is the folder of another owner.</exception>
    /// <exception cref="InvalidDataException">The file is damaged. The message names it.</exception>
    public static void Claim(string folder, StorageOwner owner)
    {
        var path = Path.Combine(folder, Name);
        if (!File.Exists(path))
            Create(path, owner);
        var found = Read(path);
        if (found == owner)
            return;
        throw new ClusterStartException(
            ClusterExitCode.StoreIncompatible,
            $"The folder '{folder}' keeps {found}, but {owner} is to be kept there.",
            "Give each state of each cluster a folder of its own (UseFiles). If the cluster or the state has got a new "
            + $"name, delete the file '{path}' while no node runs; the next node then takes the folder over.");
    }

    private static StorageOwner Read(string path)
    {
        var (cluster, state) = RecordFile.ReadWithKey(path, File.ReadAllBytes(path));
        return new StorageOwner(Encoding.UTF8.GetString(cluster.Span), Encoding.UTF8.GetString(state.Span));
    }

    // Nodes may start at the same time, and a move does not notice a file that came after its look: they take turns.
    private static void Create(string path, StorageOwner owner)
    {
        var folder = Path.GetDirectoryName(path)!;
        FileStream? turn = null;
        if (!SpinWait.SpinUntil(() => (turn = FolderTurns.TryOpen(folder)) is not null, TurnBound))
        {
            throw new IOException(
                $"another process has held the lock of the folder for {TurnBound.TotalSeconds} s. Let it run on, or "
                + "end it.");
        }

        using var held = turn;
        if (File.Exists(path))
            return;
        var image = RecordFile.Write(
            Encoding.UTF8.GetBytes(owner.Cluster), revision: 0, isRemoved: false, Encoding.UTF8.GetBytes(owner.State));
        var draft = $"{path}.{Guid.NewGuid():N}";
        try
        {
            using (var file = new FileStream(draft, FileMode.CreateNew, FileAccess.Write))
            {
                file.Write(image);
                file.Flush(flushToDisk: true);
            }

            File.Move(draft, path);
        }
        finally
        {
            File.Delete(draft);
        }

        PrivateFolder.Flush(folder);
    }
}
