using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;

namespace Cluster.Pile.Files;

/// <summary>Creates folders and files that only the user of this process may open, and finds what makes one of them
/// unsafe. Stateless.</summary>
/// <remarks>On Linux, owner and mode of a file are checked; on other Unix systems only the mode. On Windows the folder
/// is created for the current user alone, and nothing is checked.</remarks>
internal static class PrivateFiles
{
    private const UnixFileMode ForOwner = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode WrittenByOthers = UnixFileMode.GroupWrite | UnixFileMode.OtherWrite;

    private const UnixFileMode ForOthers
        = UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.GroupExecute
        | UnixFileMode.OtherRead | UnixFileMode.OtherWrite | UnixFileMode.OtherExecute;

    /// <summary>Creates a folder with mode 0700; missing parent folders get the usual mode. An existing folder stays as
    /// it is.</summary>
    public static void CreateFolder(string path)
    {
        if (OperatingSystem.IsWindows())
            CreateForCurrentUser(path);
        else
            Directory.CreateDirectory(path, ForOwner | UnixFileMode.UserExecute);
    }

    /// <summary>Opens a file. If the call creates it, it has mode 0600 from the start.</summary>
    public static FileStream Open(string path, FileMode mode, FileAccess access, FileShare share)
    {
        var options = new FileStreamOptions { Mode = mode, Access = access, Share = share, BufferSize = 0 };
        if (!OperatingSystem.IsWindows() && mode != FileMode.Open)
            options.UnixCreateMode = ForOwner;
        return new FileStream(path, options);
    }

    /// <summary>Creates a new file and replaces an existing one. The old file is deleted and not truncated, because
    /// another user may have opened it while its mode still allowed that.</summary>
    public static FileStream CreateNew(string path, FileAccess access = FileAccess.Write)
    {
        File.Delete(path);
        return Open(path, FileMode.CreateNew, access, FileShare.Read);
    }

    /// <summary>Creates a new file with this content and replaces an existing one.</summary>
    public static void Write(string path, ReadOnlySpan<byte> content)
    {
        using var file = CreateNew(path);
        file.Write(content);
    }

    /// <summary>Describes why another user can change the file at the path, as a clause with its own subject; null when
    /// no other user can, or when the file does not exist.</summary>
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

    /// <summary>Removes the rights of other users from a file that an earlier version created, also the right to read,
    /// with which another user could lock it. Files of other users stay as they are.</summary>
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
            // The file is gone, belongs to another user, or lies on a file system without modes; FindRisk judges the
            // last two.
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
