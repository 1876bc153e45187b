using Cluster.Pile.Memory;

namespace Cluster.Pile.Files;

/// <summary>The owner and the mode of a file or folder, from the Linux call <c>statx</c>; the base library has no call
/// for the owner. An immutable value.</summary>
/// <param name="IsKnown">Whether the system answered; old sandboxes forbid the call.</param>
/// <param name="User">The user id of the owner.</param>
/// <param name="Mode">The access rights.</param>
internal readonly record struct LinuxFileOwner(bool IsKnown, uint User, UnixFileMode Mode)
{
    private const int CurrentFolder = -100;
    private const uint TypeModeAndUser = 0x0001 | 0x0002 | 0x0008;
    private const int ErrorNoEntry = 2;
    private const int ErrorNoFolder = 20;
    private const int PermissionBits = 0xFFF;

    /// <summary>The user id with which this process opens files.</summary>
    public static uint ThisUser => LinuxCalls.EffectiveUser();

    public bool IsOfThisUser => IsKnown && User == ThisUser;

    /// <summary>Looks at a path, and follows symbolic links; null when the target does not exist.</summary>
    public static LinuxFileOwner? Find(string path)
    {
        try
        {
            var name = Encoding.UTF8.GetBytes(path + '\0');
            if (LinuxCalls.Status(CurrentFolder, name, 0, TypeModeAndUser, out var status) == 0)
                return new LinuxFileOwner(true, status.User, (UnixFileMode)(status.Mode & PermissionBits));
        }
        catch (EntryPointNotFoundException)
        {
            return new LinuxFileOwner(false, 0, UnixFileMode.None);
        }

        return Marshal.GetLastPInvokeError() is ErrorNoEntry or ErrorNoFolder
            ? null
            : new LinuxFileOwner(false, 0, UnixFileMode.None);
    }
}
