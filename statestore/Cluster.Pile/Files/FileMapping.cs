using Cluster.Pile.Memory;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Files;

/// <summary>Maps parts of files at reserved addresses, and replaces them by zero pages again. One system call replaces
/// one mapping by another, so the addresses always have a mapping. Stateless.</summary>
internal static class FileMapping
{
    private const int ReadWrite = LinuxCalls.ProtectRead | LinuxCalls.ProtectWrite;
    private const int Shared = LinuxCalls.MapShared | LinuxCalls.MapFixed;
    private const int Anonymous
        = LinuxCalls.MapPrivate | LinuxCalls.MapAnonymous | LinuxCalls.MapNoReserve | LinuxCalls.MapFixed;

    /// <summary>Maps a part of a file; stores there reach the file. False: the system refuses.</summary>
    public static bool TryShow(SafeFileHandle file, long offset, nint address, long bytes)
    {
        var isHeld = false;
        try
        {
            file.DangerousAddRef(ref isHeld);
            var part = new LinuxCalls.FilePart((int)file.DangerousGetHandle(), offset);
            return LinuxCalls.Map(address, (nuint)bytes, ReadWrite, Shared, part) != LinuxCalls.MapFailed;
        }
        finally
        {
            if (isHeld)
                file.DangerousRelease();
        }
    }

    /// <summary>Maps zero pages, as the Linux memory source reserves them. False: the system refuses.</summary>
    public static bool TryHide(nint address, long bytes)
    {
        var none = new LinuxCalls.FilePart(-1, 0);
        return LinuxCalls.Map(address, (nuint)bytes, ReadWrite, Anonymous, none) != LinuxCalls.MapFailed;
    }
}
