using Microsoft.Win32.SafeHandles;

namespace Cluster.Nodes.Stores.Files;

/// <summary>Proof that one incarnation of a node still runs: a lock on its own file that ends with the process, however
/// it ends. Only the node's registration uses it. The contents are written only under the lock, so a file with contents
/// and without a lock belonged to an ended incarnation; a file without contents proves nothing.</summary>
internal sealed class NodeLock : IDisposable
{
    private readonly string _path;
    private readonly byte[] _contents;
    private SafeFileHandle _handle;
    private GCHandle _root;

    private NodeLock(string path, byte[] contents, SafeFileHandle handle)
    {
        _path = path;
        _contents = contents;
        _handle = handle;

        // Without a reference the handle's finalizer would release the lock and make a living node look dead.
        _root = GCHandle.Alloc(handle);
    }

    /// <summary>Takes the lock of a new incarnation.</summary>
    /// <returns>The lock, or <c>null</c> when this incarnation is locked already or has ended.</returns>
    public static async ValueTask<NodeLock?> TryAcquireAsync(
        string path, byte[] contents, LockWait wait, CancellationToken cancellationToken)
    {
        // A process that looks for a proof may hold the empty file for a moment. No other process may hold it.
        var handle = await OsLock.AcquireAsync(path, wait, cancellationToken).ConfigureAwait(false);
        if (handle is null)
            return null;
        try
        {
            if (RandomAccess.GetLength(handle) == 0)
            {
                RandomAccess.Write(handle, contents, 0);
                return new NodeLock(path, contents, handle);
            }

            handle.Dispose();
            return null;
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }

    /// <summary>Whether the incarnation that a file stands for has ended. Never takes a living node's lock and keeps
    /// none.</summary>
    /// <param name="path">The incarnation's file.</param>
    public static bool IsOver(string path)
    {
        try
        {
            using var handle = OsLock.TryAcquire(path, FileMode.Open);
            return handle is not null && RandomAccess.GetLength(handle) > 0;
        }
        catch (Exception missing) when (missing is FileNotFoundException or DirectoryNotFoundException)
        {
            return false;
        }
    }

    /// <summary>Removes the file of an ended incarnation; leaves that of a living one alone.</summary>
    /// <param name="path">The incarnation's file.</param>
    public static void RemoveIfOver(string path)
    {
        using var handle = OsLock.TryAcquire(path, FileMode.Open);
        if (handle is not null)
            File.Delete(path);
    }

    /// <summary>The text of the file, for a person who opens it.</summary>
    public static byte[] Describe(NodeId node, string address) => Encoding.UTF8.GetBytes(
        $"node {node.Name}\nincarnation {node.Incarnation}\naddress {address}\nprocess {Environment.ProcessId}\n");

    /// <summary>Creates the file again where somebody has removed it, so that the end of this incarnation stays
    /// provable.</summary>
    public async ValueTask EnsureAnnouncedAsync(LockWait wait, CancellationToken cancellationToken)
    {
        if (File.Exists(_path))
            return;
        var handle = await OsLock.AcquireAsync(_path, wait, cancellationToken).ConfigureAwait(false)
            ?? throw new IOException($"The file {_path} of this living node is locked by another process.");
        RandomAccess.Write(handle, _contents, 0);
        Release();
        _handle = handle;
        _root = GCHandle.Alloc(handle);
    }

    public void Dispose() => Release();

    private void Release()
    {
        _handle.Dispose();
        if (_root.IsAllocated)
            _root.Free();
    }
}
