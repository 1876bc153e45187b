using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Tests.Hosting.Layouts;

/// <summary>A simulated cluster whose nodes have different versions of one state. Every node and every client has a
/// registration of its own, as processes have.</summary>
internal sealed class MixedCluster : IAsyncDisposable
{
    private readonly Dictionary<int, StateDefinition> _states = [];
    private readonly Func<int, StateDefinition> _stateOf;

    /// <summary>Starts nodes.</summary>
    /// <param name="nodes">How many.</param>
    /// <param name="stateOf">The state of a node, by its number from one.</param>
    /// <param name="partitions">The partitions.</param>
    /// <param name="backups">The copies beside the owner's.</param>
    public MixedCluster(int nodes, Func<int, StateDefinition> stateOf, int partitions = 4, int backups = 1)
    {
        _stateOf = stateOf;
        Nodes = new SimulatedCluster(nodes, partitions, backups: backups, isBalanced: true, catalogOf: number => new([StateOf(number)]));
    }

    public SimulatedCluster Nodes { get; }

    /// <summary>The state as a node has registered it.</summary>
    public StateDefinition StateOf(int number) => _states.TryGetValue(number, out var known)
        ? known
        : _states[number] = _stateOf(number);

    /// <summary>The client of a node for its own version.</summary>
    public StateClient<string, TValue> On<TValue>(SimulatedNode node) =>
        new((StateDefinition<string, TValue>)StateOf(node.Number), node.Router);

    /// <summary>The client of another process.</summary>
    public StateClient<string, TValue> Outside<TValue>(StateDefinition<string, TValue> state) => new(
        state,
        new StateRouter(
            new TableView(null, Nodes.Table),
            new SimulatedCluster.Directory(Nodes),
            Nodes.Hash,
            null,
            Nodes.RouterOptions()));

    /// <summary>A key whose partition the node owns.</summary>
    public string KeyOn(SimulatedNode node, string prefix) => Enumerable.Range(0, 10_000)
        .Select(number => $"{prefix}{number}")
        .First(key => Nodes.OwnerOf(Nodes.Hash.PartitionOf(
            Nodes.Hash.Hash(Encoding.UTF8.GetBytes(key)), Nodes.Table.FindSet(Nodes.Backups)!.Value)) == node);

    public Task<T> RunAsync<T>(ValueTask<T> operation) => Nodes.RunAsync(operation);

    /// <summary>Starts a node, waits until it is the only one with copies besides those that stay, and ends another
    /// one.</summary>
    public async Task ReplaceAsync(SimulatedNode leaving)
    {
        Nodes.Add();
        await Nodes.UntilAsync(() => Nodes.IsQuiet && Nodes.Nodes[^1].Member.State == MemberState.Active);
        leaving.Store.Drain();
        await Nodes.UntilAsync(() => !Nodes.Table.Partitions.Any(entry => entry.Names(leaving.Member.Slot)));
        await Nodes.UntilAsync(() => leaving.RecordCount == 0);
        leaving.Store.Leave();
        await Nodes.UntilAsync(() => Nodes.Table.FindMember(leaving.Node) is null or { State: MemberState.Gone });
        leaving.Kill();
        await Nodes.UntilAsync(() => Nodes.IsQuiet);
    }

    public ValueTask DisposeAsync() => Nodes.DisposeAsync();
}
