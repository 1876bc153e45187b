namespace Cluster.Pile.Files;

/// <summary>The file system, or in tests devices that fail. Stateless; every call may throw an
/// <see cref="IOException"/> or <see cref="UnauthorizedAccessException"/>.</summary>
internal interface IPileFiles
{
    /// <summary>Creates a folder that only this user may open; an existing folder stays as it is.</summary>
    void CreateFolder(string folder);

    /// <summary>Describes why another user can change the file at the path; null when no other user can, or when the
    /// file does not exist.</summary>
    string? FindRisk(string path);

    /// <summary>Removes the rights of other users from a file.</summary>
    void Protect(string path);

    /// <summary>The names of the files in a folder, in any order; empty when the folder does not exist.</summary>
    IReadOnlyList<string> List(string folder);

    /// <summary>Creates a file for writing that only this user may open; an existing file of that name is
    /// replaced.</summary>
    IPileFile Create(string path);

    IPileFile OpenRead(string path);

    /// <summary>Renames a file; an existing file of the new name is replaced atomically.</summary>
    void Rename(string from, string to);

    void Delete(string path);

    /// <summary>Locks a file, against other holders in this process and in others, until the result is disposed. The
    /// system frees the lock when the process ends. Null: another holder has it.</summary>
    IDisposable? TryHold(string path);

    /// <summary>Makes creations, renames and deletions in a folder durable.</summary>
    void FlushFolder(string folder);
}
