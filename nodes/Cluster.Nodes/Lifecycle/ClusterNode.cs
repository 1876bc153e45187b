using Cluster.Glue;
using Cluster.Nodes.Members;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Lifecycle;

/// <summary>This process's life in the cluster, tied to the host's. Owned by the host, which calls one method after the
/// other, so its fields need no protection.</summary>
/// <remarks>
/// Up, each step after the one before it:
/// <list type="number">
/// <item>The options are checked, everything wrong at once (when this object is made).</item>
/// <item>The liveness endpoint opens: from here on a refused connection means that this process is gone.</item>
/// <item>The Glue listener opens (a hosted service of its own, which starts between steps 2 and 4).</item>
/// <item>The cluster's properties are read, or written where this node may create it.</item>
/// <item>The table is read, and followed from here on.</item>
/// <item>The clock of this machine is compared with those of the active nodes.</item>
/// <item>Garbage is collected, because a pause disturbs nobody yet.</item>
/// <item>The node registers with the store, and beats.</item>
/// <item>It waits for earlier processes of its name to end. Those that are proven dead leave the list.</item>
/// <item>It joins the member list, and serves what the table gives it.</item>
/// </list>
/// Down, in the opposite order: partitions go to others, the member leaves, the registration is withdrawn, the Glue
/// listener closes, and the liveness endpoint last. A client does only steps 1, 4 and 5.
/// </remarks>
internal sealed partial class ClusterNode(
    NodeDependencies node, NodeWatch watch, GlueListener listener, ILogger<ClusterNode> logger)
    : IHostedLifecycleService, IAsyncDisposable
{
    private static readonly TimeSpan LeaveTimeout = TimeSpan.FromSeconds(5);

    private MemberRole? _role;
    private NodeHeartbeat? _heartbeat;
    private bool _isEnded;

    private bool IsMember => node.Settings.Role == ClusterRole.Node;

    public Task StartingAsync(CancellationToken cancellationToken)
    {
        if (IsMember)
            node.Ports.Open();
        return Task.CompletedTask;
    }

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        using var budget = new CancellationTokenSource(node.Settings.StartTimeout, node.Time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(budget.Token, cancellationToken);
        try
        {
            await EnterAsync(ended.Token).ConfigureAwait(false);
        }
        catch (ClusterStoreException failure)
        {
            throw ClusterStartException.From(failure, node.Store.Description);
        }
        catch (OperationCanceledException) when (node.Expulsion.Reason is not null)
        {
            throw Expelled();
        }
        catch (OperationCanceledException) when (budget.IsCancellationRequested)
        {
            throw new ClusterStartException(
                ClusterExitCode.StoreUnreachable,
                $"The {node.Store.Description} stopped answering while this node joined; "
                + $"{node.Settings.StartTimeout} have passed.",
                "Start it, or correct its address.");
        }
    }

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        if (_role is null || node.Expulsion.Reason is not null)
            return;
        if (await node.Drain.DrainAsync(cancellationToken).ConfigureAwait(false))
            return;

        // The last node of a cluster has no successor: a cluster is stopped that way.
        if (node.Drain.HasSuccessor)
            node.Exit.Set(ClusterExitCode.DrainIncomplete);
    }

    public Task StopAsync(CancellationToken cancellationToken) =>
        _role is null ? Task.CompletedTask : LeaveAsync(_role);

    public async Task StoppedAsync(CancellationToken cancellationToken) => await DisposeAsync().ConfigureAwait(false);

    public async ValueTask DisposeAsync()
    {
        if (_isEnded)
            return;
        _isEnded = true;
        await watch.DisposeAsync().ConfigureAwait(false);
        if (_role is not null)
            await _role.DisposeAsync().ConfigureAwait(false);
        if (_heartbeat is not null)
            await _heartbeat.DisposeAsync().ConfigureAwait(false);
        node.Ports.Dispose();
    }

    private async Task EnterAsync(CancellationToken cancellationToken)
    {
        var meta = await node.Entrance.EnterAsync(cancellationToken).ConfigureAwait(false);
        node.Trust.Identity.Realm = meta.ClusterId.ToString();
        node.Tables.ClusterId = meta.ClusterId;
        if (IsMember)
            node.Role.Current = _role = node.Roles.Create(meta, DescribeSelf());
        node.Routing.Bind(meta, _role?.Store);
        await node.Table.ReadUntilAnsweredAsync(cancellationToken).ConfigureAwait(false);
        watch.Start(meta);
        if (_role is null)
        {
            LogClientReady(
                logger, LogText.Clean(meta.Name), LogText.Clean(node.Store.Description), meta.PartitionCount);
        }

        else
            await JoinObservedAsync(_role, meta, cancellationToken).ConfigureAwait(false);
    }

    private async Task JoinObservedAsync(MemberRole role, ClusterMeta meta, CancellationToken cancellationToken)
    {
        using var span = NodeSpans.Begin(NodeSpans.Join, node.Self.Node);
        try
        {
            await JoinAsync(role, meta, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            span?.Fail(exception.GetType().FullName!);
            throw;
        }
    }

    private async Task JoinAsync(MemberRole role, ClusterMeta meta, CancellationToken cancellationToken)
    {
        CheckStates(role);
        StartCollection.Run();
        var address = listener.Address!;
        _heartbeat = await NodeHeartbeat.StartAsync(node.Store, node.Self, address, node.Loops, cancellationToken)
            .ConfigureAwait(false);
        var dead = await node.FormerLives.WaitAsync(cancellationToken).ConfigureAwait(false);
        if (node.Trust.IsOpen)
            LogNoSecret(logger, LogText.Clean(listener.PeerAddress ?? address));
        Start(role);
        foreach (var death in dead)
            role.Store.DeathProven(death.Node, death.Reason);
        await WaitUntilActiveAsync(cancellationToken).ConfigureAwait(false);

        // Another node with the same state may have joined at the same moment.
        CheckStates(role);
        LogNodeReady(logger, node.Self.Node, LogText.Clean(meta.Name), LogText.Clean(address),
            LogText.Clean(node.Ports.LivenessAddress.ToString()), LogText.Clean(node.Store.Description));
    }

    private void Start(MemberRole role)
    {
        try
        {
            role.Start();
        }
        catch (IOException refusal)
        {
            const string Path = $"{ClusterOptions.SectionName}:{nameof(ClusterOptions.SnapshotFolder)}";
            throw new ClusterStartException(
                ClusterExitCode.ConfigurationInvalid,
                $"No snapshots can be saved in {Path}, '{LogText.Clean(node.Settings.SnapshotFolder!)}': "
                + refusal.Message,
                $"Correct {Path} or the rights of the folder.",
                refusal);
        }
    }

    private void CheckStates(MemberRole role)
    {
        if (role.Store.FindObstacle(node.Table.View.Current) is { } obstacle)
            throw new ClusterStartException(ClusterExitCode.StoreIncompatible, obstacle.Problem, obstacle.Remedy);
    }

    private ClusterMember DescribeSelf() => new(
        default,
        node.Self.Node,
        listener.Address ?? throw new InvalidOperationException("The Glue listener has not started."),
        node.Ports.LivenessAddress.ToString(),
        new EquatableArray<string>([.. node.Composition.Services]),
        MemberState.Active)
    {
        PeerAddress = listener.PeerAddress,
    };

    private async Task WaitUntilActiveAsync(CancellationToken cancellationToken)
    {
        var table = node.Table.View.Current;
        while (table.FindMember(node.Self.Node) is not { State: MemberState.Active })
        {
            if (node.Expulsion.Reason is not null)
                throw Expelled();
            table = await node.Table.View.WaitForNewerAsync(table.Version, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task WaitUntilGoneAsync(CancellationToken cancellationToken)
    {
        var table = node.Table.View.Current;
        while (table.FindMember(node.Self.Node) is { State: not MemberState.Gone })
            table = await node.Table.View.WaitForNewerAsync(table.Version, cancellationToken).ConfigureAwait(false);
    }

    private ClusterStartException Expelled() => new(
        ClusterExitCode.Expelled,
        $"Node {node.Self.Node} was expelled while it started: {node.Expulsion.Reason}.",
        "Start it again. When that happens each time, the log of the coordinator says what it took for the proof that "
        + "this node is dead.");

    // What is written after the last snapshot would be lost when the whole cluster stops.
    private async Task SaveSnapshotsAsync(MemberRole role)
    {
        role.Store.Close();
        using var budget = new CancellationTokenSource(node.Settings.DrainTimeout, node.Time);
        try
        {
            await role.Store.SaveSnapshotsAsync(budget.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            LogSnapshotsUnsaved(logger, node.Self.Node, node.Settings.DrainTimeout);
        }
    }

    /// <summary>Stops serving, and then leaves the member list. From here on other nodes may take partitions that were
    /// not handed over.</summary>
    private async Task LeaveAsync(MemberRole role)
    {
        // This node must not announce its own end as the death of a node.
        await watch.StopActingAsync().ConfigureAwait(false);
        await SaveSnapshotsAsync(role).ConfigureAwait(false);
        role.Store.Leave();
        using var budget = new CancellationTokenSource(LeaveTimeout, node.Time);
        try
        {
            await WaitUntilGoneAsync(budget.Token).ConfigureAwait(false);
            LogNodeLeft(logger, node.Self.Node);
        }
        catch (OperationCanceledException)
        {
            LogLeaveUnsaid(logger, node.Self.Node, LogText.Clean(node.Store.Description));
        }
    }
}
