using Microsoft.Win32.SafeHandles;

namespace Cluster.Nodes.Stores.Files;

/// <summary>The coordinator's right among processes on one machine: an operating system's lock, and beside it a
/// readable file that names the holder. Both must be this lease's, so that a removed lock file cannot make two holders
/// unnoticed, and the folder must still hold the cluster of the store that handed the lease out. Owned by the node that
/// acquired it; a volatile flag, set once, protects its state.</summary>
internal sealed class FileCoordinatorLease : ICoordinatorLease
{
    private const int HolderBytesMax = 4_096;

    private readonly StoreFolder _folder;
    private readonly ClusterFiles _files;
    private readonly SafeFileHandle _lock;
    private readonly byte[] _holder;
    private volatile bool _isLost;

    private FileCoordinatorLease(StoreFolder folder, ClusterFiles files, SafeFileHandle handle, byte[] holder)
    {
        _folder = folder;
        _files = files;
        _lock = handle;
        _holder = holder;
    }

    public StoreFolder Folder => _folder;

    public static async ValueTask<FileCoordinatorLease?> TryAcquireAsync(
        StoreFolder folder, ClusterFiles files, NodeId node)
    {
        var handle = OsLock.TryAcquire(folder.CoordinatorLockPath, FileMode.OpenOrCreate);
        if (handle is null)
            return null;
        try
        {
            var holder = Encoding.UTF8.GetBytes(
                $"node {node.Name}\nincarnation {node.Incarnation}\nlease {Guid.NewGuid()}\n");
            await AtomicFile.ReplaceAsync(folder.CoordinatorPath, holder).ConfigureAwait(false);
            return new FileCoordinatorLease(folder, files, handle, holder);
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }

    public async ValueTask<bool> IsHeldAsync(CancellationToken cancellationToken)
    {
        if (_isLost)
            return false;
        var holder = await AtomicFile.ReadAsync(_folder.CoordinatorPath, HolderBytesMax, cancellationToken)
            .ConfigureAwait(false);
        var isOwn = await _files.IsOwnAsync(cancellationToken).ConfigureAwait(false);
        if (_isLost)
            return false;
        if (isOwn && holder is not null && holder.AsSpan().SequenceEqual(_holder))
            return true;
        Release();
        return false;
    }

    public ValueTask DisposeAsync()
    {
        Release();
        return ValueTask.CompletedTask;
    }

    public void Release()
    {
        _isLost = true;
        _lock.Dispose();
    }
}
