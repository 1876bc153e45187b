using System.Diagnostics.Metrics;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Protocol.Basics;
using Cluster.Testing;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>Several real state stores in one process, with a store for their table. With a manual clock, one thread
/// does everything in order: what the nodes ask of their environment waits in a queue, which is emptied between the
/// steps of the clock. With the system's clock, the thread pool does it. A test can look at the frames and calls between
/// nodes, and change or lose them.</summary>
internal sealed class SimulatedCluster : IAsyncDisposable
{
    private static readonly TimeSpan BoundDefault = TimeSpan.FromSeconds(60);

    // On a busy machine a member may not answer for a second. It is then set aside, for a minute at most.
    private static readonly TimeSpan MoveBound = TimeSpan.FromMinutes(3);
    private static readonly TimeSpan StepMax = TimeSpan.FromMilliseconds(20);

    private readonly ConcurrentQueue<Action> _calls = new();
    private readonly ConcurrentQueue<Exception> _failures = new();
    private readonly ManualTimeProvider? _manual;
    private readonly ShiftedTimeProvider _wall;
    private readonly List<SimulatedNode> _nodes = [];
    private StateRouter? _client;
    private int _callCount;

    /// <summary>Starts nodes. With a manual clock, they serve all partitions then.</summary>
    public SimulatedCluster(
        int nodes,
        int partitions = 16,
        StateCatalog? catalog = null,
        int backups = 0,
        bool isBalanced = false,
        bool isManual = true,
        Func<int, StateCatalog>? catalogOf = null,
        Func<int, int>? protocolOf = null)
    {
        ProtocolOf = protocolOf ?? (static _ => ProtocolVersion.Current);
        ProtocolRaiseDelay = protocolOf is null ? TimeSpan.FromDays(1) : TimeSpan.FromSeconds(10);
        _manual = isManual ? new ManualTimeProvider() : null;
        _wall = new ShiftedTimeProvider(_manual ?? TimeProvider.System);
        catalog ??= new StateCatalog([Carts, Texts, Counts]);
        CatalogOf = catalogOf ?? (_ => catalog);
        Meta = new ClusterMeta(Guid.NewGuid(), "test", partitions, 42, ClusterMeta.CurrentFormatVersion);
        Store = new SimulatedStore(partitions);
        (Backups, InitialNodeCount) = (backups, nodes);
        Times = new ProtocolTimes
        {
            Settle = isBalanced ? TimeSpan.FromMilliseconds(300) : TimeSpan.FromDays(10_000),
        };
        for (var number = 1; number <= nodes; number++)
            Add();
        if (isManual)
            Pump(() => IsQuiet, BoundDefault);
    }

    public static StateDefinition<string, Cart> Carts { get; } = StateDefinition.Create<string, Cart>("carts");

    public static StateDefinition<long, string> Texts { get; } =
        StateDefinition.Create<long, string>("texts", s => s.AllowOperation<AppendText>().AllowOperation<EchoText>());

    public static StateDefinition<string, int?> Counts { get; } =
        StateDefinition.Create<string, int?>("counts", s => s.AllowOperation<Increment>());

    /// <summary>The clock of all nodes whose clocks no test has shifted.</summary>
    public TimeProvider Time => _wall;

    public ManualTimeProvider Manual => _manual!;

    public ProtocolTimes Times { get; }

    public int Backups { get; }

    public int InitialNodeCount { get; }

    /// <summary>The states of each node by its number, which counts from one.</summary>
    public Func<int, StateCatalog> CatalogOf { get; }

    /// <summary>The highest version of the protocol that each node speaks, by its number.</summary>
    public Func<int, int> ProtocolOf { get; }

    /// <summary>How long all nodes must speak a version of the protocol before nodes without it are refused.</summary>
    public TimeSpan ProtocolRaiseDelay { get; }

    public ClusterMeta Meta { get; }

    public PartitionHash Hash => new(Meta);

    public SimulatedStore Store { get; }

    public ClusterTable Table => Store.Table;

    /// <summary>The router of a process that owns no partition. It keeps the table of its first use, so it learns of
    /// changes from redirects.</summary>
    public StateRouter Client => _client ??=
        new StateRouter(new TableView(null, Table), new Directory(this), Hash, null, RouterOptions());

    public SimulatedNode this[int index] => _nodes[index];

    public IReadOnlyList<SimulatedNode> Nodes => _nodes;

    public IEnumerable<SimulatedNode> Living => _nodes.Where(node => !node.IsKilled);

    /// <summary>Called before each operation that is sent to another node. The caller gets its exception.</summary>
    public Action<ClusterMember>? BeforeCall { get; set; }

    /// <summary>Called after each operation that another node has executed. The caller gets its exception instead of the
    /// reply.</summary>
    public Action<ClusterMember>? AfterCall { get; set; }

    /// <summary>An operation that is sent to another node waits for this task.</summary>
    public Func<CancellationToken, Task>? HoldCall { get; set; }

    /// <summary>Called when a caller tells a node its layouts, and awaited.</summary>
    public Func<ClusterMember, Task>? HoldLayouts { get; set; }

    /// <summary>Whether watches reach no node.</summary>
    public bool AreWatchesCut { get; set; }

    /// <summary>Says of each reply to a watch whether it is lost on its way.</summary>
    public Func<WatchReply, bool>? LosesWatchReply { get; set; }

    public int CallCount => Volatile.Read(ref _callCount);

    /// <summary>Replaces each frame by what arrives at its receiver: the frame, other ones, or none.</summary>
    public Func<NodeId, byte[], IEnumerable<byte[]>>? Network { get; set; }

    /// <summary>Whether each partition has a primary and its backups, and nothing is planned.</summary>
    public bool IsQuiet => Table is var table && table.SetBackups.Count > 0
        && Enumerable.Range(0, table.Partitions.Length).All(index => IsQuietEntry(table, new PartitionId(index)));

    /// <summary>Starts nodes with the system's clock, and waits until they serve all partitions.</summary>
    public static async Task<SimulatedCluster> StartAsync(
        int nodes, int partitions = 16, StateCatalog? catalog = null, int backups = 0, bool isBalanced = false)
    {
        var cluster = new SimulatedCluster(nodes, partitions, catalog, backups, isBalanced, isManual: false);
        await cluster.UntilAsync(() => cluster.IsQuiet);
        return cluster;
    }

    /// <summary>The source of the meters of routers; null: the process.</summary>
    public IMeterFactory? Meters { get; set; }

    public StateRouterOptions RouterOptions() =>
        new() { Time = Time, Deadline = TimeSpan.FromSeconds(10), MeterFactory = Meters };

    /// <summary>Starts one more node.</summary>
    public SimulatedNode Add()
    {
        var node = new SimulatedNode(this, _nodes.Count + 1);
        _nodes.Add(node);
        node.Store.Start();
        return node;
    }

    public SimulatedNode? Find(NodeId node) => _nodes.Find(each => each.Node == node);

    public PartitionId PartitionOf<TValue>(StateDefinition<string, TValue> state, string key) =>
        Hash.PartitionOf(state.KeyOf(key, Hash).Hash, Table.FindSet(state.Backups ?? Backups)!.Value);

    public SimulatedNode OwnerOf(PartitionId partition) =>
        Table is var table ? Find(table.FindMember(table[partition].Primary!.Value)!.Node)! : null!;

    public SimulatedNode OtherThan(SimulatedNode node) => Living.First(other => other != node);

    /// <summary>A key of the state whose partition the node owns.</summary>
    public string KeyOn(SimulatedNode node, string prefix = "k") => KeyOn(Carts, node, prefix);

    /// <summary>A key of a state whose partition the node owns.</summary>
    public string KeyOn<TValue>(StateDefinition<string, TValue> state, SimulatedNode node, string prefix = "k") =>
        Enumerable.Range(0, 10_000)
            .Select(number => $"{prefix}{number}")
            .First(key => OwnerOf(PartitionOf(state, key)) == node);

    /// <summary>Replaces the table by a legal successor. The nodes learn of it.</summary>
    public void Change(Func<ClusterTable, ClusterTable> change) => Publish(Store.Change(change));

    public void Publish(ClusterTable table)
    {
        foreach (var node in Living)
        {
            Post(() =>
            {
                if (!node.IsKilled)
                    node.Learn(table);
            });
        }
    }

    /// <summary>Names the next primary of a partition; the nodes do the rest.</summary>
    public void BeginMove(PartitionId partition, SimulatedNode target)
    {
        var slot = target.Member.Slot;
        Change(table =>
        {
            var entry = table[partition];
            if (entry.Primary == slot)
                return table;
            var isInSync = entry.InSync.Items.Contains(slot);
            return table.WithPartition(partition, entry.Target(isInSync ? null : slot, slot));
        });
    }

    /// <summary>Moves a partition, and waits for the end.</summary>
    public async Task MoveAsync(PartitionId partition, SimulatedNode target)
    {
        await UntilAsync(() => IsQuietEntry(Table, partition), MoveBound);
        await UntilAsync(HasMoved, MoveBound, $"partition {partition} moved to node {target.Number}");

        // The coordinator drops a plan whose target does not answer for a moment, as happens on a busy machine.
        bool HasMoved()
        {
            if (!IsQuietEntry(Table, partition))
                return false;
            if (OwnerOf(partition) == target)
                return true;
            BeginMove(partition, target);
            return false;
        }
    }

    /// <summary>Lets nodes and clock run until a condition holds.</summary>
    public async Task UntilAsync(
        Func<bool> condition, TimeSpan? bound = null, [CallerArgumentExpression(nameof(condition))] string what = "")
    {
        try
        {
            if (_manual is null)
                await Eventually.TrueAsync(condition, bound ?? BoundDefault, what);
            else
                Pump(condition, bound ?? BoundDefault, what);
        }
        catch (Xunit.Sdk.XunitException failure)
        {
            var table = Table;
            throw new Xunit.Sdk.XunitException(
                $"{failure.Message}\nTable {table.Version}:\n{string.Join('\n', table.Members)}\n"
                + string.Join('\n', table.Partitions));
        }
    }

    /// <summary>Lets nodes and clock run until a task has ended. It may have failed.</summary>
    public async Task RunAsync(Task task)
    {
        if (_manual is null)
        {
            await Task.WhenAny(task).WaitAsync(BoundDefault, TimeProvider.System);
            return;
        }

        Drain();
        for (var started = _manual.Elapsed; !task.IsCompleted;)
        {
            Assert.InRange(_manual.Elapsed - started, TimeSpan.Zero, BoundDefault);

            // Operations that were answered go on in the thread pool. The clock must not run away from them.
            await Task.WhenAny(task, Task.Delay(TimeSpan.FromMilliseconds(1), TimeProvider.System));
            Step(StepMax);
        }
    }

    /// <summary>Lets nodes and clock run until an operation has ended, and returns its result.</summary>
    public async Task<T> RunAsync<T>(ValueTask<T> operation)
    {
        var task = operation.AsTask();
        await RunAsync((Task)task);
        return await task;
    }

    /// <summary>Lets nodes and clock run for a time.</summary>
    public void Advance(TimeSpan span)
    {
        Drain();
        for (var end = Manual.Elapsed + span; Manual.Elapsed < end;)
            Step(end - Manual.Elapsed);
    }

    /// <summary>Sets the wall clocks of all nodes forward. Nothing else happens.</summary>
    public void Jump(TimeSpan span) => _wall.Shift += span;

    /// <summary>Does what the environment was asked for, without any time.</summary>
    public void Drain()
    {
        while (_calls.TryDequeue(out var call))
            call();
    }

    public void Post(Action call)
    {
        if (_manual is not null)
            _calls.Enqueue(call);
        else
            ThreadPool.UnsafeQueueUserWorkItem(_ => Try(call), null);
    }

    public void Send(NodeId to, byte[] frame, bool isBeacon = false)
    {
        foreach (var arriving in Network?.Invoke(to, frame) ?? [frame])
        {
            Post(() =>
            {
                if (Find(to) is not { IsKilled: false } node)
                    return;
                if (isBeacon)
                    node.Store.DeliverBeacon(arriving);
                else
                    node.Store.Deliver(arriving);
            });
        }
    }

    /// <summary>Ends all nodes. Checks that each had the records of its partitions and no others, and that no table
    /// broke a rule.</summary>
    public async ValueTask DisposeAsync()
    {
        try
        {
            if (_manual is null || IsQuiet)
                await UntilAsync(() => Living.All(HasNothingElse), what: "no node has records of others");
            Assert.Empty(Store.Violations);
            Assert.Empty(_failures);
        }
        finally
        {
            foreach (var node in _nodes)
                node.Store.Dispose();
            foreach (var node in _nodes)
                node.Pile.Dispose();
        }
    }

    private void Pump(
        Func<bool> condition, TimeSpan bound, [CallerArgumentExpression(nameof(condition))] string what = "")
    {
        Drain();
        for (var started = Manual.Elapsed; !condition(); Step(StepMax))
            Assert.True(Manual.Elapsed - started < bound, $"Not within {bound}: {what}");
    }

    private void Step(TimeSpan max)
    {
        var next = Manual.UntilNextTimer ?? max;
        Manual.Advance(next < TimeSpan.Zero ? TimeSpan.Zero : next < max ? next : max);
        Drain();
    }

    private void Try(Action call)
    {
        try
        {
            call();
        }
        catch (Exception failure)
        {
            _failures.Enqueue(failure);
        }
    }

    private bool IsQuietEntry(ClusterTable table, PartitionId partition) =>
        table[partition] is { Primary: not null, Joining: null, Next: null, Leaving: null } entry
        && entry.InSync.Count == Math.Min(table.BackupsOf(partition)!.Value + 1, Living.Count())
        && entry.InSync.Items.All(slot => table.FindMember(slot) is { State: MemberState.Active });

    private bool HasNothingElse(SimulatedNode node)
    {
        var (table, slot) = (Table, node.Member.Slot);
        var counts = Living.SelectMany(each => each.Store.DescribePrimaries())
            .ToLookup(statistics => statistics.Partition, statistics => statistics.Entries);
        var expected = Enumerable.Range(0, table.Partitions.Length)
            .Where(index => table.Partitions[index].InSync.Items.Contains(slot))
            .Sum(index => counts[new PartitionId(index)].FirstOrDefault());
        return node.RecordCount == expected;
    }

    /// <summary>Finds nodes by their identity.</summary>
    public sealed class Directory(SimulatedCluster cluster) : IStatePeerDirectory
    {
        public IStatePeer PeerOf(ClusterMember member, bool isBrief = false) =>
            new Peer(cluster, member, isBrief ? StateRouter.BriefTime : Timeout.InfiniteTimeSpan);
    }

    /// <summary>The connection to a node, which may fail.</summary>
    private sealed class Peer(SimulatedCluster cluster, ClusterMember member, TimeSpan deadline) : IStatePeer
    {
        public async ValueTask<StateReply> ExecuteAsync(StateRequest request, CancellationToken cancellationToken)
        {
            Interlocked.Increment(ref cluster._callCount);
            cluster.BeforeCall?.Invoke(member);
            if (cluster.HoldCall is { } hold)
                await HoldAsync(hold(cancellationToken)).ConfigureAwait(false);
            var node = cluster.Find(member.Node)!;
            if (node.IsKilled)
            {
                throw new GlueException(
                    GlueErrorKind.Unreachable, GlueDelivery.NotDelivered, GlueErrorCode.ConnectFailed, "Refused.");
            }

            var reply = await node.Store.ExecuteAsync(request, cancellationToken).ConfigureAwait(false);
            cluster.AfterCall?.Invoke(member);
            return reply;
        }

        private async Task HoldAsync(Task held)
        {
            try
            {
                await held.WaitAsync(deadline, cluster.Manual).ConfigureAwait(false);
            }
            catch (TimeoutException)
            {
                throw new GlueException(
                    GlueErrorKind.Deadline, GlueDelivery.Unknown, GlueErrorCode.DeadlineAwaitingReply, "No answer.");
            }
        }

        public async ValueTask<LayoutReply> LayoutsAsync(LayoutRequest request, CancellationToken cancellationToken)
        {
            if (cluster.HoldLayouts is { } hold)
                await HoldAsync(hold(member)).ConfigureAwait(false);
            var node = cluster.Find(member.Node)!;
            if (node.IsKilled)
            {
                throw new GlueException(
                    GlueErrorKind.Unreachable, GlueDelivery.NotDelivered, GlueErrorCode.ConnectFailed, "Refused.");
            }

            return await node.Store.LayoutsAsync(request, cancellationToken).ConfigureAwait(false);
        }

        public async ValueTask<WatchReply> WatchAsync(WatchRequest request, CancellationToken cancellationToken)
        {
            var node = cluster.Find(member.Node)!;
            if (node.IsKilled || cluster.AreWatchesCut)
            {
                throw new GlueException(
                    GlueErrorKind.Unreachable, GlueDelivery.NotDelivered, GlueErrorCode.ConnectFailed, "Refused.");
            }

            var reply = await node.Store.WatchAsync(request, cancellationToken).ConfigureAwait(false);
            if (cluster.LosesWatchReply?.Invoke(reply) == true)
            {
                throw new GlueException(
                    GlueErrorKind.Unreachable, GlueDelivery.Unknown, GlueErrorCode.LinkLost, "Lost.");
            }

            return reply;
        }
    }
}
