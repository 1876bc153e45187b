using System.Collections.Immutable;

namespace Cluster.StateStore.Partitions;

/// <summary>A plan in the making: who holds which partition so far. Made and used by one call of the planner.</summary>
internal sealed class AssignmentPlan
{
    private const int Nobody = -1;
    private readonly ClusterMember[] _candidates;
    private readonly ulong[] _hashes;
    private readonly int[] _holders;
    private readonly int[] _loads;

    public AssignmentPlan(ClusterMember[] candidates, int partitionCount)
    {
        _candidates = candidates;
        _hashes = [.. candidates.Select(PartitionAssignment.HashOf)];
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
                var wanted = Held(fullest).MaxBy(partition => PartitionAssignment.Score(_hashes[member], partition));
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

    private IEnumerable<int> Held(int member) => Enumerable.Range(0, _holders.Length).Where(p => _holders[p] == member);

    private IEnumerable<int> LeastWanted(int member) =>
        Held(member).OrderBy(partition => PartitionAssignment.Score(_hashes[member], partition));

    private int FirstWithRoom(int partition, int shareMax)
    {
        var (best, bestScore) = (Nobody, 0UL);
        for (var member = 0; member < _loads.Length; member++)
        {
            if (_loads[member] >= shareMax)
                continue;
            var score = PartitionAssignment.Score(_hashes[member], partition);
            if (best == Nobody || score > bestScore)
                (best, bestScore) = (member, score);
        }

        return best;
    }
}
