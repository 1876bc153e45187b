using Cluster.Contracts;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing.Simulation.Nodes;

namespace Cluster.Testing.Simulation.Stores;

/// <summary>The cluster store of a simulated run: the table with compare-and-swap, stale and consistent reads,
/// notifications, the role of the coordinator, and beats. It keeps every version for the invariants. Used by one
/// thread.</summary>
public sealed class SimulatedStore : ISimulatedTarget
{
    /// <summary>How long the role of the coordinator lasts without a renewal, in true time.</summary>
    public static readonly TimeSpan CoordinatorTimeToLive = TimeSpan.FromSeconds(5);

    /// <summary>How long a beat counts, in true time.</summary>
    public static readonly TimeSpan BeatTimeToLive = TimeSpan.FromSeconds(5);

    private const int StaleChance = 100_000;
    private const int StaleChanceInFault = 700_000;
    private const int UnknownChance = 5_000;
    private const int UnknownChanceInFault = 400_000;
    private const int SilenceChance = 20_000;
    private const int SilenceChanceInFault = 800_000;

    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Refusal = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan LatencyMin = TimeSpan.FromMilliseconds(0.3);
    private static readonly TimeSpan LatencyMax = TimeSpan.FromMilliseconds(8);
    private static readonly TimeSpan StaleMax = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan StaleMaxInFault = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan NotificationMax = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan NotificationMaxInFault = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan LatenessMax = TimeSpan.FromSeconds(3);

    private readonly SimulatedWorld _world;
    private readonly SimulationRandom _random;
    private readonly IReadOnlyList<SimulatedNode> _nodes;
    private readonly List<StoredVersion> _versions = [];
    private readonly CoordinatorLock _coordinator = new();
    private readonly Dictionary<string, (NodeId Life, TimeSpan At)> _beats = new(StringComparer.Ordinal);
    private readonly Guid _foreignId;
    private long _requestCount;

    /// <summary>Makes a store with an empty table.</summary>
    /// <param name="world">The run.</param>
    /// <param name="nodes">The nodes that get notifications.</param>
    /// <param name="partitionCount">The number of partitions of the table.</param>
    public SimulatedStore(SimulatedWorld world, IReadOnlyList<SimulatedNode> nodes, int partitionCount)
    {
        ArgumentNullException.ThrowIfNull(world);
        _world = world;
        _nodes = nodes;
        _random = world.Random.Fork();
        _foreignId = _random.NextGuid();
        Meta = new ClusterMeta(
            _random.NextGuid(), "simulated", partitionCount, _random.Next(), ClusterMeta.CurrentFormatVersion);
        _versions.Add(new StoredVersion(TimeSpan.Zero, ClusterTable.CreateEmpty(partitionCount), default));
    }

    /// <summary>The properties of the cluster.</summary>
    public ClusterMeta Meta { get; }

    /// <summary>Every version that the store has had, the oldest first.</summary>
    public IReadOnlyList<StoredVersion> Versions => _versions;

    /// <summary>The newest table.</summary>
    public ClusterTable Current => _versions[^1].Table;

    /// <summary>The faults of the store at the moment.</summary>
    public StoreConditions Conditions { get; } = new();

    /// <summary>What has happened so far.</summary>
    public StoreCounts Counts { get; } = new();

    /// <summary>Returns whether a life has the role of the coordinator.</summary>
    /// <param name="life">The life in question.</param>
    public bool IsCoordinator(NodeId life) => _coordinator.IsHeldBy(life, _world.Now);

    /// <inheritdoc />
    public void Handle(in SimulatedEvent occurrence)
    {
        if (occurrence.Content is StoreAnswer answer)
        {
            answer.Node.Answer(answer.Life, answer.Call);
            return;
        }

        var request = (StoreRequest)occurrence.Content!;
        if (!Conditions.CanReach(request.Node.Endpoint))
            Fail(request, Deadline);
        else
            Serve(request);
    }

    internal long Read(SimulatedNode node, NodeId life, bool isConsistent)
    {
        var number = ++_requestCount;
        Send(new StoreRequest(StoreRequestKind.Read, node, life) { Number = number, IsStrict = isConsistent });
        return number;
    }

    internal void Swap(SimulatedNode node, NodeId life, ClusterTable successor, bool needsCoordinator) =>
        Send(new StoreRequest(StoreRequestKind.Swap, node, life) { Successor = successor, IsStrict = needsCoordinator });

    internal void HoldCoordinator(SimulatedNode node, NodeId life) =>
        Send(new StoreRequest(StoreRequestKind.HoldCoordinator, node, life));

    internal void ReleaseCoordinator(SimulatedNode node, NodeId life) =>
        Send(new StoreRequest(StoreRequestKind.ReleaseCoordinator, node, life));

    internal void Beat(SimulatedNode node, NodeId life) => Send(new StoreRequest(StoreRequestKind.Beat, node, life));

    private void Send(StoreRequest request)
    {
        // Without a store, some requests are refused at once and some are never answered.
        if (!Conditions.CanReach(request.Node.Endpoint))
            Fail(request, _random.Chance(SimulationRandom.Million / 2) ? Refusal : Deadline);
        else
            Schedule(request, _random.Between(LatencyMin, LatencyMax));
    }

    private void Serve(StoreRequest request)
    {
        switch (request.Kind)
        {
            case StoreRequestKind.Read:
                ServeRead(request);
                break;
            case StoreRequestKind.Swap:
                ServeSwap(request);
                break;
            case StoreRequestKind.HoldCoordinator:
                ServeCoordinator(request);
                break;
            case StoreRequestKind.ReleaseCoordinator:
                _coordinator.Release(request.Life);
                break;
            case StoreRequestKind.Beat:
                _beats[request.Node.Name] = (request.Life, _world.Now);
                break;
        }
    }

    private void ServeRead(StoreRequest request)
    {
        Counts.Reads++;
        var table = request.IsStrict ? Current : StaleTable();
        var id = Meta.ClusterId;
        if (Conditions.ForeignCount > 0)
        {
            Counts.ForeignReads++;
            id = _foreignId;
            table = Current with { Version = Current.Version + 1_000, ProposerNonce = _foreignId };
        }
        else if (table.Version < Current.Version)
        {
            Counts.StaleReads++;
        }

        var beating = _nodes.Where(node => _beats.ContainsKey(node.Name))
            .Select(node => _beats[node.Name])
            .Where(beat => _world.Now - beat.At < BeatTimeToLive)
            .Select(beat => beat.Life);
        var reading = new TableReading(request.Number, request.IsStrict, id, table, [.. beating]);
        Answer(request, NodeCallKind.TableRead, reading);
    }

    // A lagging copy shows what was the newest table some time ago.
    private ClusterTable StaleTable()
    {
        var isFault = Conditions.StaleCount > 0;
        if (!_random.Chance(isFault ? StaleChanceInFault : StaleChance))
            return Current;
        var moment = _world.Now - _random.Between(TimeSpan.Zero, isFault ? StaleMaxInFault : StaleMax);
        var index = _versions.Count - 1;
        while (index > 0 && _versions[index].At > moment)
            index--;
        return _versions[index].Table;
    }

    // Where outcomes of swaps are unknown, the answers about the role are lost as well.
    private void ServeCoordinator(StoreRequest request)
    {
        var holder = _coordinator.Hold(request.Life, _world.Now);
        Counts.CoordinatorChanges = _coordinator.ChangeCount;
        if (Conditions.UnknownCount > 0 && _random.Chance(UnknownChanceInFault))
            Answer(request, NodeCallKind.Coordinator, new CoordinatorAnswer(false, default), Deadline);
        else
            Answer(request, NodeCallKind.Coordinator, new CoordinatorAnswer(true, holder));
    }

    private void ServeSwap(StoreRequest request)
    {
        var chance = Conditions.UnknownCount > 0 ? UnknownChanceInFault : UnknownChance;
        if (!request.IsLate && _random.Chance(chance))
        {
            ServeUnknown(request);
            return;
        }

        var outcome = Replace(request) ? StoreSwapOutcome.Done : StoreSwapOutcome.Conflict;
        if (request.IsLate)
        {
            CountUnknown(outcome, isLate: true);
            return;
        }

        if (outcome == StoreSwapOutcome.Done)
            Counts.SwapsDone++;
        else
            Counts.Conflicts++;
        AnswerSwap(request, outcome, _random.Between(LatencyMin, LatencyMax));
    }

    // The answer is lost on its way back, or the request on its way here, or the request comes after the proposer has
    // given up.
    private void ServeUnknown(StoreRequest request)
    {
        var waited = _random.Between(LatencyMax, Deadline);
        AnswerSwap(request, StoreSwapOutcome.Unknown, waited);
        switch (_random.Next(4))
        {
            case 0:
                Counts.UnknownNotApplied++;
                break;
            case 1:
                Schedule(request with { IsLate = true }, waited + _random.Between(TimeSpan.Zero, LatenessMax));
                break;
            default:
                CountUnknown(Replace(request) ? StoreSwapOutcome.Done : StoreSwapOutcome.Conflict, isLate: false);
                break;
        }
    }

    private void CountUnknown(StoreSwapOutcome outcome, bool isLate)
    {
        if (outcome != StoreSwapOutcome.Done)
        {
            Counts.UnknownNotApplied++;
            return;
        }

        Counts.UnknownApplied++;
        if (isLate)
            Counts.UnknownAppliedLate++;
    }

    private bool Replace(StoreRequest request)
    {
        var successor = request.Successor!;
        if (successor.Version != Current.Version + 1 || Conditions.ForeignCount > 0)
            return false;
        if (request.IsStrict && !_coordinator.IsHeldBy(request.Life, _world.Now))
            return false;
        if (PartitionTransitions.FindViolation(Current, successor) is { } violation)
        {
            _world.Violate("transition", $"{request.Life} proposed version {successor.Version}: {violation}");
            return false;
        }

        _versions.Add(new StoredVersion(_world.Now, successor, request.Life));
        _world.Note(successor.Version, request.Node.Endpoint);
        if (_world.Trace.IsOn)
            _world.Trace.Write(_world.Now, "store", TableDifference.Describe(_versions[^2].Table, _versions[^1]));
        Notify(successor.Version);
        return true;
    }

    private void Notify(long version)
    {
        var isFault = Conditions.SilenceCount > 0;
        foreach (var node in _nodes)
        {
            if (node is not { IsAlive: true, Node: { } life })
                continue;
            var isLost = _random.Chance(isFault ? SilenceChanceInFault : SilenceChance);
            if (isLost || !Conditions.CanReach(node.Endpoint))
            {
                Counts.NotificationsLost++;
                continue;
            }

            var delay = _random.Between(LatencyMin, isFault ? NotificationMaxInFault : NotificationMax);
            var call = new NodeCall(NodeCallKind.TableChanged) { Version = version };
            Schedule(new StoreAnswer(node, life, call), delay, SimulatedEventKind.StoreNotification);
        }
    }

    private void Fail(StoreRequest request, TimeSpan after)
    {
        // The proposer of a late request has had its answer.
        if (request.IsLate)
        {
            Counts.UnknownNotApplied++;
            return;
        }

        Counts.Unreachable++;
        switch (request.Kind)
        {
            case StoreRequestKind.Read:
                var reading = new TableReading(request.Number, request.IsStrict, default, null, []);
                Answer(request, NodeCallKind.TableRead, reading, after);
                break;
            case StoreRequestKind.Swap:
                Counts.UnknownNotApplied++;
                AnswerSwap(request, StoreSwapOutcome.Unknown, after);
                break;
            case StoreRequestKind.HoldCoordinator:
                Answer(request, NodeCallKind.Coordinator, new CoordinatorAnswer(false, default), after);
                break;
        }
    }

    private void Answer(StoreRequest request, NodeCallKind kind, object content, TimeSpan? after = null) => Schedule(
        new StoreAnswer(request.Node, request.Life, new NodeCall(kind) { Content = content }),
        after ?? _random.Between(LatencyMin, LatencyMax),
        SimulatedEventKind.StoreAnswer);

    private void AnswerSwap(StoreRequest request, StoreSwapOutcome outcome, TimeSpan after)
    {
        var call = new NodeCall(NodeCallKind.SwapEnded)
        {
            Nonce = request.Successor!.ProposerNonce,
            Outcome = outcome,
        };
        Schedule(new StoreAnswer(request.Node, request.Life, call), after, SimulatedEventKind.StoreAnswer);
    }

    private void Schedule(StoreRequest request, TimeSpan after) => _world.Schedule(
        _world.Now + after,
        new SimulatedEvent(
            this, SimulatedEventKind.StoreRequest, request.Node.Endpoint, (long)request.Kind, request));

    private void Schedule(StoreAnswer answer, TimeSpan after, SimulatedEventKind kind) => _world.Schedule(
        _world.Now + after,
        new SimulatedEvent(this, kind, answer.Node.Endpoint, (long)answer.Call.Outcome, answer));
}
