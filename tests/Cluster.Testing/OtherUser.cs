namespace Cluster.Testing;

/// <summary>Changes the owner of files to another user than the one of this process. Needs the rights of root.
/// Stateless.</summary>
public static class OtherUser
{
    /// <summary>The id of the other user. No account needs to have it.</summary>
    public const int Number = 54_321;

    /// <summary>Makes the other user the owner of a file or folder.</summary>
    public static void Own(string path) => Give(path, Number);

    /// <summary>Makes root the owner of a file or folder.</summary>
    public static void Return(string path) => Give(path, 0);

    private static void Give(string path, int user)
    {
        if (ChangeOwner(path, user, user) != 0)
            throw new IOException($"{path} could not be given to user {user}.");
    }

    [DllImport("libc", EntryPoint = "chown", CharSet = CharSet.Ansi, BestFitMapping = false)]
    private static extern int ChangeOwner([MarshalAs(UnmanagedType.LPUTF8Str)] string path, int user, int group);
}
