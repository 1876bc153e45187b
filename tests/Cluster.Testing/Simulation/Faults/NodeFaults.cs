using Cluster.Testing.Simulation.Nodes;

namespace Cluster.Testing.Simulation.Faults;

/// <summary>Faults and planned changes of whole nodes. Used by the injector.</summary>
/// <param name="cluster">The run.</param>
/// <param name="random">The source of chance.</param>
internal sealed class NodeFaults(SimulatedCluster cluster, SimulationRandom random)
{
    private const int HourSeconds = 3_600;

    private static readonly TimeSpan SecondCrashMax = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan RestartMax = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan CopyMin = TimeSpan.FromMilliseconds(2);
    private static readonly TimeSpan CopyMax = TimeSpan.FromMilliseconds(20);

    public void Begin(ActiveFault fault, SimulatedNode node)
    {
        switch (fault.Kind)
        {
            case FaultKind.Pause:
                fault.Do(node.Pause, node.Resume);
                break;
            case FaultKind.Crash:
                Crash(fault, node);
                break;
            case FaultKind.DoubleCrash:
                CrashTwo(fault, node);
                break;
            case FaultKind.SourceCrash:
                CrashSources(fault);
                break;
            case FaultKind.WallJump:
                node.Clock.JumpWall(TimeSpan.FromSeconds(random.Between(-HourSeconds, HourSeconds)));
                break;
            case FaultKind.Join:
                Join();
                break;
            case FaultKind.Drain when CanDrain(node):
                fault.Do(node.Drain, () => StartIfGone(node));
                break;
            case FaultKind.Drain:
                fault.Kind = FaultKind.Pause;
                fault.Do(node.Pause, node.Resume);
                break;
            case FaultKind.ClusterCrash:
                CrashAll(fault);
                break;
            case FaultKind.RollingRestart:
                new RollingRestart(this, random, [.. cluster.Nodes.Where(each => each.IsAlive)]).Begin(fault);
                break;
        }
    }

    /// <summary>Whether the cluster can go on after a crash. Where nobody can prove a death, a partition whose last
    /// in-sync member crashed would be lost to the end of the run.</summary>
    public bool CanCrash(SimulatedNode node)
    {
        var table = cluster.Store.Current;
        if (cluster.Settings.IsSameKernel || node.Node is not { } life || table.FindMember(life) is not { } member)
            return node.IsAlive;
        return node.IsAlive && table.Partitions.All(entry =>
            !entry.InSync.Items.Contains(member.Slot)
            || entry.InSync.Any(slot => slot != member.Slot && !HasEnded(table.FindMember(slot)?.Node)));

        bool HasEnded(Contracts.NodeId? other) => other is not { } known || cluster.HasEnded(known);
    }

    /// <summary>Whether enough nodes remain to take what a node hands over.</summary>
    public bool CanDrain(SimulatedNode node) =>
        node is { IsAlive: true, IsDraining: false }
        && cluster.Nodes.Count(each => each != node && each is { IsAlive: true, IsDraining: false })
            >= Math.Max(2, cluster.Settings.Backups + 1);

    public static void StartIfGone(SimulatedNode node)
    {
        if (!node.IsAlive)
            node.Start();
    }

    private void Crash(ActiveFault fault, SimulatedNode node)
    {
        if (CanCrash(node))
        {
            fault.Do(node.Crash, () => StartIfGone(node));
            return;
        }

        fault.Kind = FaultKind.Pause;
        fault.Do(node.Pause, node.Resume);
    }

    private void CrashTwo(ActiveFault fault, SimulatedNode node)
    {
        Crash(fault, node);
        var others = cluster.Nodes.Where(each => each != node && CanCrash(each)).ToArray();
        if (fault.Kind == FaultKind.Pause)
            return;
        if (others.Length < 2)
        {
            fault.Kind = FaultKind.Crash;
            return;
        }

        var other = random.Pick(others);
        fault.FirstStepAfter = random.Between(TimeSpan.Zero, SecondCrashMax);
        fault.Step = () =>
        {
            if (CanCrash(other))
                fault.Do(other.Crash, () => StartIfGone(other));
            return null;
        };
    }

    // A new node gets copies. As long as the fault lasts, the first partition with a copy under way loses its owners.
    // Where nobody can prove their deaths, it would stay lost to the end of the run, so nothing happens there.
    private void CrashSources(ActiveFault fault)
    {
        if (!cluster.Settings.IsSameKernel)
            return;
        Join();
        fault.Step = () =>
        {
            var table = cluster.Store.Current;
            if (table.Partitions.FirstOrDefault(entry => entry.Joining is not null) is not { } copied)
                return random.Between(CopyMin, CopyMax);
            var owners = copied.InSync.Items.Select(slot => table.FindMember(slot)?.Node).ToHashSet();
            foreach (var node in cluster.Nodes.Where(each => each.IsAlive && owners.Contains(each.Node)))
                fault.Do(node.Crash, () => StartIfGone(node));
            return null;
        };
    }

    private void CrashAll(ActiveFault fault)
    {
        var nodes = new Queue<SimulatedNode>(cluster.Nodes.Where(each => each.IsAlive));
        foreach (var node in nodes)
            node.Crash();
        fault.EndsWithItsSteps = true;
        fault.FirstStepAfter = random.Between(CopyMin, RestartMax);
        fault.Step = () =>
        {
            StartIfGone(nodes.Dequeue());
            return nodes.Count > 0 ? random.Between(CopyMin, RestartMax) : null;
        };
    }

    private void Join()
    {
        var spares = cluster.Nodes.Where(each => each is { IsAlive: false, LifeCount: 0 }).ToArray();
        foreach (var node in spares.Take(random.Between(1, Math.Max(1, spares.Length))))
            node.Start();
    }
}
