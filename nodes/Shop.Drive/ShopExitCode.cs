namespace Shop.Drive;

/// <summary>The exit codes of this program. If a node could not start, the program exits with the code of that
/// node.</summary>
internal static class ShopExitCode
{
    public const int Success = 0;

    /// <summary>The run ended, but some calls failed or got wrong answers.</summary>
    public const int CallsFailed = 1;

    /// <summary>The arguments are wrong: <c>EX_USAGE</c>.</summary>
    public const int Usage = 64;

    /// <summary>The nodes did not become ready in time: <c>EX_UNAVAILABLE</c>.</summary>
    public const int NotReady = 69;

    /// <summary>The port is in use: <c>EX_OSERR</c>.</summary>
    public const int PortUnusable = 71;

    /// <summary>The data folder cannot be used: <c>EX_CANTCREAT</c>.</summary>
    public const int FolderUnusable = 73;
}
