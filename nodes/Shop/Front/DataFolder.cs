namespace Shop.Front;

/// <summary>
/// The folder of the file store: the user's, which stays, or a new one, which goes away with this object. Owned by
/// the run.
/// </summary>
internal sealed class DataFolder : IDisposable
{
    private readonly bool _isTemporary;

    private DataFolder(string path, bool isTemporary)
    {
        Path = path;
        _isTemporary = isTemporary;
    }

    /// <summary>Where it is.</summary>
    internal string Path { get; }

    /// <summary>Uses the user's folder, or makes a new one.</summary>
    /// <param name="wanted">The user's folder, or <c>null</c>.</param>
    internal static DataFolder Open(string? wanted)
    {
        try
        {
            return wanted is null
                ? new DataFolder(Directory.CreateTempSubdirectory("shop-").FullName, isTemporary: true)
                : new DataFolder(System.IO.Path.GetFullPath(wanted), isTemporary: false);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ShopStartException(
                ShopExitCode.FolderUnusable,
                $"No folder for the cluster's table: {failure.Message}. Choose one with --data.");
        }
    }

    /// <summary>Deletes the folder if it was made for this run.</summary>
    public void Dispose()
    {
        if (!_isTemporary)
        {
            return;
        }

        try
        {
            Directory.Delete(Path, recursive: true);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // Somebody looks into it; a forgotten folder in the temporary place harms nobody.
        }
    }
}
