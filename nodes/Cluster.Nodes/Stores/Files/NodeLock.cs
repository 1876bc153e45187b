using Microsoft.Win32.SafeHandles;

namespace Cluster.Nodes.Stores.Files;

/// <summary>Proof that one life of a node goes on: a lock on a file of its own that ends with the process, however it
/// ends. Owned by the node's registration, which is its only user. The contents are written only under the lock, so a
/// file with contents and without a lock belonged to a life that is over; one without contents proves
/// nothing.</summary>
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

        // If nobody referred to the handle any more, its finalizer would give the lock up and make a living node
        // look dead.
        _root = GCHandle.Alloc(handle);
    }

    /// <summary>Takes the lock of a new life.</summary>
    /// <returns>The lock, or <c>null</c> when this life is locked already or has ended.</returns>
    public static async ValueTask<NodeLock?> TryAcquireAsync(
        string path, byte[] contents, LockWait wait, CancellationToken cancellationToken)
    {
        // Somebody who looks for a proof holds an empty file for a moment; nobody else may hold it.
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

    /// <summary>Whether the life that a file stands for is over. Never takes a living node's lock and keeps
    /// none.</summary>
    /// <param name="path">The life's file.</param>
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

    /// <summary>Removes the file of a life that is over; leaves that of a living one alone.</summary>
    /// <param name="path">The life's file.</param>
    public static void RemoveIfOver(string path)
    {
        using var handle = OsLock.TryAcquire(path, FileMode.Open);
        if (handle is not null)
            File.Delete(path);
    }

    /// <summary>What the file says to a person who opens it.</summary>
    public static byte[] Describe(NodeId node, string address) => Encoding.UTF8.GetBytes(
        $"node {node.Name}\nincarnation {node.Incarnation}\naddress {address}\nprocess {Environment.ProcessId}\n");

    /// <summary>Makes the file again where somebody has removed it, so that the end of this life stays
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
