using Cluster.Testing.Simulation.Network;

namespace Cluster.Testing.Simulation.Clients;

/// <summary>One client of a simulated run. It begins operations at random times, repeats attempts under the same request
/// id, follows redirects, gives up at its deadline, and records the history in true time. Used by one thread.</summary>
public sealed class SimulatedClient : ISimulatedTarget, ISimulatedEndpoint
{
    private const int RunningMax = 3;
    private const int RedirectMax = 3;
    private const int RestartChance = 15_000;

    private static readonly TimeSpan AttemptMin = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan AttemptMax = TimeSpan.FromMilliseconds(900);
    private static readonly TimeSpan BusyMin = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan BusyMax = TimeSpan.FromMilliseconds(120);
    private static readonly TimeSpan DeadlineMin = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan DeadlineMax = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan FinalDeadline = TimeSpan.FromSeconds(10);

    private readonly SimulatedCluster _cluster;
    private readonly SimulationRandom _random;
    private readonly int _number;
    private readonly int _endpoint;
    private readonly TimeSpan _pace;
    private readonly SortedDictionary<long, ClientCall> _running = [];
    private readonly Dictionary<int, (int Owner, long Epoch)> _routes = [];
    private readonly Dictionary<string, long> _seen = new(StringComparer.Ordinal);
    private Guid _incarnation;
    private int _left;
    private long _sequence;

    internal SimulatedClient(SimulatedCluster cluster, int number, int operationCount, TimeSpan pace)
    {
        _cluster = cluster;
        _random = cluster.World.Random.Fork();
        _incarnation = _random.NextGuid();
        _number = number;
        _left = operationCount;
        _pace = pace;
        _endpoint = cluster.Network.Add(this);
        Name = $"client{number}";
        ScheduleBegin();
    }

    /// <inheritdoc />
    public string Name { get; }

    /// <summary>The number of the client's end point.</summary>
    public int Endpoint => _endpoint;

    /// <summary>Whether operations are to come or still run.</summary>
    public bool IsBusy => _left > 0 || _running.Count > 0;

    // The client repeats no operation below the oldest one that runs.
    private long LowWaterMark => _running.Count == 0 ? _sequence : _running.First().Key;

    /// <summary>How often the client has started again with a new incarnation.</summary>
    public int RestartCount { get; private set; }

    /// <inheritdoc />
    public void Handle(in SimulatedEvent occurrence)
    {
        if (occurrence.Kind == SimulatedEventKind.ClientBegin)
        {
            Begin();
            return;
        }

        var call = (ClientCall)occurrence.Content!;
        if (call.Timer != occurrence.Argument || call.Operation.Outcome != ClientOutcome.Running)
            return;
        if (_cluster.World.Now >= call.Deadline)
        {
            End(call, null);
            return;
        }

        // After silence or a refusal, any node may know more than the one that was asked.
        if (!call.KeepsRoute)
            _routes.Remove(call.Operation.Request.Key.Partition);
        Send(call);
    }

    /// <inheritdoc />
    public void Deliver(in SimulatedMessage message)
    {
        // Late and repeated answers find no running operation.
        if (message.Content is not ClientReply reply
            || reply.Client != _incarnation
            || !_running.TryGetValue(reply.Sequence, out var call))
            return;
        switch (reply.Status)
        {
            case ClientReplyStatus.Done:
                End(call, reply);
                break;
            case ClientReplyStatus.Unknown:
                End(call, null);
                break;
            case var _ when reply.Attempt != call.Operation.AttemptCount:
                // Each repeated refusal would cause an attempt of its own.
                break;
            case ClientReplyStatus.Busy:
                SendLater(call, keepsRoute: _random.Chance(SimulationRandom.Million / 2));
                break;
            default:
                Redirect(call, reply);
                break;
        }
    }

    /// <summary>Reads every key once, so that a loss shows that no other operation has met.</summary>
    internal void ReadAll()
    {
        foreach (var key in _cluster.Workload.Keys)
        {
            var request = new ClientRequest(_incarnation, ++_sequence, LowWaterMark, ClientAction.Get, key);
            Begin(new ClientOperation(_number, request, _cluster.World.Now) { IsFinal = true }, FinalDeadline);
        }
    }

    private void Begin()
    {
        if (_random.Chance(RestartChance))
            Restart();
        if (_running.Count < RunningMax)
        {
            _left--;
            var request = _cluster.Workload.Draw(_incarnation, ++_sequence, LowWaterMark);
            if (request.Action == ClientAction.Get)
                request = request with { Reads = _cluster.Settings.Reads };
            Begin(
                new ClientOperation(_number, WithVersion(request), _cluster.World.Now),
                _random.Between(DeadlineMin, DeadlineMax));
        }

        if (_left > 0)
            ScheduleBegin();
    }

    private void Begin(ClientOperation operation, TimeSpan deadline)
    {
        _cluster.Add(operation);
        var call = new ClientCall(operation, operation.Invoked + deadline);
        _running.Add(operation.Request.Sequence, call);
        Send(call);
    }

    // The operations that ran keep their unknown outcome, and the nodes never hear of this incarnation again.
    private void Restart()
    {
        foreach (var call in _running.Values.ToArray())
            End(call, null);
        _incarnation = _random.NextGuid();
        _sequence = 0;
        _routes.Clear();
        RestartCount++;
    }

    // Most conditional puts expect what this client has seen last; some expect no entry.
    private ClientRequest WithVersion(ClientRequest request)
    {
        if (request.Action != ClientAction.PutIfVersion)
            return request;
        if (!_seen.TryGetValue(request.Key.Name, out var seen) || _random.Chance(100_000))
            return request;
        return request with { ExpectedVersion = seen };
    }

    private void Send(ClientCall call)
    {
        var request = call.Operation.Request;
        var isAnywhere = request.Reads == ReadMode.Stale && call.Operation.AttemptCount == 0;
        if (isAnywhere || !_routes.TryGetValue(request.Key.Partition, out var route))
            route = (DrawNode(), 0);
        call.Operation.AttemptCount++;
        var attempt = request with
        {
            Attempt = call.Operation.AttemptCount,
            KnownEpoch = route.Epoch,
            LowWaterMark = LowWaterMark,
        };
        _cluster.Network.Send(
            route.Owner, new SimulatedMessage(_endpoint, default, ClientChannels.Request, default, attempt));
        Schedule(call, _random.Between(AttemptMin, AttemptMax), keepsRoute: false);
    }

    // The client knows which nodes there have ever been, and not which of them are alive.
    private int DrawNode()
    {
        var first = _random.Next(_cluster.Nodes.Count);
        for (var step = 0; step < _cluster.Nodes.Count; step++)
        {
            var node = _cluster.Nodes[(first + step) % _cluster.Nodes.Count];
            if (node.LifeCount > 0)
                return node.Endpoint;
        }

        return _cluster.Nodes[first].Endpoint;
    }

    private void Redirect(ClientCall call, ClientReply reply)
    {
        call.Operation.RedirectCount++;
        var partition = call.Operation.Request.Key.Partition;
        if (reply.Owner < 0 || ++call.RedirectsInRow > RedirectMax)
        {
            call.RedirectsInRow = 0;
            SendLater(call, keepsRoute: false);
            return;
        }

        _routes[partition] = (reply.Owner, reply.Epoch);
        Send(call);
    }

    private void SendLater(ClientCall call, bool keepsRoute) =>
        Schedule(call, _random.Between(BusyMin, BusyMax), keepsRoute);

    // The newest timer of a call counts; the ones before it find another number.
    private void Schedule(ClientCall call, TimeSpan after, bool keepsRoute)
    {
        call.KeepsRoute = keepsRoute;
        call.Timer++;
        var at = _cluster.World.Now + after;
        _cluster.World.Schedule(
            at < call.Deadline ? at : call.Deadline,
            new SimulatedEvent(this, SimulatedEventKind.ClientTimer, _endpoint, call.Timer, call));
    }

    private void End(ClientCall call, ClientReply? reply)
    {
        var operation = call.Operation;
        _running.Remove(operation.Request.Sequence);
        operation.End(_cluster.World.Now, reply);
        _cluster.World.Note(operation.Request.Sequence, reply?.Value ?? -1, reply?.Version ?? -1);
        if (_cluster.World.Trace.IsOn)
            _cluster.World.Trace.Write(_cluster.World.Now, Name, operation.ToString());
        if (reply is null)
            return;
        var key = operation.Request.Key.Name;
        switch (operation.Request.Action)
        {
            case ClientAction.Get:
                _seen[key] = reply.Version;
                break;
            case ClientAction.Increment:
                _seen[key] = reply.Version;
                break;
        }
    }

    private void ScheduleBegin() => _cluster.World.Schedule(
        _cluster.World.Now + _random.Between(TimeSpan.Zero, 2 * _pace),
        new SimulatedEvent(this, SimulatedEventKind.ClientBegin, _endpoint));
}
