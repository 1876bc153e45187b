using Cluster.Pile.Files;

namespace Cluster.Pile.Hosting;

/// <summary>Folders and files that only the user of this process may open. For libraries whose files follow the same
/// rule as those of the pile. Stateless.</summary>
/// <remarks>The owner of a file is compared on Linux. Other Unix systems compare the mode only. On Windows a folder is
/// created for the current user alone, and nothing is compared.</remarks>
public static class PrivateFolder
{
    /// <summary>Creates a folder with mode 0700, and missing parent folders with the default mode. An existing folder
    /// is not changed.</summary>
    /// <param name="path">The folder.</param>
    public static void Create(string path) => PrivateFiles.CreateFolder(path);

    /// <summary>Returns the reason why another user can change the file or folder, as a clause with a subject; null
    /// when no other user can, or when the path does not exist.</summary>
    /// <param name="path">A folder or a file.</param>
    public static string? FindRisk(string path) => PrivateFiles.FindRisk(path);

    /// <summary>Removes the rights of other users from a file that an earlier version created. This includes the right
    /// to read, which would let them lock the file. Files of another user are not changed.</summary>
    /// <param name="path">The file.</param>
    public static void Protect(string path) => PrivateFiles.Protect(path);

    /// <summary>Waits until the disk has the names of a folder, so that a file which was created, renamed or deleted
    /// before stays so when the power fails. Does nothing where the system has no such call: others than Linux write
    /// names through their journal.</summary>
    /// <param name="path">The folder.</param>
    /// <exception cref="IOException">The folder cannot be opened or flushed.</exception>
    public static void Flush(string path) => DiskFiles.Instance.FlushFolder(path);
}
