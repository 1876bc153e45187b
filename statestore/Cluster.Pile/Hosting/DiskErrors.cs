namespace Cluster.Pile.Hosting;

/// <summary>Recognizes failures of a disk that its user can mend. For libraries that keep files of their own.
/// Stateless.</summary>
public static class DiskErrors
{
    private const int NoSpace = 28;
    private const int LinuxQuota = 122;
    private const int MacQuota = 69;
    private const int WindowsDiskFull = unchecked((int)0x80070070);
    private const int WindowsHandleDiskFull = unchecked((int)0x80070027);

    /// <summary>Whether the disk has no room for the write, or this user's quota is used up.</summary>
    /// <param name="failure">What a call of the file system threw.</param>
    public static bool IsFull(Exception failure) =>
        failure is IOException && (OperatingSystem.IsWindows()
            ? failure.HResult is WindowsDiskFull or WindowsHandleDiskFull
            : failure.HResult is NoSpace or LinuxQuota or MacQuota);
}
