namespace Cluster.Nodes.Stores.Files;

/// <summary>Reads and replaces whole small files so that a reader, or the next process after a crash at any point,
/// finds either the old contents or the new ones. Stateless; writers of one file exclude each other by a lock of their
/// own.</summary>
internal static class AtomicFile
{
    /// <summary>Replaces a file's contents: writes a new file in the same folder, flushes it to the disk, and renames
    /// it over the old one.</summary>
    public static async ValueTask ReplaceAsync(string path, ReadOnlyMemory<byte> contents)
    {
        // The name is fixed, so that the next writer overwrites the file that a crash leaves behind.
        var fresh = path + ".new";
        using (var handle = StoreHandle.Open(fresh, FileMode.Create, FileAccess.Write, FileShare.Read))
        {
            await RandomAccess.WriteAsync(handle, contents, 0).ConfigureAwait(false);
            RandomAccess.FlushToDisk(handle);
        }

        File.Move(fresh, path, overwrite: true);
    }

    /// <summary>Reads a file, or answers <c>null</c> where there is none.</summary>
    /// <param name="path">The file.</param>
    /// <param name="bytesMax">A larger file is refused.</param>
    /// <param name="cancellationToken">Ends the read.</param>
    public static async ValueTask<byte[]?> ReadAsync(string path, int bytesMax, CancellationToken cancellationToken)
    {
        try
        {
            // Writers replace the file instead of changing it, so an open handle keeps showing one whole version.
            using var handle = File.OpenHandle(
                path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, FileOptions.Asynchronous);
            var length = RandomAccess.GetLength(handle);
            if (length > bytesMax)
                throw StoreFileFormat.Foreign(path, $"it has {length} bytes, expected were at most {bytesMax}");

            var contents = new byte[length];
            return contents[..await ReadFullyAsync(handle, contents, cancellationToken).ConfigureAwait(false)];
        }
        catch (Exception missing) when (missing is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
    }

    /// <summary>Reads the first bytes of a file, fewer where it is shorter, or answers <c>null</c> where there is
    /// none.</summary>
    public static async ValueTask<byte[]?> ReadStartAsync(
        string path, int bytesMax, CancellationToken cancellationToken)
    {
        try
        {
            using var handle = File.OpenHandle(
                path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, FileOptions.Asynchronous);
            var start = new byte[bytesMax];
            return start[..await ReadFullyAsync(handle, start, cancellationToken).ConfigureAwait(false)];
        }
        catch (Exception missing) when (missing is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
    }

    /// <summary>Reads the first and the last bytes of one version of a file, fewer where it is shorter. Null: there is
    /// no file.</summary>
    public static async ValueTask<(byte[]? Start, byte[] End)> ReadEndsAsync(
        string path, int startBytes, int endBytes, CancellationToken cancellationToken)
    {
        try
        {
            using var handle = File.OpenHandle(
                path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, FileOptions.Asynchronous);
            var start = new byte[startBytes];
            start = start[..await ReadFullyAsync(handle, start, cancellationToken).ConfigureAwait(false)];
            var end = new byte[endBytes];
            var offset = Math.Max(0, RandomAccess.GetLength(handle) - endBytes);
            await RandomAccess.ReadAsync(handle, end, offset, cancellationToken).ConfigureAwait(false);
            return (start, end);
        }
        catch (Exception missing) when (missing is FileNotFoundException or DirectoryNotFoundException)
        {
            return (null, []);
        }
    }

    private static async ValueTask<int> ReadFullyAsync(
        Microsoft.Win32.SafeHandles.SafeFileHandle handle,
        Memory<byte> destination,
        CancellationToken cancellationToken)
    {
        var read = 0;
        while (read < destination.Length)
        {
            var count = await RandomAccess.ReadAsync(handle, destination[read..], read, cancellationToken)
                .ConfigureAwait(false);
            if (count == 0)
                break;
            read += count;
        }

        return read;
    }
}
