using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.Testing.Simulation.Nodes;

namespace Cluster.Testing.Simulation.Growth;

/// <summary>A large simulated cluster whose control plane is that of the product, and what changes of it cost. One
/// backup for each partition. Used by one thread.</summary>
public sealed class GrowthRun
{
    /// <summary>How long the copy of one partition takes: 10 MB at 50 MB/s.</summary>
    public static readonly TimeSpan CopyTime = TimeSpan.FromMilliseconds(200);

    private static readonly TimeSpan Slice = TimeSpan.FromMilliseconds(100);

    private readonly SimulatedCluster _cluster;
    private readonly SharedTables _tables;
    private readonly List<GrowthNode> _programs = [];
    private int _next;

    /// <summary>Makes a cluster; nothing has happened yet.</summary>
    /// <param name="seed">Decides everything that happens by chance.</param>
    /// <param name="nodeCount">The nodes that start at once.</param>
    /// <param name="spareCount">The machines that can join later.</param>
    /// <param name="partitionCount">The partitions.</param>
    /// <param name="isSameKernel">Whether nodes learn for certain that another one has ended.</param>
    public GrowthRun(ulong seed, int nodeCount, int spareCount, int partitionCount, bool isSameKernel = false)
    {
        SharedTables? tables = null;
        var times = new ProtocolTimes();
        _cluster = new SimulatedCluster(
            new SimulatedWorld(seed),
            new SimulationSettings
            {
                NodeCount = nodeCount,
                SpareCount = spareCount,
                PartitionCount = partitionCount,
                ClientCount = 0,
                RateSpread = 0,
                IsSameKernel = isSameKernel,
            },
            host => Create(host, tables!, times));
        tables = _tables = new SharedTables(() => _cluster.Store.Versions, _cluster.Store.Meta.ClusterId);
        _next = nodeCount;
    }

    /// <summary>The promises that were broken, and deltas that led to a wrong table.</summary>
    public IEnumerable<string> Problems =>
    [
        .. _cluster.World.Violations.Select(violation => violation.ToString()),
        .. _tables.WrongDeltas > 0 ? [$"{_tables.WrongDeltas} deltas led to another table"] : Array.Empty<string>(),
    ];

    private int AliveCount => _cluster.Nodes.Count(node => node.IsAlive);

    private ClusterTable Table => _cluster.Store.Current;

    /// <summary>Lets the nodes start and share the partitions, and then nothing happen.</summary>
    public GrowthMeasure Start() =>
        Measure("start", _cluster.Settings.NodeCount, 0, TimeSpan.FromMinutes(5), static () => { });

    /// <summary>Lets nothing happen for a while.</summary>
    public GrowthMeasure Rest(TimeSpan duration) => Measure("nothing", AliveCount, 0, duration, () => RunFor(duration));

    /// <summary>Adds nodes, all at once.</summary>
    public GrowthMeasure Join(int count)
    {
        var nodes = AliveCount;
        var ideal = 2.0 * Table.Partitions.Length * count / (nodes + count);
        return Measure($"{count} join", nodes, ideal, TimeSpan.FromMinutes(5), () => StartNodes(count));
    }

    /// <summary>Ends nodes without a word, all at once.</summary>
    public GrowthMeasure Lose(int percent) => Lose(percent, isRow: false);

    /// <summary>Ends nodes that are neighbours in the member list, as those of a rack that were started together.
    /// </summary>
    public GrowthMeasure LoseRow(int percent) => Lose(percent, isRow: true);

    private GrowthMeasure Lose(int percent, bool isRow)
    {
        var alive = _cluster.Nodes.Where(node => node.IsAlive).ToArray();
        var count = Math.Max(1, alive.Length * percent / 100);
        var random = _cluster.World.Random.Fork();
        var lost = alive.OrderBy(node => isRow ? SlotOf(node).Value : random.Next()).Take(count).ToArray();
        var ideal = lost.Sum(node => ReplicasOf(node));
        return Measure($"{percent} % lost", alive.Length, ideal, TimeSpan.FromMinutes(10), () =>
        {
            foreach (var node in lost)
                node.Crash();
        });
    }

    /// <summary>Replaces a part of the nodes by new ones, a few at a time.</summary>
    public GrowthMeasure Replace(int percent, int atOnce)
    {
        var old = _cluster.Nodes.Where(node => node.IsAlive).Take(AliveCount * percent / 100).ToArray();
        var ideal = old.Sum(node => ReplicasOf(node));
        return Measure($"{percent} % replaced", AliveCount, ideal, TimeSpan.FromMinutes(30), () =>
        {
            foreach (var wave in old.Chunk(atOnce))
            {
                StartNodes(wave.Length);
                foreach (var node in wave)
                    node.Drain();
                RunUntil(() => IsConverged() && wave.All(node => !node.IsAlive), TimeSpan.FromMinutes(5));
            }
        });
    }

    private GrowthNode Create(SimulatedHost host, SharedTables tables, ProtocolTimes times)
    {
        var node = new GrowthNode(host, tables, times, CopyTime);
        _programs.Add(node);
        return node;
    }

    private void StartNodes(int count)
    {
        foreach (var node in _cluster.Nodes.Skip(_next).Take(count))
            node.Start();
        _next += count;
    }

    private NodeSlot SlotOf(SimulatedNode node) => Table.FindMember(node.Node!.Value)!.Slot;

    private int ReplicasOf(SimulatedNode node)
    {
        var slot = SlotOf(node);
        return Table.Partitions.Count(entry => entry.InSync.Items.Contains(slot));
    }

    private GrowthMeasure Measure(string change, int nodes, double ideal, TimeSpan max, Action act)
    {
        var (began, version) = (_cluster.World.Now, Table.Version);
        var (conflicts, copies) = (_cluster.Store.Counts.Conflicts, _programs.Sum(program => program.Shard.CopyCount));
        var reads = _programs.Sum(program => program.WholeReads);
        foreach (var program in _programs)
            program.Traffic.Clear();
        act();
        RunUntil(IsConverged, max);
        var seconds = (_cluster.World.Now - began).TotalSeconds;
        var alive = _cluster.Nodes.Where(node => node.IsAlive).Select(node => (GrowthNode)node.Program!).ToArray();
        return new GrowthMeasure(change, nodes, Table.Partitions.Length)
        {
            Converged = _cluster.World.Now - began,
            Writes = Table.Version - version,
            Conflicts = _cluster.Store.Counts.Conflicts - conflicts,
            Copies = _programs.Sum(program => program.Shard.CopyCount) - copies,
            IdealCopies = ideal,
            Stranded = CountStranded(),
            WholeReads = _programs.Sum(program => program.WholeReads) - reads,
            BeaconRate = alive.Average(program => program.Traffic.Beacons) / seconds,
            ProposalRate = alive.Average(program => program.Traffic.Proposals) / seconds,
            MostPeerRate = alive.Max(program => program.Traffic.Total - program.Traffic.Store) / seconds,
            DeltaRate = alive.Average(program => program.Traffic.Deltas) / seconds,
            StoreRate = alive.Average(program => program.Traffic.Store) / seconds,
            MeanRate = alive.Average(program => program.Traffic.Total) / seconds,
            MostRate = alive.Max(program => program.Traffic.Total) / seconds,
            TableBytes = _tables.BytesOf(Table.Version),
        };
    }

    private void RunFor(TimeSpan duration)
    {
        var end = _cluster.World.Now + duration;
        while (_cluster.Step(end))
        {
        }
    }

    private void RunUntil(Func<bool> isOver, TimeSpan max)
    {
        var end = _cluster.World.Now + max;
        do
        {
            if (_cluster.World.Now >= end || _cluster.World.Violations.Count > 0)
            {
                _cluster.World.Violate("end", $"not converged after {max}: {Describe()}");
                return;
            }

            RunFor(Slice);
        }
        while (!isOver());
    }

    // Every partition has two copies on living nodes and no plan, every node has a share, and every node knows it.
    private bool IsConverged()
    {
        var table = Table;
        var slots = FindLiving();
        var areIn = _cluster.Nodes.All(
            node => !node.IsAlive || node.IsDraining
                || table.FindMember(node.Node!.Value) is { State: MemberState.Active });
        return areIn && _cluster.World.Now - _cluster.Store.Versions[^1].At >= TimeSpan.FromSeconds(3)
            && table.Partitions.All(entry => IsComplete(entry, slots) || IsStranded(entry, slots))
            && slots.IsSubsetOf(table.Partitions.SelectMany(entry => entry.InSync.Items))
            && !_cluster.Nodes.Any(node => IsBehind(node, table));
    }

    private static bool IsBehind(SimulatedNode node, ClusterTable table) =>
        node.IsAlive && ((GrowthNode)node.Program!).Version < table.Version;

    private static bool IsComplete(PartitionEntry entry, HashSet<NodeSlot> living) =>
        entry is { Joining: null, Next: null, Leaving: null, InSync.Count: 2 }
        && living.Contains(entry.InSync[0]) && living.Contains(entry.InSync[1]);

    // Both members have ended and nobody can prove it: the partition waits for an operator.
    private static bool IsStranded(PartitionEntry entry, HashSet<NodeSlot> living) =>
        entry.InSync.Count > 0 && !entry.InSync.Items.Any(living.Contains);

    private int CountStranded()
    {
        var living = FindLiving();
        return Table.Partitions.Count(entry => IsStranded(entry, living));
    }

    private HashSet<NodeSlot> FindLiving()
    {
        var living = _cluster.Nodes.Where(node => node.IsAlive).Select(node => node.Node!.Value).ToHashSet();
        return
        [
            .. Table.Members
                .Where(member => member.State == MemberState.Active && living.Contains(member.Node))
                .Select(member => member.Slot),
        ];
    }

    private string Describe()
    {
        var table = Table;
        return $"version {table.Version}, {table.Members.Length} members, {AliveCount} alive, "
            + $"{table.Partitions.Count(entry => entry.Primary is null)} without an owner, "
            + $"{table.Partitions.Count(entry => entry.InSync.Count < 2)} with one copy, "
            + $"{table.Partitions.Count(entry => entry.Joining is not null)} joining, "
            + $"{table.Partitions.Count(entry => entry.Next is not null)} to move, "
            + $"{table.Partitions.Count(entry => entry.Leaving is not null)} to leave, "
            + $"{_cluster.Nodes.Count(node => IsBehind(node, table))} behind";
    }
}
