using Cluster.Pile.Files;

namespace Cluster.Pile.Mapped;

/// <summary>Locks a folder against other piles of this process and of others. The system frees the lock when the
/// process ends in any way. Owned by the mapped folder.</summary>
internal sealed class FolderLock : IDisposable
{
    private readonly FileStream _file;

    public FolderLock(MappedFiles files)
    {
        try
        {
            _file = PrivateFiles.Open(files.Lock, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException e) when (File.Exists(files.Lock))
        {
            throw new PileFolderException(
                files.Folder,
                $"another pile has this folder attached ({OwnerOf(files)}). Dispose that pile, end its process, or set "
                + $"another {nameof(PileOptions)}.{nameof(PileOptions.MappedFolder)}. {e.Message}");
        }

        using var self = Process.GetCurrentProcess();
        PrivateFiles.Write(files.Owner, Encoding.UTF8.GetBytes($"process {self.Id}, {self.ProcessName}"));
    }

    public void Dispose() => _file.Dispose();

    private static string OwnerOf(MappedFiles files)
    {
        try
        {
            return File.ReadAllText(files.Owner);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return "process unknown";
        }
    }
}
