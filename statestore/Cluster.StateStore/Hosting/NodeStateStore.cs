using Cluster.Pile;
using Cluster.Pile.Hosting;
using Cluster.StateStore.Engine;
using Cluster.StateStore.Engine.Folders;
using Cluster.StateStore.Engine.Snapshots;
using Cluster.StateStore.Engine.Statistics;
using Cluster.StateStore.Hosting.Layouts;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Observation;
using Cluster.StateStore.Protocol.Nodes;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Storage;
using Microsoft.Extensions.Logging;

namespace Cluster.StateStore.Hosting;

/// <summary>What one node holds of the cluster's states, in the node's one pile, and its part in deciding who holds
/// what. It joins the member list, serves what the table gives to the node, moves partitions, and answers the
/// operations of this node and of its peers. The runtime connects it with the cluster store and with the other nodes.
/// Thread-safe.</summary>
public sealed partial class NodeStateStore : IStatePeer, IDisposable
{
    // A node that comes back with its folder needs only the log since its death, if the log is not longer than this.
    private const long LogBytesKept = 64L << 20;

    private readonly NodeEngine _engine;
    private readonly RequestExecutor _executor;
    private readonly FeedServer _feeds;
    private readonly StateTables _tables;
    private readonly LayoutShelf _layouts;
    private readonly SnapshotKeeper? _snapshots;
    private readonly NodeFolder? _folder;
    private readonly StateInstruments _instruments;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly Guid _clusterId;
    private readonly ClusterMember _member;
    private readonly int _backups;

    /// <summary>Makes a store that does nothing before <see cref="Start"/>.</summary>
    /// <param name="catalog">The states.</param>
    /// <param name="meta">The cluster's properties.</param>
    /// <param name="pile">The node's pile; the store does not dispose it.</param>
    /// <param name="view">The node's view of the table.</param>
    /// <param name="options">The node, its surroundings and limits.</param>
    /// <exception cref="IOException">The mapped folder is not that of this node, or cannot be used; the message says
    /// why, and what to do.</exception>
    public NodeStateStore(
        StateCatalog catalog, ClusterMeta meta, LocalPile pile, ITableView view, NodeStateStoreOptions options)
    {
        ArgumentNullException.ThrowIfNull(catalog);
        ArgumentNullException.ThrowIfNull(meta);
        ArgumentNullException.ThrowIfNull(pile);
        ArgumentNullException.ThrowIfNull(view);
        ArgumentNullException.ThrowIfNull(options);
        var hash = new PartitionHash(meta);
        (Catalog, _clusterId) = (catalog, meta.ClusterId);
        _backups = options.Backups;
        _member = options.Member with
        {
            Protocol = options.Protocol,
            WantedBackups = new([.. catalog.Definitions.Select(BackupsOf).Distinct().Order()]),
            KeepsSnapshots = options.SnapshotFolder is not null,
        };
        (_instruments, _time) = (StateInstruments.OfRequests(options.MeterFactory), options.Time);
        _logger = options.LoggerFactory.CreateLogger<NodeStateStore>();
        _tables = new StateTables((set, state) => Open(pile, meta, set, state));
        _layouts = new LayoutShelf(catalog, meta.ClusterId);
        if (options.SnapshotFolder is { } folder)
        {
            var settings = new SnapshotSettings(folder, options.Member.Node.Name, options.SnapshotInterval)
            {
                AllowsSharedFolder = options.AllowSharedFolder,
            };
            _snapshots = new SnapshotKeeper(
                settings, hash, _layouts, options.Time, options.LoggerFactory.CreateLogger<SnapshotKeeper>());
        }

        if (options.MappedFolder is { } mapped)
        {
            var owner = new FolderOwner(meta.ClusterId, meta.PartitionCount, meta.HashSeed, options.Member.Node.Name);
            _folder = NodeFolder.Open(pile, mapped, owner, hash.PartitionCountMax);
            _tables.OpenAll(StampedTable.ListNames(pile));
        }

        _engine = new NodeEngine(OptionsOf(options, hash), options.Environment);
        Operations = new OwnerOperations(_engine, options);
        _executor = new RequestExecutor(catalog, hash, Operations, view, options);
        _feeds = new FeedServer(_engine, catalog, hash, view, options.Time);
    }

    /// <summary>The states.</summary>
    public StateCatalog Catalog { get; }

    /// <summary>Why the store has stopped by itself; null: it has not. It answers nothing more then.</summary>
    public string? Failure { get; private set; }

    internal OwnerOperations Operations { get; }

    internal NodeEngine Engine => _engine;

    /// <summary>Returns why the states of this node cannot be in the cluster, and what to do about it: a state has
    /// another number of backups there, there are too many partitions or states, or this node does not speak the
    /// version of the protocol that the other nodes need. Null: the states can join.</summary>
    /// <param name="table">The cluster's table.</param>
    public (string Problem, string Remedy)? FindObstacle(ClusterTable table)
    {
        ArgumentNullException.ThrowIfNull(table);
        if (_member.Protocol < table.Protocol)
        {
            return (
                $"All nodes of the cluster speak at least version {table.Protocol} of the protocol between nodes, and "
                + $"this node speaks version {_member.Protocol}.",
                "Start the node with the version of the library that the other nodes have.");
        }

        foreach (var state in Catalog.Definitions)
        {
            var backups = BackupsOf(state);
            if (table.BackupsOf(state.Id) is { } known && known != backups)
            {
                return (
                    $"State '{state.Name}' has {known} backups in this cluster, and {backups} on this node. The "
                    + "number of a state never changes.",
                    $"Set the Backups of the state, or Cluster:Backups, to {known}.");
            }
        }

        if (table.States.Items.Select(state => state.State).Union(Catalog.Definitions.Select(state => state.Id)).Count()
            > ClusterTable.MaxStates)
            return ($"The cluster would have more than {ClusterTable.MaxStates} states.", "Use fewer states.");

        var sets = table.SetBackups.Items.Union(_member.WantedBackups.Items).Count();
        if ((long)sets * table.SetSize <= ClusterMeta.MaxPartitionCount)
            return null;
        return (
            $"The cluster has {table.SetSize} partitions for each number of backups that its states have, and at most "
            + $"{ClusterMeta.MaxPartitionCount} together; the states of this node need more.",
            "Give the states the same Backups, or create the cluster with a smaller Cluster:PartitionCount.");
    }

    /// <summary>Opens the folder of snapshots, if there is one, and begins to join the member list and to serve what
    /// the table gives to the node.</summary>
    /// <exception cref="IOException">The folder of snapshots cannot be used; the message says why, and what to
    /// do.</exception>
    public void Start()
    {
        _snapshots?.Start(_engine);
        if (_folder?.Sharing is { } sharing)
            LogShared(LogText.Clean(sharing));
        if (_folder is not null && Describe() is { Kept: var kept, Dropping: var dropped } && kept + dropped > 0)
            LogAttached(kept, dropped);
        _engine.Start();
    }

    /// <summary>Takes a frame of another node. Bytes that are no frame, a beacon, and a frame for another life are
    /// counted and dropped.</summary>
    /// <param name="frame">The frame; its memory must not change any more.</param>
    public void Deliver(ReadOnlyMemory<byte> frame) => _engine.Receive(frame, isBeacon: false);

    /// <summary>Takes a beacon of another node, or the answer to one. Any other frame is counted and dropped. Before
    /// the call returns, a beacon is answered by <see cref="INodeEnvironment.AnswerBeacon"/>, or it gets no
    /// answer.</summary>
    /// <param name="frame">The frame; its memory must not change any more.</param>
    public void DeliverBeacon(ReadOnlyMemory<byte> frame) => _engine.Receive(frame, isBeacon: true);

    /// <summary>Takes a table that the cluster store has shown. Older ones than the newest known are ignored.</summary>
    /// <param name="table">The table.</param>
    public void TableRead(ClusterTable table) => _engine.TableRead(table, _clusterId);

    /// <summary>Takes the outcome of a proposal.</summary>
    /// <param name="nonce">The nonce of the proposed table.</param>
    /// <param name="result">The outcome.</param>
    public void SwapEnded(Guid nonce, SwapResult result) => _engine.SwapEnded(nonce, result);

    /// <summary>Learns who has the role of the coordinator.</summary>
    /// <param name="holder">The holder; null: another node, which is not known.</param>
    public void CoordinatorKnown(NodeId? holder) => _engine.CoordinatorKnown(holder);

    /// <summary>Learns that a life has ended for certain.</summary>
    /// <param name="node">The life.</param>
    /// <param name="proof">What proves it, in words.</param>
    public void DeathProven(NodeId node, string proof) => _engine.DeathProven(node, proof);

    /// <summary>Begins to hand over all partitions to other nodes. The node stays in the member list.</summary>
    public void Drain() => _engine.Aim(MemberGoal.Drained);

    /// <summary>Stops answering operations. The node stays in the member list.</summary>
    public void Close() => _engine.Close();

    /// <summary>Saves snapshots of the partitions that have changed since they were saved last, if the node saves
    /// any. A cluster that stops as a whole loses nothing if its nodes close before.</summary>
    /// <param name="cancellationToken">Ends the work; the snapshots that are saved by then stay.</param>
    public Task SaveSnapshotsAsync(CancellationToken cancellationToken) =>
        _snapshots?.SaveAllAsync(cancellationToken) ?? Task.CompletedTask;

    /// <summary>Stops answering operations, and begins to leave the member list. What the node still holds is lost if
    /// no other node has it and no snapshot.</summary>
    public void Leave()
    {
        _engine.Close();
        _engine.Aim(MemberGoal.Gone);
    }

    /// <inheritdoc />
    public ValueTask<StateReply> ExecuteAsync(StateRequest request, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        return StateObservation.IsWanted(_instruments)
            ? ObserveAsync(request, cancellationToken)
            : _executor.ExecuteAsync(request, cancellationToken);
    }

    /// <inheritdoc />
    public ValueTask<WatchReply> WatchAsync(WatchRequest request, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        return _feeds.WatchAsync(request, cancellationToken);
    }

    /// <inheritdoc />
    public ValueTask<LayoutReply> LayoutsAsync(LayoutRequest request, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        return new(_layouts.Execute(request));
    }

    /// <summary>Whether another node has not been heard for 1.5 s, so that it probably cannot answer. That takes
    /// nothing from it.</summary>
    /// <param name="node">The other node.</param>
    public bool IsSuspected(NodeId node) => _engine.IsSuspected(node);

    /// <summary>What the store does now.</summary>
    public StoreStatistics Describe() => _engine.Look(_engine.RefusedFrames, StatisticsCollector.Collect) with
    {
        SnapshotsSaved = _snapshots?.SavedCount ?? 0,
        SnapshotsFailed = _snapshots?.FailedCount ?? 0,
        PartitionsRestored = _snapshots?.RestoredCount ?? 0,
    };

    /// <summary>What the partitions contain whose primary this node is.</summary>
    public IReadOnlyList<PartitionStatistics> DescribePrimaries() =>
        _engine.Look(0, static (parts, _) => StatisticsCollector.CollectPrimaries(parts.Shard));

    /// <summary>How many values the node holds, by the name of the state.</summary>
    public IReadOnlyDictionary<string, long> CountEntries() =>
        Catalog.Definitions.ToDictionary(state => state.Name, state => _tables.CountOf(state.Id));

    /// <summary>Stops. Operations that wait, and later ones, are answered as not ready.</summary>
    public void Dispose()
    {
        // The engine asks for snapshots until it has stopped.
        _engine.Dispose();
        _snapshots?.Dispose();
        _folder?.Dispose();
    }

    private EngineOptions OptionsOf(NodeStateStoreOptions options, PartitionHash hash)
    {
        var times = options.Times with { Restore = options.RestoreTimeout };
        var node = new NodeOptions
        {
            Member = _member,
            States = new([.. Catalog.Definitions.Select(state => new StatePlacement(state.Id, BackupsOf(state)))]),
            ClusterId = hash.ClusterId,
            NewGuid = Guid.NewGuid,
            InitialNodeCount = options.InitialNodeCount,
            CountOf = options.CountOf,
            ProtocolRaiseDelay = options.ProtocolRaiseDelay,
            Times = times,
        };
        var shard = new ShardOptions
        {
            PartitionCount = hash.PartitionCount,
            Times = times,
            CopiesMax = options.MaxCopies,
            KeepsSnapshots = _snapshots is not null,
            Marks = _folder?.Marks,
            LogBytesKept = _folder is null ? 0 : LogBytesKept,
        };
        return new EngineOptions(node, shard, hash, _tables)
        {
            Time = options.Time,
            Layouts = _layouts,
            Lost = LogLost,
            SnapshotWanted = (partition, epoch) => _snapshots?.Find(partition, epoch),
            RestorationWanted = (partition, epoch) => _snapshots?.Restore(partition, epoch),
            Failed = Fail,
        };
    }

    private byte BackupsOf(StateDefinition state) => (byte)(state.Backups ?? _backups);

    private void Fail(Exception failure)
    {
        Failure = $"the state store has stopped: {failure.Message}";
        LogFailed(LogText.Clean(failure), LogText.Clean(failure.Message));
    }

    // The keys of a folder of another cluster would lie in other partitions.
    private static StampedTable Open(LocalPile pile, ClusterMeta meta, int set, uint state) => StampedTable.Open(
        pile,
        new StampedTableOptions
        {
            Name = StateTables.NameOf(set, state),
            KeyForm = $"cluster {meta.ClusterId}, {meta.PartitionCount} partitions",
            HashSeed = meta.HashSeed,
        });

    private async ValueTask<StateReply> ObserveAsync(StateRequest request, CancellationToken cancellationToken)
    {
        var name = Catalog.TryFind(request.StateId, out var ordinal) ? Catalog[ordinal].Name : StateNames.Other;
        var observation = StateObservation.Begin(_instruments, _time, name, request.Verb);
        Exception? failure = null;
        try
        {
            var reply = await _executor.ExecuteAsync(request, cancellationToken).ConfigureAwait(false);
            observation.NoteAnswer(reply.Status);
            return reply;
        }
        catch (Exception exception)
        {
            failure = exception;
            throw;
        }
        finally
        {
            observation.End(failure);
        }
    }
}
