namespace Shop.Drive.Front;

/// <summary>The folder of the file store: the user's folder, which is kept, or a new folder, which this object deletes.
/// A locked file next to a new folder shows that its run is alive. The next run deletes the folders of runs that were
/// killed. Owned by the run.</summary>
internal sealed class DataFolder : IDisposable
{
    private const string Prefix = "shop-";
    private const string OwnerSuffix = ".owner";
    private const int LockAttemptsMax = 5;

    // The operating system releases the lock when the process ends, even if the process is killed.
    private readonly FileStream? _owner;

    private DataFolder(string path, FileStream? owner)
    {
        Path = path;
        _owner = owner;
    }

    public string Path { get; }

    /// <summary>Uses the user's folder, or creates a new one.</summary>
    /// <param name="wanted">The user's folder, or <c>null</c>.</param>
    /// <param name="root">The folder in which new folders are created; by default the system's folder for temporary
    /// files.</param>
    public static DataFolder Open(string? wanted, string? root = null)
    {
        try
        {
            return wanted is null
                ? Create(root ?? System.IO.Path.GetTempPath())
                : new DataFolder(System.IO.Path.GetFullPath(wanted), owner: null);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ShopStartException(
                ShopExitCode.FolderUnusable,
                $"No folder for the cluster's table: {failure.Message}. Choose one with --data.");
        }
    }

    /// <summary>Deletes the folder if it was made for this run. Idempotent.</summary>
    public void Dispose()
    {
        if (_owner is null)
            return;

        Remove(Path);
        _owner.Dispose();
        TryDelete(() => File.Delete(_owner.Name));
    }

    // The lock file is created before the folder and deleted after it, so that the folder of a living run is always
    // locked.
    private static DataFolder Create(string root)
    {
        RemoveAbandoned(root);
        var owner = Lock(root);
        var path = owner.Name[..^OwnerSuffix.Length];
        if (OperatingSystem.IsWindows())
            Directory.CreateDirectory(path);
        else
            Directory.CreateDirectory(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);

        return new DataFolder(path, owner);
    }

    // Another run that looks for abandoned folders may open the new file before this run has locked it.
    private static FileStream Lock(string root)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                return new FileStream(
                    System.IO.Path.Combine(root, $"{Prefix}{Guid.NewGuid():N}{OwnerSuffix}"),
                    FileMode.CreateNew,
                    FileAccess.ReadWrite,
                    FileShare.None);
            }
            catch (IOException) when (attempt < LockAttemptsMax)
            {
                // The next attempt uses another name.
            }
        }
    }

    // A file with another name belongs to another program, even if it has our prefix.
    private static bool IsOfARun(string owner) => Guid.TryParseExact(
        System.IO.Path.GetFileName(owner)[Prefix.Length..^OwnerSuffix.Length], "N", out _);

    private static void RemoveAbandoned(string root)
    {
        foreach (var owner in Directory.EnumerateFiles(root, $"{Prefix}*{OwnerSuffix}").Where(IsOfARun))
        {
            TryDelete(() =>
            {
                // This open fails while the run that created the file is alive.
                using var abandoned = new FileStream(owner, FileMode.Open, FileAccess.ReadWrite, FileShare.None);
                Remove(owner[..^OwnerSuffix.Length]);
                File.Delete(owner);
            });
        }
    }

    private static void Remove(string path) => TryDelete(() =>
    {
        if (Directory.Exists(path))
            Directory.Delete(path, recursive: true);
    });

    // The deletion fails if another process uses the folder, or if it belongs to another user. A folder that stays in
    // the temporary folder does no harm.
    private static void TryDelete(Action delete)
    {
        try
        {
            delete();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // The next run tries again.
        }
    }
}
