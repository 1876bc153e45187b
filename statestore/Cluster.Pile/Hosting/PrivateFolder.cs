using Cluster.Pile.Files;

namespace Cluster.Pile.Hosting;

/// <summary>Folders and files that only the user of this process may open, for libraries that keep files of their own
/// and hold them to the rule that the pile's files have. Stateless.</summary>
/// <remarks>The owner of a file is compared on Linux. Other Unix systems compare the mode only. On Windows a folder is
/// made for the current user alone, and nothing is compared.</remarks>
public static class PrivateFolder
{
    /// <summary>Makes a folder with mode 0700, and the folders above it that are missing with the usual one; a folder
    /// that is there stays as it is.</summary>
    /// <param name="path">The folder.</param>
    public static void Create(string path) => PrivateFiles.CreateFolder(path);

    /// <summary>Why another user can change what is at the path, as a clause with its own subject; null when no other
    /// can, or when nothing is there.</summary>
    /// <param name="path">A folder or a file.</param>
    public static string? FindRisk(string path) => PrivateFiles.FindRisk(path);

    /// <summary>Takes the rights of other users from a file that an earlier version made, also the right to read, with
    /// which they could lock it. Leaves files alone that belong to another user.</summary>
    /// <param name="path">The file.</param>
    public static void Protect(string path) => PrivateFiles.Protect(path);
}
