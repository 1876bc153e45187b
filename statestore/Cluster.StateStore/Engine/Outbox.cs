using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Nodes;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Wire;

namespace Cluster.StateStore.Engine;

/// <summary>What one call of the core has caused, taken out under the engine's lock and done outside of it. Used by one
/// thread.</summary>
internal sealed class Outbox
{
    private readonly List<(NodeId To, byte[] Frame)> _beacons = [];
    private readonly List<(NodeId To, byte[] Frame)> _acknowledgements = [];
    private readonly List<(NodeId To, byte[] Frame)> _frames = [];
    private readonly List<(PendingWrite Write, WriteAnswer Answer)> _answers = [];
    private readonly List<(PartitionId Partition, long Records)> _losses = [];
    private readonly List<(PartitionId Partition, long Epoch)> _snapshots = [];
    private readonly List<(PartitionId Partition, long Epoch)> _restorations = [];
    private readonly List<(ClusterTable Successor, bool NeedsCoordinator)> _swaps = [];
    private readonly List<NodeId> _probes = [];
    private long _heardVersion;
    private bool _readsTable;
    private bool _isConsistent;
    private bool _holdsCoordinator;
    private bool _releasesCoordinator;

    /// <summary>Why the engine has stopped; null: it has not.</summary>
    public Exception? Failure { get; init; }

    /// <summary>Adds a frame, which is encoded at once: it may refer to the log. Called under the engine's
    /// lock.</summary>
    /// <param name="to">The receiver.</param>
    /// <param name="header">Between whom it travels.</param>
    /// <param name="frame">The frame.</param>
    /// <param name="layouts">The layout descriptions that go with it.</param>
    /// <param name="writer">Encodes it.</param>
    public void Add(
        NodeId to, FrameHeader header, object frame, ImmutableArray<LayoutsPart> layouts, FormatWriter writer)
    {
        writer.Clear();
        FrameCodec.Write(header, frame, writer);
        if (!layouts.IsEmpty)
        {
            var inner = writer.Written.ToArray();
            writer.Clear();
            FrameCodec.Write(header, new LayoutsFrame(layouts, inner), writer);
        }

        var frames = frame switch
        {
            Beacon => _beacons,
            BeaconAck => _acknowledgements,
            _ => _frames,
        };
        frames.Add((to, writer.Written.ToArray()));
    }

    /// <summary>Takes answers, losses and wanted snapshots of a shard. Called under the engine's lock.</summary>
    public void Take(Effects effects)
    {
        foreach (var (operation, answer) in effects.Completions)
            _answers.Add(((PendingWrite)operation, answer));
        foreach (var (partition, _, records) in effects.Losses)
            _losses.Add((partition, records));
        _snapshots.AddRange(effects.SnapshotsWanted);
        _restorations.AddRange(effects.Restorations);
    }

    /// <summary>Takes operations whose outcome nobody knows. Called under the engine's lock.</summary>
    public void TakeAsUnknown(IEnumerable<object> operations)
    {
        foreach (var operation in operations)
            _answers.Add(((PendingWrite)operation, new WriteAnswer(WriteOutcome.Unknown)));
    }

    /// <summary>Takes what the node wants of the store. Called under the engine's lock.</summary>
    public void Take(NodeEffects effects)
    {
        _swaps.AddRange(effects.Swaps);
        _probes.AddRange(effects.Probes);
        _heardVersion = effects.HeardVersion;
        _readsTable = effects.ReadsTable;
        _isConsistent = effects.IsConsistent;
        _holdsCoordinator = effects.HoldsCoordinator;
        _releasesCoordinator = effects.ReleasesCoordinator;
    }

    /// <summary>Does everything. Called outside the engine's lock.</summary>
    public void Flush(INodeEnvironment environment, EngineOptions options)
    {
        // Beacons go first: nothing else that is done here may delay them.
        foreach (var (to, frame) in _beacons)
            environment.SendBeacon(to, frame);
        foreach (var (to, frame) in _acknowledgements)
            environment.AnswerBeacon(to, frame);
        if (Failure is not null)
            options.Failed(Failure);
        foreach (var (to, frame) in _frames)
            environment.Send(to, frame);
        foreach (var (write, answer) in _answers)
            write.Answer(answer);
        foreach (var (partition, records) in _losses)
            options.Lost(partition, records);
        foreach (var (partition, epoch) in _snapshots)
            options.SnapshotWanted(partition, epoch);
        foreach (var (partition, epoch) in _restorations)
            options.RestorationWanted(partition, epoch);
        foreach (var (successor, needsCoordinator) in _swaps)
            environment.Swap(successor, needsCoordinator);
        foreach (var node in _probes)
            environment.Probe(node);
        if (_heardVersion > 0)
            environment.HearOfTable(_heardVersion);
        if (_readsTable)
            environment.ReadTable(_isConsistent);
        if (_holdsCoordinator)
            environment.HoldCoordinator();
        if (_releasesCoordinator)
            environment.ReleaseCoordinator();
    }
}
