using Cluster.Pile.Layout;
using Cluster.Pile.Memory;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Files;

/// <summary>Allocates disk space for parts of a mapped file before they are used, and frees it afterwards. Without disk
/// space, a store into the mapping would kill the process when the disk is full. Stateless.</summary>
internal static class FileSpace
{
    private const int ZeroBytes = 64 * 1024;

    /// <summary>Makes sure that a part of the file has disk space; its content stays. False: the disk is
    /// full.</summary>
    public static bool TryKeep(SafeFileHandle file, long offset, long bytes) =>
        Allocate(file, LinuxCalls.AllocateKeepSize, offset, bytes) is 0 or LinuxCalls.ErrorNotSupported;

    /// <summary>Allocates zeroed disk space for an unused part of the file. False: the disk is full.</summary>
    public static bool TryMake(SafeFileHandle file, long offset, long bytes)
    {
        var error = Allocate(file, LinuxCalls.AllocateKeepSize, offset, bytes);
        return error == LinuxCalls.ErrorNotSupported ? TryWriteZeros(file, offset, bytes) : error == 0;
    }

    /// <summary>Zeroes a part of the file, and frees its disk space where the file system can do that.</summary>
    public static void Drop(SafeFileHandle file, long offset, long bytes)
    {
        const int mode = LinuxCalls.AllocatePunchHole | LinuxCalls.AllocateKeepSize;
        if (Allocate(file, mode, offset, bytes) == 0)
            return;
        var written = TryWriteZeros(file, offset, bytes);
        Invariant.Holds(written, "What has its place in a file can be written.");
    }

    private static int Allocate(SafeFileHandle file, int mode, long offset, long bytes)
    {
        if (bytes == 0)
            return 0;
        var isHeld = false;
        try
        {
            file.DangerousAddRef(ref isHeld);
            while (LinuxCalls.AllocateFile((int)file.DangerousGetHandle(), mode, offset, bytes) != 0)
            {
                var error = Marshal.GetLastPInvokeError();
                if (error != LinuxCalls.ErrorInterrupted)
                    return error;
            }

            return 0;
        }
        finally
        {
            if (isHeld)
                file.DangerousRelease();
        }
    }

    private static bool TryWriteZeros(SafeFileHandle file, long offset, long bytes)
    {
        var zeros = new byte[ZeroBytes];
        try
        {
            for (long at = 0; at < bytes; at += ZeroBytes)
                RandomAccess.Write(file, zeros.AsSpan(0, (int)Math.Min(ZeroBytes, bytes - at)), offset + at);
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }
}
