using Microsoft.Win32.SafeHandles;

namespace Cluster.Nodes.Stores.Files;

/// <summary>Opens files of the store. A file that has to be made gets mode 0600 with the same call, so that no other
/// user can open it, or lock it, in between. Stateless.</summary>
internal static class StoreHandle
{
    private const UnixFileMode ForOwner = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    public static SafeFileHandle Open(string path, FileMode mode, FileAccess access, FileShare share)
    {
        var options = new FileStreamOptions { Mode = mode, Access = access, Share = share, BufferSize = 0 };
        if (!OperatingSystem.IsWindows() && mode != FileMode.Open)
            options.UnixCreateMode = ForOwner;
        var stream = new FileStream(path, options);

        // The handle belongs to the caller; the stream was needed only to set the mode.
#pragma warning disable CA1816 // The stream's finalizer would close a handle that is the caller's now.
        GC.SuppressFinalize(stream);
#pragma warning restore CA1816
        return stream.SafeFileHandle;
    }
}
