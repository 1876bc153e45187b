using Microsoft.Win32.SafeHandles;

namespace Cluster.Nodes.Stores.Files;

/// <summary>The cluster's secret as a file that only the user of this process may read. The first process makes it,
/// whole or not at all; it never changes. Stateless.</summary>
internal static class StoreSecret
{
    private const int BytesMax = 4_096;

    /// <summary>Reads the secret, and makes it where there is none.</summary>
    /// <param name="path">The file.</param>
    /// <param name="lockPath">The file whose lock a process holds that changes the store.</param>
    /// <param name="make">Makes the text of a new secret.</param>
    public static string Read(string path, string lockPath, Func<string> make)
    {
        if (!File.Exists(path))
            MakeLocked(path, lockPath, make);
        using var handle = StoreHandle.Open(path, FileMode.Open, FileAccess.Read, FileShare.Read);
        var bytes = new byte[BytesMax];
        var text = Encoding.UTF8.GetString(bytes.AsSpan(0, RandomAccess.Read(handle, bytes, 0))).Trim();
        return text.Length > 0 ? text : throw StoreFileFormat.Damaged(path, "it is empty");
    }

    // A move without overwrite is a check followed by a move. Of two processes that start together, the second would
    // replace the secret that the first one has read already.
    private static void MakeLocked(string path, string lockPath, Func<string> make)
    {
        SafeFileHandle? held = null;
        SpinWait.SpinUntil(
            () => (held = OsLock.TryAcquire(lockPath, FileMode.OpenOrCreate)) is not null,
            FileStoreLimits.TableLockDeadline);
        using (held)
        {
            if (held is null)
                throw new IOException($"Another process has held {lockPath} for too long; it may be paused.");
            if (!File.Exists(path))
                Make(path, make());
        }
    }

    private static void Make(string path, string text)
    {
        // Whole or not at all: a process that is killed here leaves no secret.
        var fresh = $"{path}.{Guid.NewGuid():N}.new";
        try
        {
            using (var handle = StoreHandle.Open(fresh, FileMode.CreateNew, FileAccess.Write, FileShare.None))
            {
                RandomAccess.Write(handle, Encoding.UTF8.GetBytes(text + "\n"), 0);
                RandomAccess.FlushToDisk(handle);
            }

            File.Move(fresh, path);
        }
        finally
        {
            File.Delete(fresh);
        }
    }
}
