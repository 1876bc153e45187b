using Cluster.Contracts;
using Cluster.Glue;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Members;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Lifecycle;

/// <summary>
/// This process's life in the cluster, tied to the host's. Owned by the host, which calls one method after the
/// other, so its fields need no protection.
/// </summary>
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
/// <item>It joins the member list; former lives of its name that are proven to be over are gone by that.</item>
/// <item>It becomes active, and serves what the table gives it.</item>
/// </list>
/// Down, in the opposite order: partitions go to others, the member leaves, the registration is withdrawn, the Glue
/// listener closes, and the liveness endpoint last. A client does only steps 1, 4 and 5.
/// </remarks>
internal sealed partial class ClusterNode(
    NodeParts parts, NodeWatch watch, GlueListener listener, ILogger<ClusterNode> logger)
    : IHostedLifecycleService, IAsyncDisposable
{
    private static readonly TimeSpan LeaveTimeout = TimeSpan.FromSeconds(5);

    private MemberRole? _duties;
    private NodeHeartbeat? _heart;
    private bool _isEnded;

    private bool IsMember => parts.Settings.Role == ClusterRole.Node;

    public Task StartingAsync(CancellationToken cancellationToken)
    {
        if (IsMember)
            parts.Ports.Open();
        return Task.CompletedTask;
    }

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        using var patience = new CancellationTokenSource(parts.Settings.StartTimeout, parts.Time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, cancellationToken);
        try
        {
            await EnterAsync(ended.Token).ConfigureAwait(false);
        }
        catch (ClusterStoreException failure)
        {
            throw ClusterStartException.From(failure, parts.Store.Description);
        }
        catch (OperationCanceledException) when (parts.Expulsion.Reason is not null)
        {
            throw Expelled();
        }
        catch (OperationCanceledException) when (patience.IsCancellationRequested)
        {
            throw new ClusterStartException(
                ClusterExitCode.StoreUnreachable,
                $"The {parts.Store.Description} stopped answering while this node joined; "
                + $"{parts.Settings.StartTimeout} have passed.",
                "Start it, or correct its address.");
        }
    }

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        if (_duties is null || parts.Expulsion.Reason is not null)
            return;
        if (await parts.Drain.DrainAsync(cancellationToken).ConfigureAwait(false))
            return;

        // The last node of a cluster has nobody to hand over to: that is how a cluster is stopped.
        if (parts.Drain.HasSuccessor)
            parts.Exit.Set(ClusterExitCode.DrainIncomplete);
    }

    public Task StopAsync(CancellationToken cancellationToken) =>
        _duties is null ? Task.CompletedTask : LeaveAsync(_duties);

    public async Task StoppedAsync(CancellationToken cancellationToken) => await DisposeAsync().ConfigureAwait(false);

    public async ValueTask DisposeAsync()
    {
        if (_isEnded)
            return;
        _isEnded = true;
        if (_duties is not null)
            await _duties.StopDecidingAsync().ConfigureAwait(false);
        await watch.DisposeAsync().ConfigureAwait(false);
        if (_duties is not null)
            await _duties.DisposeAsync().ConfigureAwait(false);
        if (_heart is not null)
            await _heart.DisposeAsync().ConfigureAwait(false);
        parts.Ports.Dispose();
    }

    private async Task EnterAsync(CancellationToken cancellationToken)
    {
        var meta = await parts.Entrance.EnterAsync(cancellationToken).ConfigureAwait(false);
        parts.Trust.Identity.Realm = meta.ClusterId.ToString();
        if (IsMember)
            parts.Holder.Current = _duties = parts.Duties.Create(meta);
        parts.Routing.Bind(meta, _duties?.Store);
        await StoreQuestion.AskAsync(
            token => ConfirmedTable.ReadAsync(parts.Store, parts.View, token), parts.Time, cancellationToken)
            .ConfigureAwait(false);
        watch.Start();
        if (_duties is null)
        {
            LogClientReady(
                logger, LogText.Clean(meta.Name), LogText.Clean(parts.Store.Description), meta.PartitionCount);
        }

        else
            await JoinAsync(_duties, meta, cancellationToken).ConfigureAwait(false);
    }

    private async Task JoinAsync(MemberRole duties, ClusterMeta meta, CancellationToken cancellationToken)
    {
        await parts.Clock.CheckAsync(cancellationToken).ConfigureAwait(false);
        StartCollection.Run();
        var address = listener.Address ?? throw new InvalidOperationException("The Glue listener has not started.");
        _heart = await NodeHeartbeat.StartAsync(parts.Store, parts.Self, address, parts.Surroundings, cancellationToken)
            .ConfigureAwait(false);
        var candidate = new ClusterMember(
            default,
            parts.Self.Node,
            address,
            parts.Ports.LivenessAddress.ToString(),
            new EquatableArray<string>([.. parts.Composition.Services]),
            MemberState.Joining)
        {
            PeerAddress = listener.PeerAddress,
        };
        await parts.Membership.JoinAsync(candidate, cancellationToken).ConfigureAwait(false);
        parts.Expulsion.NoteJoined(parts.View.Current.Version);
        if (parts.Trust.IsOpen)
            LogNoSecret(logger, LogText.Clean(listener.PeerAddress ?? address));
        duties.Start();
        await parts.Membership.AdvanceAsync(MemberState.Active, cancellationToken).ConfigureAwait(false);
        if (parts.Expulsion.Reason is not null)
            throw Expelled();
        LogNodeReady(logger, parts.Self.Node, LogText.Clean(meta.Name), LogText.Clean(address),
            LogText.Clean(parts.Ports.LivenessAddress.ToString()), LogText.Clean(parts.Store.Description));
    }

    private ClusterStartException Expelled() => new(
        ClusterExitCode.Expelled,
        $"Node {parts.Self.Node} was expelled while it started: {parts.Expulsion.Reason}.",
        "Start it again. When that happens each time, the log of the coordinator says what it took for the proof that "
        + "this node is dead.");

    /// <summary>Stops serving and then says so. From here on others may take what has not been handed over.</summary>
    private async Task LeaveAsync(MemberRole duties)
    {
        await duties.StopDecidingAsync().ConfigureAwait(false);
        await watch.DisposeAsync().ConfigureAwait(false);
        duties.Keeper.DropAll(parts.View.Current.Partitions.Length);
        using var patience = new CancellationTokenSource(LeaveTimeout, parts.Time);
        try
        {
            await parts.Membership.AdvanceAsync(MemberState.Gone, patience.Token).ConfigureAwait(false);
            LogNodeLeft(logger, parts.Self.Node);
        }
        catch (Exception failure) when (failure is OperationCanceledException or ClusterStoreException)
        {
            LogLeaveUnsaid(logger, parts.Self.Node, LogText.Clean(parts.Store.Description));
        }
    }
}
