using Cluster.Pile.Memory;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Files;

/// <summary>Files of the operating system. Stateless.</summary>
internal sealed class DiskFiles : IPileFiles
{
    // The error that the runtime reports when another process has opened the file exclusively.
    private const int SharingViolation = unchecked((int)0x80070020);
    private const int WouldBlockOnLinux = 11;
    private const int WouldBlockOnBsd = 35;

    public static DiskFiles Instance { get; } = new();

    public void CreateFolder(string folder) => PrivateFiles.CreateFolder(folder);

    public string? FindRisk(string path) => PrivateFiles.FindRisk(path);

    public void Protect(string path) => PrivateFiles.Protect(path);

    public IReadOnlyList<string> List(string folder) =>
        Directory.Exists(folder) ? [.. Directory.GetFiles(folder).Select(path => Path.GetFileName(path))] : [];

    public IPileFile Create(string path) =>
        new DiskFile(PrivateFiles.CreateNew(path));

    public IPileFile OpenRead(string path) =>
        new DiskFile(PrivateFiles.Open(path, FileMode.Open, FileAccess.Read, FileShare.Read));

    public void Rename(string from, string to) => File.Move(from, to, overwrite: true);

    public void Delete(string path) => File.Delete(path);

    public IDisposable? TryHold(string path)
    {
        try
        {
            return PrivateFiles.Open(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException e) when (e.HResult is SharingViolation or WouldBlockOnLinux or WouldBlockOnBsd)
        {
            return null;
        }
    }

    // Other systems have no such call; they write renames through their journal.
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

    /// <summary>One open file. Reads and writes use its handle, at any offset.</summary>
    private sealed class DiskFile(FileStream stream) : IPileFile
    {
        private readonly SafeFileHandle _handle = stream.SafeFileHandle;

        public long Length => RandomAccess.GetLength(_handle);

        public void Write(long offset, ReadOnlySpan<byte> bytes)
        {
            try
            {
                RandomAccess.Write(_handle, bytes, offset);
            }
            catch (ArgumentOutOfRangeException e)
            {
                // The runtime throws this exception for a limit on the size of files, of the user or of the file
                // system.
                throw new IOException("The file would be larger than the system allows.", e);
            }
        }

        public int Read(long offset, Span<byte> bytes) => RandomAccess.Read(_handle, bytes, offset);

        public void Flush() => RandomAccess.FlushToDisk(_handle);

        public void Dispose() => stream.Dispose();
    }
}
