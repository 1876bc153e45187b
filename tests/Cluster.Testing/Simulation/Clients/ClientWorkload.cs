namespace Cluster.Testing.Simulation.Clients;

/// <summary>Draws the operations of the clients of one run: few keys, so that the clients meet on them, and all actions.
/// Used by one thread.</summary>
public sealed class ClientWorkload
{
    // Of a million actions on a number. Incrementing and reading are the most telling ones.
    private static readonly (ClientAction Action, int Share)[] OnNumbers =
    [
        (ClientAction.Get, 350_000),
        (ClientAction.Put, 200_000),
        (ClientAction.PutIfVersion, 150_000),
        (ClientAction.Remove, 60_000),
        (ClientAction.Touch, 40_000),
        (ClientAction.Increment, 200_000),
    ];

    // The first keys, one of each use, get half of all operations, so that many clients meet on them.
    private const int HotCount = 3;
    private const int HotChance = 500_000;

    private readonly SimulationRandom _random;
    private long _nextValue = 1_000;

    /// <summary>Makes the keys of a run.</summary>
    /// <param name="random">The source of chance.</param>
    /// <param name="partitionCount">The number of partitions.</param>
    public ClientWorkload(SimulationRandom random, int partitionCount)
    {
        ArgumentNullException.ThrowIfNull(random);
        _random = random;
        var uses = Enum.GetValues<KeyUse>();
        var count = random.Between(uses.Length, 10);
        Keys =
        [
            .. Enumerable.Range(0, count).Select(index => new ClientKey(
                $"key{index}",
                random.Next(partitionCount),
                index < uses.Length ? uses[index] : random.Pick(uses))),
        ];
    }

    /// <summary>The keys of the run.</summary>
    public ImmutableArray<ClientKey> Keys { get; }

    /// <summary>Draws the next operation of a client.</summary>
    /// <param name="client">The incarnation of the client.</param>
    /// <param name="sequence">The number of the operation.</param>
    /// <param name="lowWaterMark">The client will repeat no operation below this number.</param>
    public ClientRequest Draw(Guid client, long sequence, long lowWaterMark)
    {
        var key = _random.Chance(HotChance) ? Keys[_random.Next(HotCount)] : _random.Pick(Keys);
        var action = DrawAction(key.Use);
        return new ClientRequest(client, sequence, lowWaterMark, action, key)
        {
            // Each written value and each appended item is another one, so that a value tells who wrote it.
            Argument = action == ClientAction.Increment ? _random.Between(1, 9) : ++_nextValue * 10,
            TimeToLive = key.Use == KeyUse.Expiring
                ? _random.Between(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(10))
                : null,
        };
    }

    private ClientAction DrawAction(KeyUse use)
    {
        switch (use)
        {
            case KeyUse.Counter:
                return _random.Chance(700_000) ? ClientAction.Increment : ClientAction.Get;
            case KeyUse.List:
                return _random.Chance(700_000) ? ClientAction.Append : ClientAction.Get;
        }

        var drawn = _random.Next(SimulationRandom.Million);
        foreach (var (action, share) in OnNumbers)
        {
            drawn -= share;
            if (drawn < 0)
                return action;
        }

        return ClientAction.Get;
    }
}
