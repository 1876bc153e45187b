using Cluster.Pile.Memory;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Mapped;

/// <summary>Shows parts of files at addresses that are reserved, and zero pages again. One mapping replaces another in
/// a single call of the system, so the addresses are never without one. Stateless.</summary>
internal static class FileMapping
{
    private const int ReadWrite = LinuxCalls.ProtectRead | LinuxCalls.ProtectWrite;
    private const int Shared = LinuxCalls.MapShared | LinuxCalls.MapFixed;
    private const int Anonymous
        = LinuxCalls.MapPrivate | LinuxCalls.MapAnonymous | LinuxCalls.MapNoReserve | LinuxCalls.MapFixed;

    /// <summary>Shows a part of a file; what is stored there reaches the file. False when the system refuses.</summary>
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

    /// <summary>Shows zero pages, as the Linux memory source reserves them. False when the system refuses.</summary>
    public static bool TryHide(nint address, long bytes)
    {
        var none = new LinuxCalls.FilePart(-1, 0);
        return LinuxCalls.Map(address, (nuint)bytes, ReadWrite, Anonymous, none) != LinuxCalls.MapFailed;
    }
}
