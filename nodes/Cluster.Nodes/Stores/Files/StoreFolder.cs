namespace Cluster.Nodes.Stores.Files;

/// <summary>The paths of a cluster's files, and the check whether the folder can be used. Owned by one store. The check
/// is repeated until it has succeeded once, which a volatile flag remembers.</summary>
internal sealed class StoreFolder
{
    private volatile bool _isChecked;

    public StoreFolder(string root, string clusterName)
    {
        ClusterFolder = Path.Combine(Path.GetFullPath(root), clusterName);
        LivesFolder = Path.Combine(ClusterFolder, "lives");
        MetaPath = Path.Combine(ClusterFolder, "meta");
        TablePath = Path.Combine(ClusterFolder, "table");
        TableLockPath = Path.Combine(ClusterFolder, "table.lock");
        CoordinatorPath = Path.Combine(ClusterFolder, "coordinator");
        SecretPath = Path.Combine(ClusterFolder, "secret");
        CoordinatorLockPath = Path.Combine(ClusterFolder, "coordinator.lock");
    }

    public string ClusterFolder { get; }

    public string LivesFolder { get; }

    public string MetaPath { get; }

    public string TablePath { get; }

    public string TableLockPath { get; }

    public string CoordinatorPath { get; }

    public string CoordinatorLockPath { get; }

    public string SecretPath { get; }

    public string LifePathOf(Guid incarnation) => Path.Combine(LivesFolder, $"{incarnation:N}.life");

    /// <summary>Makes the folders, and proves that files can be written and locked there and that nobody else can do
    /// so.</summary>
    /// <param name="rule">Who may enter the folder.</param>
    /// <param name="isRemoved">Whether the folders may have been removed since the last check.</param>
    /// <exception cref="ClusterStoreException">They cannot, or somebody else can.</exception>
    public void CheckUsable(StoreFolderRule rule, bool isRemoved = false)
    {
        if (_isChecked && !isRemoved)
            return;
        try
        {
            rule.Enforce(this);
            if (!OsLock.Works(LivesFolder))
                throw LocksDoNotWork();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new ClusterStoreException(
                ClusterStoreError.Unusable,
                $"The folder {ClusterFolder} of the file store cannot be used: {failure.Message} "
                + "Choose a folder on a local disk that this process may write to, or grant it the right.", failure);
        }

        _isChecked = true;
    }

    private ClusterStoreException LocksDoNotWork() => new(
        ClusterStoreError.Unusable,
        $"File locks do not work in {ClusterFolder}, so the file store could not tell a living node from a dead one. "
        + "Choose a folder on a local disk, and do not set DOTNET_SYSTEM_IO_DISABLEFILELOCKING.");
}
