using Cluster.Contracts;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Restoring;
using Cluster.StateStore.Protocol.Shards;
using Cluster.StateStore.Protocol.Storage;
using Cluster.Testing.Simulation.Nodes;

namespace Cluster.Testing.Simulation.Core;

/// <summary>Saves snapshots of the partitions of one life to the disk of its machine, and loads them, a few records at
/// a time. Used by one thread.</summary>
/// <param name="host">The machine.</param>
/// <param name="disks">The disks of the run.</param>
/// <param name="shardOf">Finds the shard of a partition.</param>
internal sealed class CoreSnapshots(
    SimulatedHost host, SimulatedDisks disks, Func<PartitionId, ReplicaShard> shardOf)
{
    private const int ScanBytes = 40;
    private const int RecordsPerStep = 2;
    private const int BeginChance = 50_000;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(5);

    private readonly Queue<(PartitionId Partition, long Epoch)> _questions = new();
    private readonly Queue<(PartitionId Partition, long Epoch)> _loads = new();
    private readonly List<RecordImage> _saved = [];
    private (PartitionId Partition, SnapshotScan Scan)? _saving;
    private int _loaded;

    /// <summary>When the next step is due, in units of the host's clock.</summary>
    public long NextDeadline =>
        _saving is null && _questions.Count + _loads.Count == 0 ? long.MaxValue : host.Now + Pause.Ticks;

    /// <summary>Takes what a shard wants to know and to load.</summary>
    public void Take(StateStore.Protocol.Replicas.Effects effects)
    {
        foreach (var wanted in effects.SnapshotsWanted)
            _questions.Enqueue(wanted);
        foreach (var restoration in effects.Restorations)
            _loads.Enqueue(restoration);
    }

    /// <summary>Goes on with what is under way, and sometimes begins to save a partition.</summary>
    public void Step(Moment now)
    {
        if (_questions.TryDequeue(out var question))
        {
            var mark = disks[host.Node.Name, question.Partition]?.Mark.First ?? default;
            shardOf(question.Partition).SnapshotFound(question.Partition, question.Epoch, mark);
        }

        if (_loads.TryPeek(out var load))
            Load(load.Partition, load.Epoch, now);
        if (_saving is { } saving)
            Save(saving.Partition, saving.Scan, now);
        else if (host.Random.Chance(BeginChance))
            Begin(new PartitionId(host.Random.Next(host.Meta.PartitionCount)));
    }

    private void Begin(PartitionId partition)
    {
        _saved.Clear();
        if (shardOf(partition).BeginSnapshot(partition) is { } scan)
            _saving = (partition, scan);
    }

    private void Save(PartitionId partition, SnapshotScan scan, Moment now)
    {
        if (!scan.IsValid)
        {
            _saving = null;
            return;
        }

        if (scan.Next(ScanBytes, _saved))
            return;
        var mark = scan.End(now, out var requests);
        disks[host.Node.Name, partition] = new SimulatedSnapshot(mark, new SnapshotContent([.. _saved], requests));
        _saving = null;
    }

    private void Load(PartitionId partition, long epoch, Moment now)
    {
        var snapshot = disks[host.Node.Name, partition]!;
        var records = snapshot.Content.Records;
        var part = new SnapshotContent([.. records.Skip(_loaded).Take(RecordsPerStep)], []);
        _loaded += RecordsPerStep;
        var shard = shardOf(partition);
        var goesOn = _loaded < records.Length;
        if (!goesOn)
            part = part with { Requests = snapshot.Content.Requests };
        if (shard.Load(partition, epoch, part) && goesOn)
            return;
        _loads.Dequeue();
        _loaded = 0;
        if (goesOn || !shard.EndLoad(partition, epoch, snapshot.Mark, now))
            return;
        var count = shard.SumsOf(partition).Count;
        if (count != records.Length)
            host.Violate("I19", $"{count} of {records.Length} records of partition {partition} are restored");
    }
}
