using Cluster.Slim;
using Cluster.StateStore.Engine;
using Cluster.StateStore.Hosting.Calls;
using Cluster.StateStore.Hosting.Feeds;
using Cluster.StateStore.Hosting.Layouts;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Observation;

namespace Cluster.StateStore.Hosting;

/// <summary>
/// Brings operations to the owners of their keys, for all state clients of a process. Thread-safe.
/// <list type="number">
/// <item>The newest route of the key's partition says who owns it.</item>
/// <item>This node itself runs the operation on its own store; another gets a request.</item>
/// <item>"Moved" gives a newer route, which is followed at once, at most three times in a row.</item>
/// <item>Whatever else stands in the way and has certainly not executed anything is waited out: until a newer table
/// comes, or a while that grows, or the deadline, which ends the operation as unavailable.</item>
/// <item>An attempt whose outcome is unknown is repeated. A read changes nothing, and an owner recognizes a write by
/// its number. When the deadline comes first, the outcome is told as unknown.</item>
/// <item>All attempts share one deadline. The first two at another node end after <see cref="BriefTime"/> without an
/// answer, because a node that stands still loses its partitions to others before the deadline. Later attempts end with
/// what is left. All but the first end when a newer table names another owner, too.</item>
/// </list>
/// </summary>
public sealed class StateRouter : IAsyncDisposable
{
    /// <summary>How many redirects are followed in a row before waiting for a newer table.</summary>
    public const int MaxRedirects = 3;

    /// <summary>How long the first two attempts of an operation wait for the answer of another node. Longer than it
    /// takes until a node that stands still is suspected, so that the next attempt waits for another owner.</summary>
    public static readonly TimeSpan BriefTime = TimeSpan.FromSeconds(3);

    // A process that is no node suspects nobody, and may call a node that stands still once more.
    private const int BriefAttemptsMax = 2;

    private readonly ITableView _view;
    private readonly IStatePeerDirectory _peers;
    private readonly NodeStateStore? _local;
    private readonly RetryPacer _pacer;
    private readonly PlaceFinder _places;
    private readonly StateInstruments _instruments;
    private readonly TimeProvider _time;
    private readonly bool _failsFast;
    private readonly ConcurrentDictionary<uint, Lazy<NearCache>> _nearCaches = new();
    private volatile bool _isDisposed;
    private readonly RequestNumbers _numbers = new();

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
        options ??= new StateRouterOptions();
        Hash = hash;
        _pacer = new RetryPacer(view, options);
        _places = new PlaceFinder(view, local);
        _instruments = StateInstruments.OfOperations(options.MeterFactory);
        _time = options.Time;
        Feeds = new FeedSource(view, peers, local, hash, options.Time);
        Layouts = new LayoutExchange(Feeds);
        _failsFast = options.WhenSuspected == WhenSuspected.FailFast;
    }

    internal PartitionHash Hash { get; }

    /// <summary>The loads of missing values that run in this process.</summary>
    internal SharedLoads Loads { get; } = new();

    /// <summary>Where watches find the nodes.</summary>
    internal FeedSource Feeds { get; }

    /// <summary>Tells and finds the layouts of values.</summary>
    internal LayoutExchange Layouts { get; }

    /// <summary>Finds the partition of a key. Null: no node has joined that has the state.</summary>
    internal PartitionId? FindPartition(StateDefinition state, ulong keyHash) =>
        _view.Current is var table && table.BackupsOf(state.Id) is { } backups && table.FindSet(backups) is { } set
            ? Hash.PartitionOf(keyHash, set)
            : null;

    /// <summary>Finds where requests for a key go.</summary>
    internal PartitionRoute RouteOf(StateDefinition state, ulong keyHash) =>
        FindPartition(state, keyHash) is { } partition ? _view.RouteOf(partition) : PartitionRoute.Nowhere;

    /// <summary>Ends the watches of the near caches. Operations go on without them.</summary>
    public async ValueTask DisposeAsync()
    {
        _isDisposed = true;
        foreach (var (state, near) in _nearCaches)
        {
            if (_nearCaches.TryRemove(state, out _) && near.IsValueCreated)
                await near.Value.DisposeAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Finds the values of a state that this process keeps; null: it keeps none.</summary>
    internal NearCache? FindNearCache(StateDefinition state) =>
        state.NearCacheBytes == 0 || _isDisposed ? null : NearCacheOf(state);

    /// <summary>Forgets a value that this process has written, if it keeps values of the state.</summary>
    internal void Forget(StateDefinition state, in HashedKey key)
    {
        if (_nearCaches.TryGetValue(state.Id, out var near) && near.IsValueCreated)
            near.Value.Forget(key);
    }

    /// <summary>Finds a layout that a value of a key has.</summary>
    /// <param name="state">The state.</param>
    /// <param name="keyHash">The hash of the key.</param>
    /// <param name="refusal">The serializer's refusal, which names the layout.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="StateRefusedException">No node knows it.</exception>
    internal async ValueTask LearnAsync(
        StateDefinition state, ulong keyHash, SlimLayoutException refusal, CancellationToken cancellationToken)
    {
        var (layout, owner) = (refusal.UnknownFingerprint!.Value, RouteOf(state, keyHash).Owner?.Node);
        if (!await Layouts.LearnAsync(state, layout, owner, cancellationToken).ConfigureAwait(false))
            throw state.RefuseLayout(refusal);
    }

    /// <summary>Whether this node owns the partition of a key.</summary>
    internal bool IsOwn(StateDefinition state, ulong keyHash) =>
        _local is not null && RouteOf(state, keyHash).Owner?.Node == _view.Self;

    /// <summary>Carries an operation out; afterwards the call holds its outcome.</summary>
    internal ValueTask SendAsync(StateCall call, CancellationToken cancellationToken) =>
        StateObservation.IsWanted(_instruments)
            ? ObserveAsync(call, cancellationToken)
            : StartAsync(call, cancellationToken);

    private async ValueTask ObserveAsync(StateCall call, CancellationToken cancellationToken)
    {
        var observation = StateObservation.Begin(_instruments, _time, call.State.Name, call.Verb);
        observation.NotePartitionCount(_view.Current.Partitions.Length);
        call.Observation = observation;
        Exception? failure = null;
        try
        {
            await StartAsync(call, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            failure = exception;
            throw;
        }
        finally
        {
            call.Observation = null;
            observation.End(failure);
        }
    }

    private ValueTask StartAsync(StateCall call, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var tableVersion = _view.Current.Version;
        var place = PlaceOf(call, attempt: 0) with { IsBrief = true };
        ValueTask<RetryReason?> first;
        try
        {
            first = AttemptAsync(call, place, cancellationToken);
        }
        catch
        {
            End(call);
            throw;
        }

        if (!first.IsCompletedSuccessfully)
            return FinishAsync(call, tableVersion, place, first, cancellationToken);
        if (first.Result is { } obstacle)
            return FinishAsync(call, tableVersion, place, new(obstacle), cancellationToken);

        // Most operations of this node's own keys have ended here, and need no clock.
        End(call);
        return default;
    }

    // Waits until the first attempt has ended, and makes the further attempts. Each operation at another node waits
    // here, so the runtime uses the object of this method again. This and the other pooled methods of a read save 840
    // bytes for each read.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask FinishAsync(
        StateCall call,
        long tableVersion,
        CallPlace place,
        ValueTask<RetryReason?> attempt,
        CancellationToken cancellationToken)
    {
        var pace = _pacer.Start();
        var (redirects, attempts, briefs) = (0, 1, 0);
        RetryReason? doubt = null;
        try
        {
            while (await attempt.ConfigureAwait(false) is { } obstacle)
            {
                doubt ??= obstacle.IsUnknown ? obstacle : null;
                if (place.IsBrief && obstacle.IsFinal && pace.HasAttemptTaken(BriefTime))
                    (obstacle, briefs) = (obstacle with { IsFinal = false }, briefs + 1);
                if (!obstacle.IsRedirect || redirects++ >= MaxRedirects)
                {
                    redirects = 0;
                    var isOver = obstacle.IsFinal
                        || !await pace.WaitAsync(tableVersion, cancellationToken).ConfigureAwait(false);
                    if (isOver)
                        throw doubt is null ? Unavailable(call, place, obstacle) : Unknown(call, doubt);
                }

                cancellationToken.ThrowIfCancellationRequested();
                tableVersion = _view.Current.Version;
                place = PlaceOf(call, attempts++) with { IsBrief = briefs < BriefAttemptsMax };
                pace.BeginAttempt();
                call.Observation?.NoteRetry();
                attempt = AttemptWithinAsync(pace.Left, call, place, cancellationToken);
            }
        }
        catch (StateException refusal) when (doubt is not null && refusal is not StateOutcomeUnknownException)
        {
            // A later attempt was refused, but an earlier one may still be carried out.
            throw Unknown(call, doubt);
        }
        finally
        {
            End(call);
        }
    }

    // A method of its own, so that the closure is not allocated for the states without a near cache.
    private NearCache NearCacheOf(StateDefinition state) => _nearCaches.GetOrAdd(
        state.Id, _ => new Lazy<NearCache>(() => new NearCache(Feeds, state, state.NearCacheBytes))).Value;

    private void End(StateCall call)
    {
        if (call.Number is { } number)
            _numbers.End(number);
    }

    private CallPlace PlaceOf(StateCall call, int attempt) =>
        _places.Find(call, FindPartition(call.State, call.Key.Hash), attempt);

    private static StateUnavailableException Unavailable(StateCall call, in CallPlace place, RetryReason obstacle)
    {
        ClusterOwner? owner = place.Route.Owner is { } member ? new(member.Node, member.Address) : null;
        return new StateUnavailableException(
            call.State.Name, place.Partition, owner, obstacle.Reason, obstacle.Cause);
    }

    // The first attempt, mostly the only one, is bounded by the transport's deadline and needs no timer of its own.
    private async ValueTask<RetryReason?> AttemptWithinAsync(
        TimeSpan left, StateCall call, CallPlace place, CancellationToken cancellationToken)
    {
        var bound = new AttemptBound(_view, place, _pacer.StartDeadline(left), cancellationToken);
        await using (bound.ConfigureAwait(false))
        {
            try
            {
                return await AttemptAsync(call, place, bound.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                var isUnknown = !call.IsRead && !place.IsHere;
                return bound.HasMoved
                    ? new RetryReason("it keeps moving") { IsRedirect = true, IsUnknown = isUnknown }
                    : NotAnswered(isUnknown);
            }
        }
    }

    private static RetryReason NotAnswered(bool isUnknown) =>
        new("it did not answer in what was left of the operation's time")
        {
            IsFinal = true,
            IsUnknown = isUnknown,
            Cause = new GlueException(
                GlueErrorKind.Deadline,
                GlueDelivery.Unknown,
                GlueErrorCode.DeadlineAwaitingReply,
                "It did not answer in what was left of the operation's time."),
        };

    private ValueTask<RetryReason?> AttemptAsync(
        StateCall call, in CallPlace place, CancellationToken cancellationToken)
    {
        if (place.Partition is not { } partition)
            return new(new RetryReason("no node has joined that has this state"));
        if (place.Target is not { } target)
            return new(new RetryReason("nobody owns it yet"));
        if (target.State == MemberState.Gone)
            return new(new RetryReason("its owner is gone and nobody has taken it over yet"));
        if (place.IsSuspected)
            return new(Suspected(call, place));
        return place.IsHere
            ? RunLocallyAsync(call, partition, cancellationToken)
            : RunRemotelyAsync(call, partition, place, cancellationToken);
    }

    private RetryReason Suspected(StateCall call, in CallPlace place)
    {
        const string Text = "its owner has not been heard for a while, and nobody has taken it over yet";
        var obstacle = new RetryReason(Text);
        if (!_failsFast)
            return obstacle;
        var cause = new GlueException(
            GlueErrorKind.Unreachable, GlueDelivery.NotDelivered, GlueErrorCode.HeartbeatLost, $"{Text}.");
        throw Unavailable(call, place, obstacle with { Cause = cause });
    }

    private ValueTask<RetryReason?> RunLocallyAsync(
        StateCall call, PartitionId partition, CancellationToken cancellationToken)
    {
        // Without copies, a write that runs here ends here, and need not be recognized.
        if (!call.IsRead && _local!.Engine.IsReplicated(partition))
            call.Number ??= _numbers.Begin();
        var target = new RunTarget(partition, call.Number is { } number ? _numbers.IdOf(number) : null);
        var run = call.RunAsync(_local!.Operations, target, cancellationToken);
        return run.IsCompletedSuccessfully
            ? new(Read(call, partition, run.Result))
            : AwaitAsync(call, partition, run);
    }

    private async ValueTask<RetryReason?> AwaitAsync(
        StateCall call, PartitionId partition, ValueTask<StateResult> run) =>
        Read(call, partition, await run.ConfigureAwait(false));

    private RetryReason? Read(StateCall call, PartitionId partition, StateResult result)
    {
        call.Accept(result);
        call.Observation?.NoteAnswer(result.Status);
        return result.Status switch
        {
            StateReplyStatus.Done or StateReplyStatus.NotFound or StateReplyStatus.Failed or StateReplyStatus.Loading =>
                null,
            StateReplyStatus.Full => throw new StateFullException(
                $"State '{call.State.Name}': {RequestExecutor.FullText}."),
            StateReplyStatus.Busy => throw new StateBusyException(
                $"State '{call.State.Name}': {RequestExecutor.BusyText}."),
            StateReplyStatus.ResultNotKept => throw NotKept(call),
            StateReplyStatus.Unknown => new RetryReason(RequestExecutor.LostText) { IsUnknown = true },
            _ => new RetryReason(
                RequestExecutor.DescribeCopies(_view.RouteOf(partition), call.State)
                ?? "this node owns it and is not ready to serve it"),
        };
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<RetryReason?> RunRemotelyAsync(
        StateCall call, PartitionId partition, CallPlace place, CancellationToken cancellationToken)
    {
        var target = place.Target!;
        if (call.HasPayload && !Layouts.IsTold(target, call.State)
            && await TellLayoutsAsync(call, target, cancellationToken).ConfigureAwait(false) is { } obstacle)
            return obstacle;
        if (!call.IsRead)
            call.Number ??= _numbers.Begin();
        var request = call.ToRequest(new(Hash.ClusterId, partition, place.Route.Entry.Epoch, _view.Current.Version)
        {
            Request = call.Number is { } number ? _numbers.IdOf(number) : default,
        });
        try
        {
            var reply =
                await _peers.PeerOf(target, place.IsBrief)
                    .ExecuteAsync(request, cancellationToken).ConfigureAwait(false);
            call.NoteAnswered();
            return Read(call, partition, reply);
        }
        catch (GlueException e) when (e.Kind != GlueErrorKind.Refused)
        {
            return Unreached(e, isUnknown: !call.IsRead && e.Delivery != GlueDelivery.NotDelivered);
        }
        catch (GlueException e) when (e.Delivery == GlueDelivery.NotDelivered)
        {
            throw RefusedBy(target, call, e);
        }
        catch (GlueException e)
        {
            throw Unknown(call, new RetryReason(e.Message) { Cause = e });
        }
    }

    // Nothing of the write itself is on its way before the owner can read what it brings.
    private async ValueTask<RetryReason?> TellLayoutsAsync(
        StateCall call, ClusterMember target, CancellationToken cancellationToken)
    {
        try
        {
            var reply = await Layouts.TellAsync(target, call.State, cancellationToken).ConfigureAwait(false);
            var said = LogText.Clean(reply.Message);
            return reply.Status switch
            {
                LayoutReplyStatus.Refused => throw new StateRefusedException(
                    $"State '{call.State.Name}': refused by the owner: {said}."),
                LayoutReplyStatus.NotReady => new RetryReason(said),
                _ => null,
            };
        }
        catch (GlueException e) when (e.Kind != GlueErrorKind.Refused)
        {
            return Unreached(e, isUnknown: false);
        }
        catch (GlueException e)
        {
            throw RefusedBy(target, call, e);
        }
    }

    private static RetryReason Unreached(GlueException failure, bool isUnknown) =>
        new($"its owner could not be reached ({failure.Message.TrimEnd('.')})")
        {
            Cause = failure,
            IsFinal = failure.Kind == GlueErrorKind.Deadline,
            IsUnknown = isUnknown,
        };

    private static StateRefusedException RefusedBy(ClusterMember target, StateCall call, GlueException failure) =>
        new($"State '{call.State.Name}': {target.Node} refused the call. {failure.Message}", failure);

    private static StateOutcomeUnknownException Unknown(StateCall call, RetryReason doubt) => new(
        $"State '{call.State.Name}': whether the write has been carried out is unknown: {doubt.Reason.TrimEnd('.')}.",
        doubt.Cause);

    private static StateOutcomeUnknownException NotKept(StateCall call) =>
        new($"State '{call.State.Name}': {RequestExecutor.NotKeptText}.");

    private RetryReason? Read(StateCall call, PartitionId partition, StateReply reply)
    {
        // The words of the node that refused.
        var said = LogText.Clean(reply.Message);
        call.Observation?.NoteAnswer(reply.Status);
        switch (reply.Status)
        {
            case StateReplyStatus.Done or StateReplyStatus.NotFound or StateReplyStatus.Failed
                or StateReplyStatus.Loading:
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
                return new RetryReason(said) { IsUnknown = true };
            case StateReplyStatus.ResultNotKept:
                throw NotKept(call);
            case StateReplyStatus.Refused:
                throw new StateRefusedException($"State '{call.State.Name}': refused by the owner: {said}.");
            default:
                return new RetryReason(said.Length > 0 ? said : "its owner is not ready to serve it");
        }
    }
}
