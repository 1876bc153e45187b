namespace Cluster.Testing.Simulation.Network;

/// <summary>Carries messages between nodes and clients: one link per direction of each pair. Messages that were sent
/// before a node crashed may reach its next life. Used by one thread.</summary>
public sealed class SimulatedNetwork : ISimulatedTarget
{
    // The hash of a run covers this much of a message; more would cost more than the message itself.
    private const int HashedBytesMax = 128;

    private readonly SimulatedWorld _world;
    private readonly SimulationRandom _random;
    private readonly LinkQuality _usual;
    private readonly List<ISimulatedEndpoint> _endpoints = [];
    private readonly List<List<SimulatedLink>> _links = [];
    private readonly Stack<int> _freeSlots = new();
    private SimulatedMessage[] _messages = new SimulatedMessage[256];
    private int _slotCount;

    /// <summary>Makes a network without end points.</summary>
    /// <param name="world">The run.</param>
    /// <param name="usual">What every link does to its messages as long as no fault disturbs it.</param>
    public SimulatedNetwork(SimulatedWorld world, LinkQuality usual)
    {
        ArgumentNullException.ThrowIfNull(world);
        _world = world;
        _random = world.Random.Fork();
        _usual = usual;
    }

    /// <summary>What has happened to the messages so far.</summary>
    public LinkCounts Counts { get; } = new();

    /// <summary>Describes messages in the trace. Where it is null or returns null, the trace shows the text of the
    /// content or the number of bytes.</summary>
    public Func<SimulatedMessage, string?>? Describe { get; set; }

    /// <summary>The number of end points.</summary>
    public int EndpointCount => _endpoints.Count;

    /// <summary>Adds an end point.</summary>
    /// <param name="endpoint">The end point.</param>
    /// <returns>Its number, counted from zero.</returns>
    public int Add(ISimulatedEndpoint endpoint)
    {
        _endpoints.Add(endpoint);
        foreach (var links in _links)
            links.Add(new SimulatedLink(_usual));
        _links.Add([.. Enumerable.Range(0, _endpoints.Count).Select(_ => new SimulatedLink(_usual))]);
        return _endpoints.Count - 1;
    }

    /// <summary>Returns one direction between two end points.</summary>
    /// <param name="from">The sender's number.</param>
    /// <param name="to">The receiver's number.</param>
    public SimulatedLink this[int from, int to] => _links[from][to];

    /// <summary>Sends a message.</summary>
    /// <param name="to">The receiver's number.</param>
    /// <param name="message">The message, which names its sender.</param>
    public void Send(int to, in SimulatedMessage message)
    {
        Counts.Sent++;
        var link = _links[message.From][to];
        if (link.IsCut)
        {
            Counts.Cut++;
            return;
        }

        var quality = link.Quality;
        if (_random.Chance(quality.LossChance))
        {
            Counts.Lost++;
            return;
        }

        Carry(link, to, message);
        if (!_random.Chance(quality.DuplicationChance))
            return;
        Counts.Duplicated++;
        Carry(link, to, message);
    }

    /// <inheritdoc />
    public void Handle(in SimulatedEvent occurrence)
    {
        var slot = (int)occurrence.Argument;
        var message = _messages[slot];
        _messages[slot] = default;
        _freeSlots.Push(slot);
        Counts.Delivered++;
        Note(message);
        var receiver = _endpoints[occurrence.Subject];
        if (_world.Trace.IsOn)
            WriteTrace(receiver, message);
        receiver.Deliver(message);
    }

    private void Note(in SimulatedMessage message)
    {
        var bytes = message.Bytes.Span;
        _world.Note(message.From, message.Channel, bytes.Length);
        bytes = bytes[..Math.Min(bytes.Length, HashedBytesMax)];
        foreach (var word in MemoryMarshal.Cast<byte, long>(bytes))
            _world.Note(word);
        for (var index = bytes.Length & ~(sizeof(long) - 1); index < bytes.Length; index++)
            _world.Note(bytes[index]);
    }

    private void Carry(SimulatedLink link, int to, in SimulatedMessage message)
    {
        var arrival = link.DrawArrival(_world.Now, _random, Counts);
        if (!_freeSlots.TryPop(out var slot))
            slot = _slotCount++;
        if (slot == _messages.Length)
            Array.Resize(ref _messages, slot * 2);
        _messages[slot] = message;
        _world.Schedule(arrival, new SimulatedEvent(this, SimulatedEventKind.Delivery, to, slot));
    }

    private void WriteTrace(ISimulatedEndpoint receiver, in SimulatedMessage message)
    {
        var content = Describe?.Invoke(message) ?? message.Content?.ToString() ?? $"{message.Bytes.Length} bytes";
        _world.Trace.Write(
            _world.Now, receiver.Name, $"<- {_endpoints[message.From].Name} #{message.Channel}: {content}");
    }
}
