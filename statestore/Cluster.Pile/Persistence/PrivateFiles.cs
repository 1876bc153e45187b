using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;

namespace Cluster.Pile.Persistence;

/// <summary>Makes folders and files that only the user of this process may open, and tells what makes one of them
/// unsafe. Stateless.</summary>
/// <remarks>The owner of a file is compared on Linux. On other Unix systems only the mode is. On Windows the folder is
/// made for the current user alone, and nothing is compared.</remarks>
internal static class PrivateFiles
{
    private const UnixFileMode ForOwner = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode WrittenByOthers = UnixFileMode.GroupWrite | UnixFileMode.OtherWrite;

    private const UnixFileMode ForOthers
        = UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.GroupExecute
        | UnixFileMode.OtherRead | UnixFileMode.OtherWrite | UnixFileMode.OtherExecute;

    /// <summary>Makes a folder with mode 0700, and the folders above it that are missing with the usual one; a folder
    /// that is there stays as it is.</summary>
    public static void CreateFolder(string path)
    {
        if (OperatingSystem.IsWindows())
            CreateForCurrentUser(path);
        else
            Directory.CreateDirectory(path, ForOwner | UnixFileMode.UserExecute);
    }

    /// <summary>Opens a file; when it has to be made, it gets mode 0600 with the same call.</summary>
    public static FileStream Open(string path, FileMode mode, FileAccess access, FileShare share)
    {
        var options = new FileStreamOptions { Mode = mode, Access = access, Share = share, BufferSize = 0 };
        if (!OperatingSystem.IsWindows() && mode != FileMode.Open)
            options.UnixCreateMode = ForOwner;
        return new FileStream(path, options);
    }

    /// <summary>Opens a new file in the place of what is there. The old file is deleted and not cut, because another
    /// user may have opened it while its mode still allowed that.</summary>
    public static FileStream CreateNew(string path, FileAccess access = FileAccess.Write)
    {
        File.Delete(path);
        return Open(path, FileMode.CreateNew, access, FileShare.Read);
    }

    /// <summary>Makes a new file with this content in the place of what is there.</summary>
    public static void Write(string path, ReadOnlySpan<byte> content)
    {
        using var file = CreateNew(path);
        file.Write(content);
    }

    /// <summary>Why another user can change what is at the path, as a clause with its own subject; null when no other
    /// can, or when nothing is there.</summary>
    public static string? FindRisk(string path)
    {
        if (OperatingSystem.IsWindows())
            return null;
        if (!OperatingSystem.IsLinux())
            return File.Exists(path) || Directory.Exists(path) ? RiskOf(File.GetUnixFileMode(path)) : null;
        return LinuxFileOwner.Find(path) switch
        {
            null => null,
            { IsKnown: false } => "the system does not tell to whom it belongs",
            { IsOfThisUser: false } other =>
                $"it belongs to user {other.User}, and this process runs as user {LinuxFileOwner.ThisUser}",
            { } own => RiskOf(own.Mode),
        };
    }

    /// <summary>Takes the rights of other users from a file that an earlier version made, also the right to read, with
    /// which they could lock it. Leaves files alone that are of another user.</summary>
    public static void Protect(string path)
    {
        if (OperatingSystem.IsWindows() || !File.Exists(path))
            return;
        try
        {
            var mode = File.GetUnixFileMode(path);
            if ((mode & ForOthers) != 0)
                File.SetUnixFileMode(path, mode & ~ForOthers);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // It is gone, of another user, or on a file system without modes; FindRisk judges the last two.
        }
    }

    private static string? RiskOf(UnixFileMode mode) =>
        (mode & WrittenByOthers) == 0
            ? null
            : $"other users may write to it (mode {Convert.ToString((int)mode, 8).PadLeft(4, '0')})";

    [SupportedOSPlatform("windows")]
    private static void CreateForCurrentUser(string path)
    {
        using var identity = WindowsIdentity.GetCurrent();
        if (Directory.Exists(path) || identity.User is not { } user)
        {
            Directory.CreateDirectory(path);
            return;
        }

        var security = new DirectorySecurity();
        security.SetAccessRuleProtection(isProtected: true, preserveInheritance: false);
        security.AddAccessRule(new FileSystemAccessRule(
            user,
            FileSystemRights.FullControl,
            InheritanceFlags.ContainerInherit | InheritanceFlags.ObjectInherit,
            PropagationFlags.None,
            AccessControlType.Allow));
        security.CreateDirectory(path);
    }
}
