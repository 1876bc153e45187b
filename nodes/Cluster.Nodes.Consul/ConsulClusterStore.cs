using Cluster.Contracts.Pacing;
using Cluster.Nodes.Consul.Client;
using Cluster.Nodes.Consul.Messages;
using Cluster.Nodes.Consul.Storage;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Consul;

/// <summary>The cluster store of several machines: a few keys in Consul, changed in one transaction. Nothing that runs
/// depends on it; while it cannot be reached, no node joins and no partition changes its owner. Owned by one node; the
/// last table seen is kept in one reference, published whole.</summary>
public sealed class ConsulClusterStore : IRestorableClusterStore
{
    private readonly ConsulClient _consul;
    private readonly ClusterKeys _keys;
    private readonly StoreIdentity _identity = new();
    private readonly TableKeys _table;
    private readonly VersionWatch _watch;
    private readonly CoordinatorElection _election;
    private readonly TimeProvider _time;
    private readonly Jitter _jitter = new();
    private readonly ILogger<ConsulRegistration> _registrationLogger;
    private readonly ConcurrentDictionary<Guid, ConsulRegistration> _registrations = new();
    private readonly CancellationTokenSource _closing = new();
    private volatile StoredSnapshot? _latest;
    private int _isDisposed;

    private ConsulClusterStore(
        string clusterName, ConsulOptions options, ConsulWaitBudget budget, TimeProvider time, ILoggerFactory loggers)
    {
        ClusterName = clusterName;
        WaitBudget = budget;
        _time = time;

        _registrationLogger = loggers.CreateLogger<ConsulRegistration>();
        var leader = new LeaderWatch(time, loggers.CreateLogger<LeaderWatch>());
        _consul = new ConsulClient(new ConsulTransport(options, budget, time, _jitter, leader), budget);
        _keys = new ClusterKeys(clusterName);
        _table = new TableKeys(_consul, _keys, _identity);
        _watch = new VersionWatch(_consul, _table, _keys.Version, time, _jitter);
        _election = new CoordinatorElection(this, _consul, _table, _keys);
    }

    /// <inheritdoc />
    public bool IsRestoredByNodes => true;

    /// <inheritdoc />
    public string Description => $"store of cluster '{ClusterName}' in {_consul.Place}";

    internal string ClusterName { get; }

    internal ConsulWaitBudget WaitBudget { get; }

    /// <summary>Opens the store of one node. Talks to Consul with the first operation.</summary>
    /// <param name="clusterName">The cluster.</param>
    /// <param name="options">Where Consul is.</param>
    /// <param name="time">Bounds the waits.</param>
    /// <param name="loggers">Where to tell about trouble.</param>
    /// <exception cref="ArgumentException">Name or options cannot be used.</exception>
    public static ConsulClusterStore Create(
        string clusterName, ConsulOptions options, TimeProvider time, ILoggerFactory loggers) =>
        Create(clusterName, options, ConsulWaitBudget.Default, time, loggers);

    /// <summary>Opens a store that waits longer or shorter than production does.</summary>
    internal static ConsulClusterStore Create(
        string clusterName, ConsulOptions options, ConsulWaitBudget budget, TimeProvider time, ILoggerFactory loggers)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        ArgumentNullException.ThrowIfNull(loggers);
        ClusterStoreRules.CheckName(clusterName);
        string[] problems = [.. ConsulOptionsRules.FindProblems(options)];
        if (problems.Length > 0)
            throw new ArgumentException(string.Join(" ", problems), nameof(options));
        return new ConsulClusterStore(clusterName, options, budget, time, loggers);
    }

    /// <inheritdoc />
    public ValueTask<ClusterMeta?> ReadMetaAsync(CancellationToken cancellationToken) =>
        RunAsync(ReadMetaCoreAsync, cancellationToken);

    /// <inheritdoc />
    public ValueTask<ClusterMeta> CreateAsync(ClusterMeta proposed, CancellationToken cancellationToken)
    {
        ClusterStoreRules.CheckProposal(proposed, ClusterName);
        return RunAsync(token => CreateCoreAsync(proposed, token), cancellationToken);
    }

    /// <inheritdoc />
    public ValueTask<ClusterTable> ReadTableAsync(TableConsistency consistency, CancellationToken cancellationToken) =>
        RunAsync(
            async token => (await ReadSnapshotAsync(consistency, token).ConfigureAwait(false)).Table,
            cancellationToken);

    /// <inheritdoc />
    public ValueTask<TableStamp> ReadStampAsync(TableConsistency consistency, CancellationToken cancellationToken) =>
        RunAsync(token => ReadStampCoreAsync(consistency, token), cancellationToken);

    /// <inheritdoc />
    public ValueTask<SwapOutcome> CompareAndSwapAsync(
        ClusterTable successor, ICoordinatorLease? coordinator, CancellationToken cancellationToken)
    {
        ClusterStoreRules.CheckSuccessor(successor);
        var lease = coordinator as ConsulCoordinatorLease;
        if (coordinator is not null && lease?.Store != this)
            throw new ArgumentException("The coordinator lease comes from another store.", nameof(coordinator));

        return RunAsync(token => SwapAsync(successor, lease, token), cancellationToken);
    }

    /// <inheritdoc />
    public ValueTask<bool> RestoreAsync(ClusterMeta meta, ClusterTable table, CancellationToken cancellationToken)
    {
        ClusterStoreRules.CheckProposal(meta, ClusterName);
        ArgumentNullException.ThrowIfNull(table);
        return RunAsync(token => RestoreCoreAsync(meta, table, token), cancellationToken);
    }

    /// <inheritdoc />
    public ValueTask<TableStamp> WaitForChangeAsync(long knownVersion, CancellationToken cancellationToken) =>
        RunAsync(token => WaitCoreAsync(knownVersion, token), cancellationToken);

    /// <inheritdoc />
    public ValueTask<INodeRegistration> RegisterAsync(NodeId node, string address, CancellationToken cancellationToken)
    {
        if (!Uri.TryCreate(address, UriKind.Absolute, out var uri))
            throw new ArgumentException($"'{address}' is no address such as http://10.0.0.5:7000.", nameof(address));

        return RunAsync<INodeRegistration>(
            async token =>
            {
                var registration = new ConsulRegistration(this, _consul, node, uri, _registrationLogger);
                await registration.AnnounceAsync(token).ConfigureAwait(false);
                return _registrations[node.Incarnation] = registration;
            },
            cancellationToken);
    }

    /// <inheritdoc />
    public ValueTask<ICoordinatorLease?> TryAcquireCoordinatorAsync(NodeId node, CancellationToken cancellationToken) =>
        RunAsync<ICoordinatorLease?>(
            async token => _registrations.TryGetValue(node.Incarnation, out var candidate)
                ? await _election.TryAcquireAsync(candidate, token).ConfigureAwait(false)
                : throw new InvalidOperationException(
                    $"Node {node} must register with this store before it can become the coordinator."),
            cancellationToken);

    /// <summary>Always <c>false</c>: Consul sees a paused node, or one whose agent died, as it sees a dead
    /// one.</summary>
    /// <param name="node">The node in question.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public ValueTask<bool> IsProvenDeadAsync(NodeId node, CancellationToken cancellationToken) =>
        RunAsync(static _ => Task.FromResult(false), cancellationToken);

    /// <summary>Closes this node's store and ends what waits in it. Registrations and leases end by their own disposal
    /// before.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
            return;
        await _closing.CancelAsync().ConfigureAwait(false);
        _consul.Dispose();
        _closing.Dispose();
    }

    internal void Forget(ConsulRegistration registration) =>
        _registrations.TryRemove(registration.Node.Incarnation, out _);

    /// <summary>Waits a random part of the span.</summary>
    internal Task PauseAsync(TimeSpan spanMax, CancellationToken cancellationToken) =>
        Task.Delay(_jitter.SpreadFromZero(spanMax), _time, cancellationToken);

    /// <summary>The session that holds the lock of this cluster's coordinator, as the leader knows it.</summary>
    internal ValueTask<string?> ReadCoordinatorAsync(CancellationToken cancellationToken) => RunAsync(
        async token => (await _table.ReadOwnAsync(_keys.Coordinator, token).ConfigureAwait(false))?.Wanted.Session,
        cancellationToken);

    /// <summary>Runs one operation, ended by the caller or by the store's disposal.</summary>
    internal async ValueTask<T> RunAsync<T>(
        Func<CancellationToken, Task<T>> operation, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_isDisposed != 0, this);
        cancellationToken.ThrowIfCancellationRequested();
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _closing.Token);
        try
        {
            return await operation(either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException failure)
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw new ObjectDisposedException($"The {Description} was closed meanwhile.", failure);
        }
    }

    private async Task<ClusterMeta?> ReadMetaCoreAsync(CancellationToken cancellationToken)
    {
        var entry = await _consul.ReadKeyAsync(_keys.Meta, cancellationToken).ConfigureAwait(false);
        return entry is null ? null : _table.DecodeMeta(entry);
    }

    // The version's key alone does not tell whose version it is: a store that answers must answer for this cluster.
    private async Task<TableStamp> WaitCoreAsync(long knownVersion, CancellationToken cancellationToken)
    {
        await _watch.WaitAsync(knownVersion, cancellationToken).ConfigureAwait(false);
        return await ReadStampCoreAsync(TableConsistency.Stale, cancellationToken).ConfigureAwait(false);
    }

    private async Task<TableStamp> ReadStampCoreAsync(
        TableConsistency consistency, CancellationToken cancellationToken)
    {
        var stamp = await ReadWholeAsync(
            mode => _table.ReadStampAsync(mode, cancellationToken), consistency, cancellationToken)
            .ConfigureAwait(false);
        return stamp!.Value;
    }

    private async Task<ClusterMeta> CreateCoreAsync(ClusterMeta proposed, CancellationToken cancellationToken)
    {
        // A store that belongs to a cluster already makes no other one where its own is gone.
        if (_identity.Known is not null)
        {
            return await ReadMetaCoreAsync(cancellationToken).ConfigureAwait(false)
                ?? _identity.Check(proposed, _table.PlaceOf(_keys.Meta));
        }

        var reply = await WriteClusterAsync(
            proposed, ClusterTable.CreateEmpty(proposed.PartitionCount), cancellationToken).ConfigureAwait(false);
        if (reply.Errors is null or [])
            return _identity.Check(proposed, _table.PlaceOf(_keys.Meta));
        return await ReadMetaCoreAsync(cancellationToken).ConfigureAwait(false) ?? throw new ClusterStoreException(
            ClusterStoreError.Incompatible,
            $"{_consul.Place} has keys under {ClusterKeys.Root}/{ClusterName}/, but no cluster's properties: "
            + $"{LogText.Clean(reply.Errors[0].What, ConsulLimits.QuoteLengthMax)}. "
            + "Remove these keys, or use another cluster name.");
    }

    // Every key is made now, also those that are filled later: a poll of a missing key wakes with every write anywhere.
    private Task<TransactionReply> WriteClusterAsync(
        ClusterMeta meta, ClusterTable table, CancellationToken cancellationToken) => _consul.TransactAsync(
        [
            KeyValueOperation.CompareAndSet(_keys.Meta, ClusterMetaCodec.Encode(meta), 0),
            KeyValueOperation.CompareAndSet(_keys.Coordinator, [], 0),
            .. _table.Create(table),
        ],
        cancellationToken);

    private async Task<bool> RestoreCoreAsync(
        ClusterMeta meta, ClusterTable table, CancellationToken cancellationToken)
    {
        if (await ReadMetaCoreAsync(cancellationToken).ConfigureAwait(false) is not null)
            return false;
        var reply = await WriteClusterAsync(meta, table, cancellationToken).ConfigureAwait(false);
        if (reply.Errors is null or [])
            return true;
        if (await ReadMetaCoreAsync(cancellationToken).ConfigureAwait(false) is not null)
            return false;
        throw new ClusterStoreException(
            ClusterStoreError.Incompatible,
            $"{_consul.Place} has keys under {ClusterKeys.Root}/{ClusterName}/, but no cluster's properties: "
            + $"{reply.Errors[0].What}. Remove these keys first.");
    }

    private async Task<StoredSnapshot> ReadSnapshotAsync(
        TableConsistency consistency, CancellationToken cancellationToken)
    {
        var snapshot = await ReadWholeAsync(
            mode => _table.ReadAsync(mode, cancellationToken), consistency, cancellationToken).ConfigureAwait(false);
        return _latest = snapshot!;
    }

    /// <summary>Reads several keys of the cluster. Where one of them is missing, reads once more before it says that
    /// the cluster is gone: a server that lags behind, and a read just before the cluster is created, find no
    /// keys.</summary>
    /// <param name="read">Reads the keys at one moment. Its result is null where a key is missing.</param>
    /// <param name="consistency">The consistency of the first read. The second one is consistent.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>What the keys hold, never null.</returns>
    internal async Task<T> ReadWholeAsync<T>(
        Func<TableConsistency, Task<T>> read, TableConsistency consistency, CancellationToken cancellationToken)
    {
        var found = await read(consistency).ConfigureAwait(false);
        if (found is not null)
            return found;

        // One transaction creates the cluster's properties and the other keys. So where the properties exist, a
        // consistent read finds the other keys, unless somebody has removed or hidden them.
        if (await ReadMetaCoreAsync(cancellationToken).ConfigureAwait(false) is null)
            throw _identity.DescribeMissing(Description);
        found = await read(TableConsistency.Consistent).ConfigureAwait(false);
        if (found is not null)
            return found;

        // Keys that the token may not read look missing in a transaction.
        throw new ClusterStoreException(
            ClusterStoreError.Incompatible,
            $"{_table.PlaceOf(_keys.Meta)} names a cluster whose table is missing or hidden from the token. Put "
            + "back the keys beside it, or correct the token's rights.");
    }

    private async Task<SwapOutcome> SwapAsync(
        ClusterTable successor, ConsulCoordinatorLease? lease, CancellationToken cancellationToken)
    {
        var standing = _latest;
        if (standing?.Table.Version != successor.Version - 1)
            standing = await ReadSnapshotAsync(TableConsistency.Consistent, cancellationToken).ConfigureAwait(false);

        if (lease is { IsKnownLost: true })
            return SwapOutcome.LeaseLost;
        if (ClusterStoreRules.Judge(standing.Table, successor) is { } decided)
            return decided;
        var steps = _table.Replace(standing, successor);
        if (lease is not null)
            steps = steps.Prepend(KeyValueOperation.CheckSession(_keys.Coordinator, lease.Session));
        var reply = await _consul.TransactAsync(steps, cancellationToken).ConfigureAwait(false);
        if (reply.Errors is null or [])
        {
            _latest = _table.Replaced(standing, successor, reply);
            return SwapOutcome.Swapped;
        }

        // The transaction may have been done by an attempt whose answer was lost; only the nonce tells.
        standing = await ReadSnapshotAsync(TableConsistency.Consistent, cancellationToken).ConfigureAwait(false);
        if (ClusterStoreRules.IsStanding(standing.Table, successor))
            return SwapOutcome.Swapped;
        if (lease is null || !reply.Errors.Any(error => error.OpIndex == 0))
            return SwapOutcome.Conflict;
        lease.MarkLost();
        return SwapOutcome.LeaseLost;
    }
}
