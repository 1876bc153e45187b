using Cluster.StateStore.Engine;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting;

/// <summary>
/// Brings operations to the owners of their keys, for all state clients of a process. Stateless but for the jitter,
/// which a lock protects.
/// <list type="number">
/// <item>The newest route of the key's partition says who owns it.</item>
/// <item>This node itself runs the operation on its own store; another gets a request.</item>
/// <item>"Moved" gives a newer route, which is followed at once, at most three times in a row.</item>
/// <item>Whatever else stands in the way and has certainly not executed anything is waited out: until a newer table
/// comes, or a while that grows, or the deadline, which ends the operation as unavailable.</item>
/// <item>An unknown outcome of a write is told as such. A read changes nothing, so it is tried again.</item>
/// <item>All attempts share one deadline: the second and later ones end with what is left of it.</item>
/// </list>
/// </summary>
public sealed class StateRouter
{
    /// <summary>How many redirects are followed in a row before waiting for a newer table.</summary>
    public const int MaxRedirects = 3;

    private readonly ITableView _view;
    private readonly IStatePeerDirectory _peers;
    private readonly NodeStateStore? _local;
    private readonly RetryPacer _pacer;

    /// <summary>Makes a router.</summary>
    /// <param name="view">This process's view of the table.</param>
    /// <param name="peers">Finds other nodes.</param>
    /// <param name="hash">The cluster's hash.</param>
    /// <param name="local">This node's own store, or null in a process that only calls.</param>
    /// <param name="options">Deadline and waits; by default as documented there.</param>
    public StateRouter(
        ITableView view,
        IStatePeerDirectory peers,
        PartitionHash hash,
        NodeStateStore? local,
        StateRouterOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(view);
        ArgumentNullException.ThrowIfNull(peers);
        ArgumentNullException.ThrowIfNull(hash);
        _view = view;
        _peers = peers;
        _local = local;
        Hash = hash;
        _pacer = new RetryPacer(view, options ?? new StateRouterOptions());
    }

    internal PartitionHash Hash { get; }

    internal PartitionRoute RouteOf(ulong keyHash) => _view.RouteOf(Hash.PartitionOf(keyHash));

    /// <summary>Carries an operation out; afterwards the call holds its outcome.</summary>
    internal ValueTask SendAsync(StateCall call, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var tableVersion = _view.Current.Version;
        var route = _view.RouteOf(Hash.PartitionOf(call.Key.Hash));
        var attempt = AttemptAsync(call, route, cancellationToken);

        if (!attempt.IsCompletedSuccessfully)
            return FinishAsync(call, tableVersion, route, attempt, cancellationToken);

        // Most operations of this node's own keys have ended here, and need no clock.
        return attempt.Result is { } obstacle
            ? FinishAsync(call, tableVersion, route, new(obstacle), cancellationToken)
            : default;
    }

    // Waits for the first attempt, and makes the others.
    private async ValueTask FinishAsync(
        StateCall call,
        long tableVersion,
        PartitionRoute route,
        ValueTask<RetryReason?> attempt,
        CancellationToken cancellationToken)
    {
        var partition = Hash.PartitionOf(call.Key.Hash);
        var pace = _pacer.Start();
        var redirects = 0;
        while (await attempt.ConfigureAwait(false) is { } obstacle)
        {
            if (!obstacle.IsRedirect || redirects++ >= MaxRedirects)
            {
                redirects = 0;
                if (obstacle.IsFinal || !await pace.WaitAsync(tableVersion, cancellationToken).ConfigureAwait(false))
                    throw Unavailable(call, partition, route, obstacle);
            }

            cancellationToken.ThrowIfCancellationRequested();
            tableVersion = _view.Current.Version;
            route = _view.RouteOf(partition);
            attempt = AttemptWithinAsync(pace.Left, call, route, cancellationToken);
        }
    }

    private static StateUnavailableException Unavailable(
        StateCall call, PartitionId partition, PartitionRoute route, RetryReason obstacle)
    {
        ClusterOwner? owner = route.Owner is { } member ? new(member.Node, member.Address) : null;
        return new StateUnavailableException(call.State.Name, partition, owner, obstacle.Reason, obstacle.Cause);
    }

    // The first attempt, mostly the only one, is bounded by the transport's deadline and needs no timer of its own.
    private async ValueTask<RetryReason?> AttemptWithinAsync(
        TimeSpan left, StateCall call, PartitionRoute route, CancellationToken cancellationToken)
    {
        using var deadline = _pacer.StartDeadline(left);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(deadline.Token, cancellationToken);
        try
        {
            return await AttemptAsync(call, route, either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            if (call.IsRead || IsHere(route))
                return new RetryReason("it did not answer in time") { IsFinal = true };
            throw Unknown(call, route, new GlueException(
                GlueErrorKind.Deadline,
                GlueDelivery.Unknown,
                GlueErrorCode.DeadlineAwaitingReply,
                "It did not answer in what was left of the operation's time."));
        }
    }

    private bool IsHere(PartitionRoute route) => _local is not null && route.Owner?.Node == _view.Self;

    private ValueTask<RetryReason?> AttemptAsync(
        StateCall call, PartitionRoute route, CancellationToken cancellationToken)
    {
        if (route.Owner is not { } owner)
            return new(new RetryReason("nobody owns it yet"));
        if (owner.State == MemberState.Gone)
            return new(new RetryReason("its owner is gone and nobody has taken it over yet"));
        return IsHere(route)
            ? RunLocallyAsync(call, cancellationToken)
            : RunRemotelyAsync(call, route, cancellationToken);
    }

    private ValueTask<RetryReason?> RunLocallyAsync(StateCall call, CancellationToken cancellationToken)
    {
        var run = call.RunAsync(_local!.Operations, cancellationToken);
        return run.IsCompletedSuccessfully ? new(Read(call, run.Result)) : AwaitAsync(call, run);
    }

    private async ValueTask<RetryReason?> AwaitAsync(StateCall call, ValueTask<StateResult> run) =>
        Read(call, await run.ConfigureAwait(false));

    private RetryReason? Read(StateCall call, StateResult result)
    {
        call.Accept(result);
        return result.Status switch
        {
            StateReplyStatus.Done or StateReplyStatus.NotFound or StateReplyStatus.Failed => null,
            StateReplyStatus.Full => throw new StateFullException(
                $"State '{call.State.Name}': {RequestExecutor.FullText}."),
            StateReplyStatus.Busy => throw new StateBusyException(
                $"State '{call.State.Name}': {RequestExecutor.BusyText}."),
            StateReplyStatus.Unknown => throw new StateOutcomeUnknownException(Unknown(call, _view.Self)),
            _ => new RetryReason("this node owns it and is not ready to serve it"),
        };
    }

    private async ValueTask<RetryReason?> RunRemotelyAsync(
        StateCall call, PartitionRoute route, CancellationToken cancellationToken)
    {
        var partition = Hash.PartitionOf(call.Key.Hash);
        var request = call.ToRequest(
            new RequestTarget(Hash.ClusterId, partition, route.Entry.Epoch, _view.Current.Version));
        try
        {
            var reply =
                await _peers.PeerOf(route.Owner!).ExecuteAsync(request, cancellationToken).ConfigureAwait(false);
            return Read(call, partition, reply, route.Owner);
        }
        catch (GlueException e) when (IsObstacle(call, e))
        {
            return new RetryReason($"its owner could not be reached ({e.Message.TrimEnd('.')})")
            {
                Cause = e,
                IsFinal = e.Kind == GlueErrorKind.Deadline,
            };
        }
        catch (GlueException e)
        {
            throw e.Delivery == GlueDelivery.NotDelivered
                ? new StateRefusedException(
                    $"State '{call.State.Name}': {route.Owner!.Node} refused the call. {e.Message}", e)
                : Unknown(call, route, e);
        }
    }

    private static StateOutcomeUnknownException Unknown(StateCall call, PartitionRoute route, GlueException failure) =>
        new($"{Unknown(call, route.Owner!.Node)} {failure.Message}", failure);

    private static string Unknown(StateCall call, NodeId? owner) =>
        $"State '{call.State.Name}': whether {owner} has carried out the write is unknown.";

    private static bool IsObstacle(StateCall call, GlueException failure) =>
        failure.Kind != GlueErrorKind.Refused
        && (failure.Delivery == GlueDelivery.NotDelivered
            || (call.IsRead && failure.Delivery == GlueDelivery.Unknown));

    private RetryReason? Read(StateCall call, PartitionId partition, StateReply reply, ClusterMember? owner)
    {
        // The words of the node that refused.
        var said = LogText.Clean(reply.Message);
        switch (reply.Status)
        {
            case StateReplyStatus.Done or StateReplyStatus.NotFound or StateReplyStatus.Failed:
                call.Accept(reply);
                return null;
            case StateReplyStatus.Moved when reply.Moved is not null:
                _view.Suggest(partition, reply.Moved.ToRoute(), reply.TableVersion);
                return new RetryReason("it keeps moving") { IsRedirect = true };
            case StateReplyStatus.Full:
                throw new StateFullException($"State '{call.State.Name}': {said}.");
            case StateReplyStatus.Busy:
                throw new StateBusyException($"State '{call.State.Name}': {said}.");
            case StateReplyStatus.Unknown:
                throw new StateOutcomeUnknownException($"{Unknown(call, owner?.Node)} {said}.");
            case StateReplyStatus.Refused:
                throw new StateRefusedException($"State '{call.State.Name}': refused by the owner: {said}.");
            default:
                return new RetryReason(said.Length > 0 ? said : "its owner is not ready to serve it");
        }
    }
}

/// <summary>Why an attempt has not executed the operation. Immutable.</summary>
/// <param name="Reason">Words that complete "the partition is unavailable: …".</param>
internal sealed record RetryReason(string Reason)
{
    /// <summary>Whether a newer route is known already: the next attempt follows it at once.</summary>
    public bool IsRedirect { get; init; }

    /// <summary>Whether the caller's time is over, so that another attempt is pointless.</summary>
    public bool IsFinal { get; init; }

    public Exception? Cause { get; init; }
}
