namespace Cluster.Pile.Persistence;

/// <summary>The process border behind which files lie: the file system, and devices that fail in tests. Stateless;
/// every call may throw an <see cref="IOException"/> or <see cref="UnauthorizedAccessException"/>.</summary>
internal interface IPileFiles
{
    /// <summary>Makes a folder that only this user may open; one that is there stays.</summary>
    void CreateFolder(string folder);

    /// <summary>Why another user can change what is at the path; null when none can, or nothing is there.</summary>
    string? FindRisk(string path);

    /// <summary>Takes the rights of other users from a file.</summary>
    void Protect(string path);

    /// <summary>The names of the files in a folder, in any order; none when there is no folder.</summary>
    IReadOnlyList<string> List(string folder);

    /// <summary>Makes a file for writing that only this user may open; what had the name is replaced.</summary>
    IPileFile Create(string path);

    IPileFile OpenRead(string path);

    /// <summary>Gives a file another name; what had that name is replaced at once.</summary>
    void Rename(string from, string to);

    void Delete(string path);

    /// <summary>Holds a file that one holder at a time can have, in this process and in others, until it is disposed;
    /// the system frees it when the process ends. Null while another one has it.</summary>
    IDisposable? TryHold(string path);

    /// <summary>Makes what was created, renamed and deleted in a folder last.</summary>
    void FlushFolder(string folder);
}
