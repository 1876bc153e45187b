using Cluster.Slim.Hosting;

namespace Cluster.StateStore.Hosting.Tables;

/// <summary>
/// Chooses the primary that each partition should have. Pure: the same table gives the same plan on every node.
/// <list type="number">
/// <item>A partition stays with its primary while that is active and holds no more than its share allows.</item>
/// <item>What an overfull member must give up is what it ranks lowest in rendezvous order for.</item>
/// <item>Every partition without a place goes to the first member in rendezvous order that has room.</item>
/// <item>Members below the least share receive from the fullest, so that a newcomer is never left idle.</item>
/// </list>
/// </summary>
public static class PartitionAssignment
{
    private const double ShareTolerance = 0.05;

    /// <summary>Plans the primaries.</summary>
    /// <param name="table">Who is active, and who owns what now.</param>
    /// <returns>One member per partition, or null for all of them when no member is active.</returns>
    public static ImmutableArray<NodeSlot?> PlanPrimaries(ClusterTable table)
    {
        ArgumentNullException.ThrowIfNull(table);
        var candidates = table.Members.Where(member => member.State == MemberState.Active).ToArray();
        if (candidates.Length == 0)
            return [.. new NodeSlot?[table.Partitions.Length]];
        var plan = new Plan(candidates, table.Partitions.Length);
        plan.KeepPresent(table.Partitions);
        plan.ReleaseAbove(MaxShare(table.Partitions.Length, candidates.Length));
        plan.PlaceHomeless(MaxShare(table.Partitions.Length, candidates.Length));
        plan.LevelUp(MinShare(table.Partitions.Length, candidates.Length));
        return plan.ToPrimaries();
    }

    /// <summary>The most partitions that a plan gives to one member.</summary>
    /// <param name="partitions">How many partitions there are.</param>
    /// <param name="members">How many members share them.</param>
    public static int MaxShare(int partitions, int members) =>
        (int)Math.Ceiling(partitions * (1 + ShareTolerance) / members);

    /// <summary>The fewest partitions that a plan gives to one member.</summary>
    /// <param name="partitions">How many partitions there are.</param>
    /// <param name="members">How many members share them.</param>
    public static int MinShare(int partitions, int members) =>
        (int)Math.Floor(partitions * (1 - ShareTolerance) / members);

    /// <summary>The rendezvous rank of a member for a partition. The rank depends on the member's name, not its
    /// incarnation: a restarted node ranks as before.</summary>
    private static ulong Score(ulong memberHash, int partition)
    {
        // The finalizer of SplitMix64: a bijection that spreads every input bit over the result.
        var mixed = memberHash + ((ulong)partition * 0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58_476D_1CE4_E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D0_49BB_1331_11EB;
        return mixed ^ (mixed >> 31);
    }

    private static ulong HashOf(ClusterMember member) => XxHash3.Hash(Encoding.UTF8.GetBytes(member.Node.Name));

    /// <summary>The assignment in the making: which member holds which partition. Used by one call of the
    /// planner.</summary>
    private sealed class Plan
    {
        private const int Nobody = -1;
        private readonly ClusterMember[] _candidates;
        private readonly ulong[] _hashes;
        private readonly int[] _holders;
        private readonly int[] _loads;

        public Plan(ClusterMember[] candidates, int partitionCount)
        {
            _candidates = candidates;
            _hashes = [.. candidates.Select(HashOf)];
            _holders = new int[partitionCount];
            _loads = new int[candidates.Length];
            Array.Fill(_holders, Nobody);
        }

        public void KeepPresent(ImmutableArray<PartitionEntry> entries)
        {
            var indexes = new Dictionary<NodeSlot, int>();
            for (var index = 0; index < _candidates.Length; index++)
                indexes[_candidates[index].Slot] = index;
            for (var partition = 0; partition < _holders.Length; partition++)
            {
                if (entries[partition].Primary is { } slot && indexes.TryGetValue(slot, out var holder))
                    Give(partition, holder);
            }
        }

        public void ReleaseAbove(int shareMax)
        {
            for (var member = 0; member < _loads.Length; member++)
            {
                var excess = _loads[member] - shareMax;
                if (excess <= 0)
                    continue;
                foreach (var partition in LeastWanted(member).Take(excess).ToArray())
                    Take(partition);
            }
        }

        public void PlaceHomeless(int shareMax)
        {
            for (var partition = 0; partition < _holders.Length; partition++)
            {
                if (_holders[partition] == Nobody)
                    Give(partition, FirstWithRoom(partition, shareMax));
            }
        }

        public void LevelUp(int shareMin)
        {
            for (var member = 0; member < _loads.Length; member++)
            {
                while (_loads[member] < shareMin)
                {
                    var fullest = Array.IndexOf(_loads, _loads.Max());
                    var wanted = Held(fullest).MaxBy(partition => Score(_hashes[member], partition));
                    Take(wanted);
                    Give(wanted, member);
                }
            }
        }

        public ImmutableArray<NodeSlot?> ToPrimaries() =>
            [.. _holders.Select(holder => (NodeSlot?)_candidates[holder].Slot)];

        private void Give(int partition, int member)
        {
            _holders[partition] = member;
            _loads[member]++;
        }

        private void Take(int partition)
        {
            _loads[_holders[partition]]--;
            _holders[partition] = Nobody;
        }

        private IEnumerable<int> Held(int member) =>
            Enumerable.Range(0, _holders.Length).Where(p => _holders[p] == member);

        private IEnumerable<int> LeastWanted(int member) =>
            Held(member).OrderBy(partition => Score(_hashes[member], partition));

        private int FirstWithRoom(int partition, int shareMax)
        {
            var (best, bestScore) = (Nobody, 0UL);
            for (var member = 0; member < _loads.Length; member++)
            {
                if (_loads[member] >= shareMax)
                    continue;
                var score = Score(_hashes[member], partition);
                if (best == Nobody || score > bestScore)
                    (best, bestScore) = (member, score);
            }

            return best;
        }
    }
}
