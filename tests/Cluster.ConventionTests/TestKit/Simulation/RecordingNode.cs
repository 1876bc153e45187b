using Cluster.Contracts;
using Cluster.Testing.Simulation.Clients;
using Cluster.Testing.Simulation.Network;
using Cluster.Testing.Simulation.Nodes;
using Cluster.Testing.Simulation.Stores;

namespace Cluster.ConventionTests.TestKit.Simulation;

/// <summary>A program that records its calls with the local time, and does what a test tells it to do.</summary>
internal sealed class RecordingNode(SimulatedHost host) : INodeProgram
{
    public SimulatedHost Host { get; } = host;

    public List<(string Call, long At)> Calls { get; } = [];

    public List<TableReading> Readings { get; } = [];

    public List<(Guid Nonce, StoreSwapOutcome Outcome)> Swaps { get; } = [];

    public List<CoordinatorAnswer> Answers { get; } = [];

    public Action? OnTick { get; set; }

    public long NextDeadline { get; set; } = long.MaxValue;

    public IEnumerable<string> Names => Calls.Select(call => call.Call);

    public void Start() => Add("start");

    public void Tick()
    {
        Add("tick");
        NextDeadline = long.MaxValue;
        OnTick?.Invoke();
    }

    public void Receive(in SimulatedMessage message) => Add($"message {message.Content}");

    public void Requested(int client, ClientRequest request) => Add("request");

    public void TableRead(TableReading reading) => Readings.Add(reading);

    public void TableChanged(long version) => Add($"version {version}");

    public void SwapEnded(Guid nonce, StoreSwapOutcome outcome) => Swaps.Add((nonce, outcome));

    public void CoordinatorAnswered(CoordinatorAnswer answer) => Answers.Add(answer);

    public void DeathProven(NodeId node) => Add($"death of {node.Name}");

    public void DrainAsked() => Add("drain");

    private void Add(string call) => Calls.Add((call, Host.Now));
}
