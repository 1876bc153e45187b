using Cluster.Contracts;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.Testing.Simulation.Core;

/// <summary>The mapped folder of one machine: records and marks, which stay when a program ends. A program can end
/// between any two writes of the folder: the last ones can be taken back. Used by one thread.</summary>
internal sealed class SimulatedFolder : IReplicaMarks
{
    private const int JournalMax = 64;

    private readonly Dictionary<PartitionId, BaseMark> _marks = [];
    private readonly List<Action> _journal = [];

    /// <summary>Makes an empty folder.</summary>
    /// <param name="partitionCount">The partitions.</param>
    public SimulatedFolder(int partitionCount) => Records = new SimulatedRecords(partitionCount, Add);

    /// <summary>The records.</summary>
    public SimulatedRecords Records { get; }

    /// <summary>How many writes can be taken back.</summary>
    public int WriteCount => _journal.Count;

    /// <inheritdoc />
    public BaseMark? Find(PartitionId partition) =>
        _marks.TryGetValue(partition, out var mark) ? mark : null;

    /// <inheritdoc />
    public void Set(PartitionId partition, BaseMark mark)
    {
        var old = Find(partition);
        _marks[partition] = mark;
        Add(() => Put(partition, old));
    }

    /// <inheritdoc />
    public void Clear(PartitionId partition)
    {
        if (!_marks.Remove(partition, out var old))
            return;
        Add(() => Put(partition, old));
    }

    /// <summary>Takes the last write back, as if the program had ended before it.</summary>
    public void TakeBack()
    {
        var undo = _journal[^1];
        _journal.RemoveAt(_journal.Count - 1);

        // What takes a write back is none itself.
        undo();
    }

    /// <summary>Forgets how to take writes back, because another program begins.</summary>
    public void Seal() => _journal.Clear();

    private void Put(PartitionId partition, BaseMark? mark)
    {
        if (mark is { } known)
            _marks[partition] = known;
        else
            _marks.Remove(partition);
    }

    private void Add(Action undo)
    {
        if (_journal.Count == JournalMax)
            _journal.RemoveAt(0);
        _journal.Add(undo);
    }
}
