using Cluster.Testing.Simulation.Network;

namespace Cluster.Testing.Simulation.Faults;

/// <summary>Faults of links between nodes, and between nodes and clients. Used by the injector.</summary>
/// <param name="cluster">The run.</param>
/// <param name="random">The source of chance.</param>
internal sealed class NetworkFaults(SimulatedCluster cluster, SimulationRandom random)
{
    private static readonly TimeSpan FlapTime = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan StallMin = TimeSpan.FromMilliseconds(600);
    private static readonly TimeSpan StallMax = TimeSpan.FromMilliseconds(1_500);
    private static readonly TimeSpan StoreOnlyMax = TimeSpan.FromSeconds(2);

    public void Begin(ActiveFault fault, int node)
    {
        switch (fault.Kind)
        {
            case FaultKind.Delay or FaultKind.Loss or FaultKind.Duplication or FaultKind.Reordering:
                Disturb(fault, node);
                break;
            case FaultKind.OneWayCut:
                CutOneWay(fault, node);
                break;
            case FaultKind.Flapping:
                Flap(fault, node);
                break;
            case FaultKind.Split:
                Split(fault);
                break;
            case FaultKind.Stall:
                Stall(fault, node);
                break;
            case FaultKind.ReplyLoss:
                LoseReplies(fault);
                break;
            default:
                Isolate(fault, node);
                break;
        }
    }

    // Half of the disturbances concern all links, half those of one node.
    private void Disturb(ActiveFault fault, int node)
    {
        var quality = DrawQuality(fault.Kind);
        var concernsAll = random.Chance(SimulationRandom.Million / 2);
        for (var from = 0; from < cluster.Network.EndpointCount; from++)
        {
            for (var to = 0; to < cluster.Network.EndpointCount; to++)
            {
                var link = cluster.Network[from, to];
                if (concernsAll || from == node || to == node)
                    fault.Do(() => link.Disturb(quality), () => link.Calm(quality));
            }
        }
    }

    private LinkQuality DrawQuality(FaultKind kind) => kind switch
    {
        FaultKind.Delay => new LinkQuality
        {
            DelayMin = TimeSpan.FromMilliseconds(random.Between(0, 20)),
            DelayMax = TimeSpan.FromMilliseconds(random.Between(50, 400)),
            TailChance = random.Between(0, 10_000),
        },
        FaultKind.Loss => new LinkQuality { LossChance = random.Between(5_000, 300_000) },
        FaultKind.Duplication => new LinkQuality { DuplicationChance = random.Between(10_000, 500_000) },
        _ => new LinkQuality { ReorderingChance = random.Between(10_000, 500_000) },
    };

    private void CutOneWay(ActiveFault fault, int node)
    {
        var isOutgoing = random.Chance(SimulationRandom.Million / 2);
        var one = OtherThan(node);
        var concernsAll = random.Chance(SimulationRandom.Million / 2);
        for (var other = 0; other < cluster.Nodes.Count; other++)
        {
            if (other == node || (!concernsAll && other != one))
                continue;
            if (isOutgoing)
                Cut(fault, node, other);
            else
                Cut(fault, other, node);
        }
    }

    private void Flap(ActiveFault fault, int node)
    {
        var other = OtherThan(node);
        SimulatedLink[] links = [cluster.Network[node, other], cluster.Network[other, node]];
        var isCut = false;
        fault.Do(() => { }, () =>
        {
            if (isCut)
                Array.ForEach(links, link => link.Heal());
        });
        fault.Step = () =>
        {
            isCut = !isCut;
            Array.ForEach(links, link =>
            {
                if (isCut)
                    link.Cut();
                else
                    link.Heal();
            });
            return FlapTime;
        };
    }

    // The messages to a stalled node wait in buffers. They arrive when the other nodes have already replaced it. The
    // store often comes back last, so the node acts on its old table for a while.
    private void Stall(ActiveFault fault, int node)
    {
        var until = cluster.World.Now + fault.Plan.Duration - random.Between(TimeSpan.Zero, StoreOnlyMax);
        int[] others = [.. Enumerable.Range(0, cluster.Nodes.Count).Where(other => other != node)];
        SimulatedLink[] outgoing = [.. others.Select(other => cluster.Network[node, other])];
        Array.ForEach(others, other => cluster.Network[other, node].Hold(until));
        if (random.Chance(SimulationRandom.Million * 3 / 4))
            CutStore(fault, node);
        var isCut = false;
        fault.FirstStepAfter = random.Between(StallMin, StallMax);
        fault.Step = () =>
        {
            isCut = !isCut;
            Array.ForEach(outgoing, isCut ? link => link.Cut() : link => link.Heal());
            return isCut ? until - cluster.World.Now : null;
        };
    }

    private void LoseReplies(ActiveFault fault)
    {
        var quality = new LinkQuality { LossChance = SimulationRandom.Million / 2 };
        for (var node = 0; node < cluster.Nodes.Count; node++)
        {
            for (var client = cluster.Nodes.Count; client < cluster.Network.EndpointCount; client++)
            {
                var link = cluster.Network[node, client];
                fault.Do(() => link.Disturb(quality), () => link.Calm(quality));
            }
        }
    }

    // The smaller group sometimes loses the store as well.
    private void Split(ActiveFault fault)
    {
        var count = cluster.Nodes.Count;
        var isSmaller = new bool[count];
        for (var left = random.Between(1, Math.Max(1, cluster.Settings.NodeCount / 2)); left > 0; left--)
            isSmaller[random.Next(cluster.Settings.NodeCount)] = true;
        var losesStore = random.Chance(SimulationRandom.Million / 2);
        for (var one = 0; one < count; one++)
        {
            for (var other = 0; other < count; other++)
            {
                if (isSmaller[one] != isSmaller[other])
                    Cut(fault, one, other);
            }

            if (isSmaller[one] && losesStore)
                CutStore(fault, one);
        }
    }

    private void Isolate(ActiveFault fault, int node)
    {
        var last = fault.Kind == FaultKind.Isolation ? cluster.Network.EndpointCount : cluster.Nodes.Count;
        for (var other = 0; other < last && fault.Kind != FaultKind.StoreIsolation; other++)
        {
            if (other == node)
                continue;
            Cut(fault, node, other);
            Cut(fault, other, node);
        }

        if (fault.Kind != FaultKind.PeerIsolation)
            CutStore(fault, node);
    }

    private void Cut(ActiveFault fault, int from, int to)
    {
        var link = cluster.Network[from, to];
        fault.Do(link.Cut, link.Heal);
    }

    private void CutStore(ActiveFault fault, int node)
    {
        var conditions = cluster.Store.Conditions;
        fault.Do(() => conditions.Cut(node), () => conditions.Heal(node));
    }

    private int OtherThan(int node) => (node + random.Between(1, cluster.Settings.NodeCount - 1))
        % cluster.Settings.NodeCount;
}
