namespace Shop.Drive.Front;

/// <summary>The folder of the file store: the user's, which stays, or a new one, which goes away with this object. A
/// new one is locked by a file beside it as long as its run lives; what runs that were killed have left behind is
/// removed by the next one. Owned by the run.</summary>
internal sealed class DataFolder : IDisposable
{
    private const string Prefix = "shop-";
    private const string OwnerSuffix = ".owner";
    private const int LockAttemptsMax = 5;

    // The operating system gives the lock up when the process ends, however it ends.
    private readonly FileStream? _owner;

    private DataFolder(string path, FileStream? owner)
    {
        Path = path;
        _owner = owner;
    }

    /// <summary>Where it is.</summary>
    public string Path { get; }

    /// <summary>Uses the user's folder, or makes a new one.</summary>
    /// <param name="wanted">The user's folder, or <c>null</c>.</param>
    /// <param name="root">Where new folders are made; by default the system's place for temporary files.</param>
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

    // The lock comes first and goes last, so that no folder is ever without one while its run lives.
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

    // Another run that looks for abandoned folders may hold the new file in the moment before it is locked.
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
                // With another name.
            }
        }
    }

    // A name that no run can have made is somebody else's, whatever it begins with.
    private static bool IsOfARun(string owner) => Guid.TryParseExact(
        System.IO.Path.GetFileName(owner)[Prefix.Length..^OwnerSuffix.Length], "N", out _);

    private static void RemoveAbandoned(string root)
    {
        foreach (var owner in Directory.EnumerateFiles(root, $"{Prefix}*{OwnerSuffix}").Where(IsOfARun))
        {
            TryDelete(() =>
            {
                // Fails while the run that made it lives.
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

    // Somebody looks into it, or it is another user's: a forgotten folder in the temporary place harms nobody.
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
