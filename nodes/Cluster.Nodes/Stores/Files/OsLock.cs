using Microsoft.Win32.SafeHandles;

namespace Cluster.Nodes.Stores.Files;

/// <summary>Locks that the operating system keeps for an open file and gives up by itself when the process ends,
/// however it ends. They belong to the open file, not to the process, so two stores in one process exclude each other
/// as well. Stateless.</summary>
internal static class OsLock
{
    // What an open that meets the lock reports: EWOULDBLOCK on Linux and macOS, a sharing violation on Windows.
    private const int LinuxWouldBlock = 11;
    private const int MacWouldBlock = 35;
    private const int WindowsSharingViolation = unchecked((int)0x80070020);

    private static readonly TimeSpan PauseMax = TimeSpan.FromMilliseconds(8);

    /// <summary>Takes the lock at once or not at all.</summary>
    /// <param name="path">The file that stands for the lock.</param>
    /// <param name="mode">Whether to create the file where it is missing.</param>
    /// <returns>The handle that is the lock, or <c>null</c> when somebody holds it.</returns>
    public static SafeFileHandle? TryAcquire(string path, FileMode mode)
    {
        try
        {
            return StoreHandle.Open(path, mode, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException failure) when (IsHeldElsewhere(failure))
        {
            return null;
        }
    }

    /// <summary>Takes the lock, waiting for it at most until the deadline.</summary>
    /// <returns>The handle that is the lock, or <c>null</c> when it could not be had in time.</returns>
    public static async ValueTask<SafeFileHandle?> AcquireAsync(
        string path, LockWait wait, CancellationToken cancellationToken)
    {
        var started = wait.Time.GetTimestamp();
        var pause = TimeSpan.FromMilliseconds(1);
        while (true)
        {
            if (TryAcquire(path, FileMode.OpenOrCreate) is { } handle)
                return handle;
            if (wait.Time.GetElapsedTime(started) >= wait.Deadline)
                return null;
            await Task.Delay(pause, wait.Time, cancellationToken).ConfigureAwait(false);
            pause = pause * 2 < PauseMax ? pause * 2 : PauseMax;
        }
    }

    /// <summary>Whether locks work in a folder at all. They do not on some network file systems, or when the runtime's
    /// file locking is switched off, and then a living process would look dead.</summary>
    /// <param name="folder">An existing folder.</param>
    public static bool Works(string folder)
    {
        var probe = Path.Combine(folder, $".probe-{Guid.NewGuid():N}");
        try
        {
            using var first = TryAcquire(probe, FileMode.CreateNew);
            using var second = TryAcquire(probe, FileMode.Open);
            return first is not null && second is null;
        }
        finally
        {
            File.Delete(probe);
        }
    }

    private static bool IsHeldElsewhere(IOException failure)
    {
        if (failure is FileNotFoundException or DirectoryNotFoundException)
            return false;
        if (OperatingSystem.IsWindows())
            return failure.HResult == WindowsSharingViolation;
        return failure.HResult == (OperatingSystem.IsLinux() ? LinuxWouldBlock : MacWouldBlock);
    }
}
