namespace Cluster.Testing;

/// <summary>Gives files to a user who is not the one of this process. Needs the rights of root. Stateless.</summary>
public static class OtherUser
{
    /// <summary>The user to whom files go; no account needs to have this number.</summary>
    public const int Number = 54_321;

    /// <summary>Gives a file or folder to the other user.</summary>
    public static void Own(string path) => Give(path, Number);

    /// <summary>Gives a file or folder to the root user.</summary>
    public static void Return(string path) => Give(path, 0);

    private static void Give(string path, int user)
    {
        if (ChangeOwner(path, user, user) != 0)
            throw new IOException($"{path} could not be given to user {user}.");
    }

    [DllImport("libc", EntryPoint = "chown", CharSet = CharSet.Ansi, BestFitMapping = false)]
    private static extern int ChangeOwner([MarshalAs(UnmanagedType.LPUTF8Str)] string path, int user, int group);
}
