using Cluster.Pile;
using Cluster.Pile.Hosting;
using Cluster.StateStore.Engine;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Tests.Engine;

/// <summary>One node of an in-process cluster: its pile, its engine, and a thread pool task for each frame, so that
/// frames overtake each other.</summary>
internal sealed class EngineProcess : IEngineWorld, IDisposable
{
    private readonly EngineCluster _cluster;
    private readonly LocalPile _pile = new(new PileOptions { BudgetBytes = 64 << 20 });

    public EngineProcess(EngineCluster cluster, string name, int backups)
    {
        _cluster = cluster;
        Node = NodeId.NewIncarnation(name);
        var table = StampedTable.Open(
            _pile, new StampedTableOptions { Name = "state", KeyForm = "test", HashSeed = cluster.Meta.HashSeed });
        Engine = new NodeEngine(
            new EngineOptions
            {
                Member = new ClusterMember(default, Node, name, name, default, MemberState.Joining),
                Hash = cluster.Hash,
                Tables = [table],
                Backups = backups,
                Times = EngineCluster.Times,
            },
            this);
    }

    public NodeId Node { get; }

    public NodeEngine Engine { get; }

    public bool HasLeft { get; private set; }

    public bool IsKilled { get; private set; }

    public long LostRecords { get; private set; }

    public void Start() => Engine.Start();

    /// <summary>Ends the node without a word; the others get the proof.</summary>
    public void Kill()
    {
        IsKilled = true;
        Dispose();
        _cluster.Store.Release(Node);
        foreach (var other in _cluster.Living)
            other.Engine.DeathProven(Node);
    }

    public void Dispose() => Engine.Dispose();

    /// <summary>Gives the memory back, when no frame is under way any more.</summary>
    public void Free() => _pile.Dispose();

    void IEngineWorld.Send(NodeId to, ReadOnlyMemory<byte> frame) => Later(() => _cluster.Find(to)?.Engine.Receive(frame));

    void IEngineWorld.ReadTable(bool isConsistent) =>
        Later(() => Engine.TableRead(_cluster.Store.Table, _cluster.Meta.ClusterId));

    void IEngineWorld.Swap(ClusterTable successor, bool needsCoordinator) => Later(
        () => Engine.SwapEnded(successor.ProposerNonce, _cluster.Store.Swap(successor, Node, needsCoordinator)));

    void IEngineWorld.Probe(NodeId node)
    {
    }

    void IEngineWorld.HoldCoordinator() => Later(() => Engine.CoordinatorKnown(_cluster.Store.Hold(Node)));

    void IEngineWorld.ReleaseCoordinator() => _cluster.Store.Release(Node);

    void IEngineWorld.Lost(PartitionId partition, int lossCount, long records) => LostRecords += records;

    void IEngineWorld.Left()
    {
        HasLeft = true;
        _cluster.Store.Release(Node);
    }

    private void Later(Action action) => ThreadPool.UnsafeQueueUserWorkItem(
        static state =>
        {
            if (!state.This.IsKilled)
                state.Action();
        },
        (This: this, Action: action),
        preferLocal: false);
}
