using System.Text;
using Cluster.Pile.Memory;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Persistence;

/// <summary>Files of the operating system. Stateless.</summary>
internal sealed class DiskFiles : IPileFiles
{
    public static DiskFiles Instance { get; } = new();

    public void CreateFolder(string folder) => Directory.CreateDirectory(folder);

    public IReadOnlyList<string> List(string folder)
        => Directory.Exists(folder) ? [.. Directory.GetFiles(folder).Select(path => Path.GetFileName(path))] : [];

    public IPileFile Create(string path)
        => new DiskFile(File.OpenHandle(path, FileMode.Create, FileAccess.Write, FileShare.Read));

    public IPileFile OpenRead(string path) => new DiskFile(File.OpenHandle(path));

    public void Rename(string from, string to) => File.Move(from, to, overwrite: true);

    public void Delete(string path) => File.Delete(path);

    // Elsewhere the system offers no such call, and renames are written through its journal.
    public void FlushFolder(string folder)
    {
        if (!OperatingSystem.IsLinux())
            return;
        var descriptor = LinuxCalls.Open(Encoding.UTF8.GetBytes(folder + '\0'), LinuxCalls.OpenReadOnly);
        if (descriptor < 0)
            throw new IOException($"The folder {folder} could not be opened to be flushed.");
        var result = LinuxCalls.Flush(descriptor);
        LinuxCalls.Close(descriptor);
        if (result != 0)
            throw new IOException($"The folder {folder} could not be flushed.");
    }

    /// <summary>One open file, by its handle.</summary>
    private sealed class DiskFile(SafeFileHandle handle) : IPileFile
    {
        public long Length => RandomAccess.GetLength(handle);

        public void Write(long offset, ReadOnlySpan<byte> bytes)
        {
            try
            {
                RandomAccess.Write(handle, bytes, offset);
            }
            catch (ArgumentOutOfRangeException e)
            {
                // What the runtime makes of a limit on the size of files, of the user or of the file system.
                throw new IOException("The file would be larger than the system allows.", e);
            }
        }

        public int Read(long offset, Span<byte> bytes) => RandomAccess.Read(handle, bytes, offset);

        public void Flush() => RandomAccess.FlushToDisk(handle);

        public void Dispose() => handle.Dispose();
    }
}
