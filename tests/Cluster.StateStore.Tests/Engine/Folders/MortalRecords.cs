using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Tests.Engine.Folders;

/// <summary>Records and marks that outlive the process, which ends before one of their changes.</summary>
/// <param name="records">The records.</param>
/// <param name="marks">The marks.</param>
/// <param name="changes">How many changes the process makes.</param>
internal sealed class MortalRecords(IRecords records, IReplicaMarks marks, int changes) : IRecords, IReplicaMarks
{
    private int _left = changes;

    public bool TryPeek(PartitionId partition, in StateKey key, out RecordPeek record) =>
        records.TryPeek(partition, key, out record);

    public bool TryFind(PartitionId partition, in StateKey key, out RecordImage record) =>
        records.TryFind(partition, key, out record);

    public bool HasRoom(PartitionId partition, int bytes) => records.HasRoom(partition, bytes);

    public bool Apply(PartitionId partition, in LogEntry entry, bool keepsTombstone)
    {
        Change();
        return records.Apply(partition, entry, keepsTombstone);
    }

    public bool Load(PartitionId partition, in RecordImage record)
    {
        Change();
        return records.Load(partition, record);
    }

    public bool Scan(PartitionId partition, ScanCursor cursor, int bytesMax, List<RecordImage> into) =>
        records.Scan(partition, cursor, bytesMax, into);

    public void FindExpired(PartitionId partition, long time, int countMax, List<RecordImage> into) =>
        records.FindExpired(partition, time, countMax, into);

    public bool Recount(PartitionId partition) => records.Recount(partition);

    public void ForgetTombstones(PartitionId partition)
    {
        Change();
        records.ForgetTombstones(partition);
    }

    // One record at a time, so that the process can end between two of them.
    public bool DropSlice(PartitionId partition, int countMax)
    {
        while (countMax-- > 0)
        {
            Change();
            if (records.DropSlice(partition, countMax: 1))
                return true;
        }

        return false;
    }

    public PartitionSums SumsOf(PartitionId partition) => records.SumsOf(partition);

    public BaseMark? Find(PartitionId partition) => marks.Find(partition);

    public void Set(PartitionId partition, BaseMark mark)
    {
        Change();
        marks.Set(partition, mark);
    }

    public void Clear(PartitionId partition)
    {
        Change();
        marks.Clear(partition);
    }

    private void Change()
    {
        if (_left-- <= 0)
            throw new ProcessEndedException();
    }
}
