using Cluster.Testing.Faults;

namespace Cluster.SystemTests.Faults;

/// <summary>The relays from one process to a node: one for calls, one for the liveness endpoint. Owned by the cluster
/// of the scenario.</summary>
/// <param name="from">The name of the process that connects.</param>
/// <param name="to">The node.</param>
internal sealed class PeerRelay(string from, FaultNode to) : IAsyncDisposable
{
    private readonly TcpRelay _calls = new(Cluster.Testing.FreePorts.Next(), to.Port);
    private readonly TcpRelay _beacons = new(Cluster.Testing.FreePorts.Next(), to.LivenessPort);

    public string From { get; } = from;

    public string To { get; } = to.Name;

    /// <summary>The port of each relay, by the port of the node.</summary>
    public IEnumerable<KeyValuePair<int, int>> Ports =>
        [new(to.Port, _calls.Port), new(to.LivenessPort, _beacons.Port)];

    private TcpRelay[] Both => [_calls, _beacons];

    /// <summary>Holds back the bytes from a process to the other. Connections of both processes carry them.</summary>
    /// <param name="sender">The process whose bytes are held back.</param>
    public void StallFrom(string sender)
    {
        foreach (var relay in Both)
            (sender == From ? relay.ToTarget : relay.FromTarget).Stall();
    }

    public void Open()
    {
        foreach (var relay in Both)
        {
            relay.ToTarget.Open();
            relay.FromTarget.Open();
        }
    }

    public void Delay(RelayDelay delay)
    {
        foreach (var relay in Both)
        {
            relay.ToTarget.Delay(delay);
            relay.FromTarget.Delay(delay);
        }
    }

    /// <summary>Changes bytes of calls that travel in either direction.</summary>
    /// <param name="percent">How many chunks of a hundred are changed.</param>
    public void Damage(int percent)
    {
        _calls.ToTarget.Damage(percent);
        _calls.FromTarget.Damage(percent);
    }

    /// <summary>Refuses connections, as the ports of a dead process do.</summary>
    public void Close()
    {
        foreach (var relay in Both)
            relay.Close();
    }

    public void Listen()
    {
        foreach (var relay in Both)
            relay.Listen();
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var relay in Both)
            await relay.DisposeAsync();
    }
}
