using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Stores.Files;

/// <summary>The cluster store of several processes on one machine: a folder on a local disk. Changes exclude each other
/// by an operating system's lock and replace whole files; each node's life is such a lock as well, which makes its end
/// provable. Owned by one node; the operating system protects what is shared between processes.</summary>
public sealed class FileClusterStore : IRestorableClusterStore
{
    private readonly StoreFolder _folder;
    private readonly ClusterFiles _files;
    private readonly string _clusterName;
    private readonly TimeProvider _time;
    private readonly ConcurrentDictionary<Guid, FileRegistration> _registrations = new();
    private readonly Lock _lock = new();
    private TableWatch? _watch;
    private volatile bool _isDisposed;

    /// <summary>Opens the store of one node. The folder is made, and checked, by the first operation.</summary>
    /// <param name="folder">A folder on a local disk; each cluster has a subfolder of its own name.</param>
    /// <param name="clusterName">The cluster.</param>
    /// <param name="time">Bounds the waits.</param>
    public FileClusterStore(string folder, string clusterName, TimeProvider time)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        ArgumentNullException.ThrowIfNull(time);
        ClusterStoreRules.CheckName(clusterName);
        _folder = new StoreFolder(folder, clusterName);
        _files = new ClusterFiles(_folder, clusterName);
        _clusterName = clusterName;
        _time = time;
    }

    /// <summary>How long this store waits for locks. Tests on a busy machine set more.</summary>
    internal FileStoreWaitBudget WaitBudget { get; init; } = new();

    /// <summary>Who may enter the folder.</summary>
    internal StoreFolderRule FolderRule { get; init; } = StoreFolderRule.Strict;

    /// <summary>Always <c>false</c>: a folder that was removed has lost the secret of the cluster as well.</summary>
    public bool IsRestoredByNodes => false;

    /// <inheritdoc />
    public string Description => $"file store in {_folder.ClusterFolder}";

    /// <inheritdoc />
    public ValueTask<ClusterMeta?> ReadMetaAsync(CancellationToken cancellationToken) =>
        RunAsync(() => _files.ReadMetaAsync(cancellationToken), cancellationToken);

    /// <inheritdoc />
    public ValueTask<ClusterMeta> CreateAsync(ClusterMeta proposed, CancellationToken cancellationToken)
    {
        ClusterStoreRules.CheckProposal(proposed, _clusterName);
        return RunAsync(
            async () =>
            {
                using var held = await LockTableAsync(cancellationToken).ConfigureAwait(false);
                return await _files.ReadMetaAsync(cancellationToken).ConfigureAwait(false)
                    ?? await _files.CreateNeedsLockAsync(proposed, cancellationToken).ConfigureAwait(false);
            },
            cancellationToken);
    }

    /// <inheritdoc />
    public ValueTask<bool> RestoreAsync(ClusterMeta meta, ClusterTable table, CancellationToken cancellationToken)
    {
        ClusterStoreRules.CheckProposal(meta, _clusterName);
        ArgumentNullException.ThrowIfNull(table);
        return RunAsync(
            async () =>
            {
                _folder.CheckUsable(FolderRule, isRemoved: true);
                using var held = await LockTableAsync(cancellationToken).ConfigureAwait(false);
                if (await _files.ReadMetaAsync(cancellationToken).ConfigureAwait(false) is not null)
                    return false;
                await _files.RestoreNeedsLockAsync(meta, table, cancellationToken).ConfigureAwait(false);
                return true;
            },
            cancellationToken);
    }

    /// <inheritdoc />
    public ValueTask<ClusterTable> ReadTableAsync(TableConsistency consistency, CancellationToken cancellationToken) =>
        RunAsync(
            async () =>
                await _files.ReadTableAsync(cancellationToken).ConfigureAwait(false) ?? throw NotBootstrapped(),
            cancellationToken);

    /// <inheritdoc />
    public ValueTask<TableStamp> ReadStampAsync(TableConsistency consistency, CancellationToken cancellationToken) =>
        RunAsync(
            async () =>
                await _files.ReadStampAsync(cancellationToken).ConfigureAwait(false) ?? throw NotBootstrapped(),
            cancellationToken);

    /// <inheritdoc />
    public ValueTask<SwapOutcome> CompareAndSwapAsync(
        ClusterTable successor, ICoordinatorLease? coordinator, CancellationToken cancellationToken)
    {
        ClusterStoreRules.CheckSuccessor(successor);
        var lease = coordinator as FileCoordinatorLease;
        if (coordinator is not null && lease?.Folder.ClusterFolder != _folder.ClusterFolder)
            throw StoreErrors.ForeignLease(nameof(coordinator));

        return RunAsync(() => SwapAsync(successor, lease, cancellationToken), cancellationToken);
    }

    /// <inheritdoc />
    public ValueTask<TableStamp> WaitForChangeAsync(long knownVersion, CancellationToken cancellationToken) =>
        RunAsync(() => WaitAsync(knownVersion, cancellationToken), cancellationToken);

    /// <inheritdoc />
    public ValueTask<INodeRegistration> RegisterAsync(NodeId node, string address, CancellationToken cancellationToken)
    {
        ArgumentException.ThrowIfNullOrEmpty(address);
        return RunAsync<INodeRegistration>(
            async () =>
            {
                await EndedNodes.RemoveAsync(_folder, _files, _time, cancellationToken).ConfigureAwait(false);
                var path = _folder.LifePathOf(node.Incarnation);
                var wait = new LockWait(WaitBudget.NodeLock, _time);
                var life =
                    await NodeLock.TryAcquireAsync(path, NodeLock.Describe(node, address), wait, cancellationToken)
                        .ConfigureAwait(false)
                    ?? throw StoreErrors.AlreadyRegistered(node);
                return _registrations[node.Incarnation] = new FileRegistration(this, node, life, wait);
            },
            cancellationToken);
    }

    /// <inheritdoc />
    public ValueTask<ICoordinatorLease?> TryAcquireCoordinatorAsync(NodeId node, CancellationToken cancellationToken) =>
        RunAsync<ICoordinatorLease?>(
            async () =>
            {
                if (!_registrations.TryGetValue(node.Incarnation, out var registration))
                    throw StoreErrors.NotRegistered(node);

                if (await _files.ReadMetaAsync(cancellationToken).ConfigureAwait(false) is null)
                    throw NotBootstrapped();
                var lease = await FileCoordinatorLease.TryAcquireAsync(_folder, _files, node).ConfigureAwait(false);
                return lease is null ? null : registration.Attach(lease);
            },
            cancellationToken);

    /// <inheritdoc />
    public ValueTask<bool> IsProvenDeadAsync(NodeId node, CancellationToken cancellationToken) =>
        RunAsync(() => ValueTask.FromResult(NodeLock.IsOver(_folder.LifePathOf(node.Incarnation))), cancellationToken);

    /// <summary>Closes this node's store. Registrations stand until they are disposed themselves: closing a store must
    /// not make a node look dead that still serves.</summary>
    public ValueTask DisposeAsync()
    {
        lock (_lock)
        {
            _isDisposed = true;
            _watch?.Dispose();
            _watch = null;
        }

        return ValueTask.CompletedTask;
    }

    /// <summary>Reads the secret that lies in the folder, and makes it where there is none. Synchronous, because a host
    /// needs it while its parts are made.</summary>
    /// <param name="make">Makes the text of a new secret.</param>
    internal string ReadSecret(Func<string> make)
    {
        _folder.CheckUsable(FolderRule);
        try
        {
            return StoreSecret.Read(_folder.SecretPath, _folder.TableLockPath, make);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // This call does not retry: a process that finds no secret does not start.
            throw new ClusterStoreException(
                ClusterStoreError.Unusable, FileErrors.Translate(Description, failure).Message, failure);
        }
    }

    internal void Forget(FileRegistration registration) =>
        _registrations.TryRemove(registration.Node.Incarnation, out _);

    private async ValueTask<SwapOutcome> SwapAsync(
        ClusterTable successor, FileCoordinatorLease? lease, CancellationToken cancellationToken)
    {
        using var held = await LockTableAsync(cancellationToken).ConfigureAwait(false);
        var standing = await _files.ReadTableAsync(cancellationToken).ConfigureAwait(false) ?? throw NotBootstrapped();
        if (lease is not null && !await lease.IsHeldAsync(cancellationToken).ConfigureAwait(false))
            return SwapOutcome.LeaseLost;
        if (ClusterStoreRules.Judge(standing, successor) is { } decided)
            return decided;
        await _files.WriteTableNeedsLockAsync(successor).ConfigureAwait(false);
        return SwapOutcome.Swapped;
    }

    private async ValueTask<TableStamp> WaitAsync(long knownVersion, CancellationToken cancellationToken)
    {
        var started = _time.GetTimestamp();
        var watch = Watch();
        while (true)
        {
            var report = watch.NextReport;
            var version = await _files.ReadVersionAsync(cancellationToken).ConfigureAwait(false)
                ?? throw NotBootstrapped();
            if (version > knownVersion || _time.GetElapsedTime(started) >= FileStoreLimits.WatchWait)
                return await _files.ReadStampAsync(cancellationToken).ConfigureAwait(false) ?? throw NotBootstrapped();
            using var poll = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            await Task.WhenAny(report, Task.Delay(FileStoreLimits.PollInterval, _time, poll.Token))
                .ConfigureAwait(false);
            await poll.CancelAsync().ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
            ObjectDisposedException.ThrowIf(_isDisposed, this);
        }
    }

    private TableWatch Watch()
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            return _watch ??= new TableWatch(_folder);
        }
    }

    private async ValueTask<IDisposable> LockTableAsync(CancellationToken cancellationToken) =>
        await OsLock.AcquireAsync(_folder.TableLockPath, new LockWait(WaitBudget.TableLock, _time), cancellationToken)
            .ConfigureAwait(false)
        ?? throw new ClusterStoreException(
            ClusterStoreError.Unreachable,
            $"The {Description} did not answer: another process has held {_folder.TableLockPath} for "
            + $"{WaitBudget.TableLock.TotalSeconds} s. It may be paused; nothing was changed.");

    private async ValueTask<T> RunAsync<T>(Func<ValueTask<T>> operation, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        cancellationToken.ThrowIfCancellationRequested();
        _folder.CheckUsable(FolderRule);
        return await FileErrors.TranslateAsync(Description, operation).ConfigureAwait(false);
    }

    private ClusterStoreException NotBootstrapped() => _files.DescribeMissing(Description);
}

/// <summary>How long a file store waits for locks that other processes hold. Immutable.</summary>
internal sealed record FileStoreWaitBudget
{
    /// <summary>How long a change waits for the lock of the table.</summary>
    public TimeSpan TableLock { get; init; } = FileStoreLimits.TableLockDeadline;

    /// <summary>How long an incarnation waits for its own lock, which a process that looks for a proof may hold for a
    /// moment.</summary>
    public TimeSpan NodeLock { get; init; } = FileStoreLimits.LifeLockDeadline;
}
