using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Nodes;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Wire;

namespace Cluster.StateStore.Engine;

/// <summary>What one call of the core has caused, taken out under the engine's lock and done outside of it. Used by one
/// thread.</summary>
/// <param name="writer">Encodes frames; used under the engine's lock.</param>
/// <param name="headerTo">Makes the header of a frame to a node.</param>
internal sealed class Outbox(FormatWriter writer, Func<NodeId, FrameHeader> headerTo)
{
    private readonly List<(NodeId To, ReadOnlyMemory<byte> Frame)> _frames = [];
    private readonly List<(PendingWrite Write, WriteAnswer Answer)> _answers = [];
    private readonly List<(PartitionId Partition, int LossCount, long Records)> _losses = [];
    private readonly List<(ClusterTable Successor, bool NeedsCoordinator)> _swaps = [];
    private readonly List<NodeId> _probes = [];
    private bool _readsTable;
    private bool _isConsistent;
    private bool _holdsCoordinator;
    private bool _releasesCoordinator;
    private bool _hasLeft;

    /// <summary>Takes the effects of a shard. Called under the engine's lock, because frames refer to the
    /// log.</summary>
    public void Take(Effects effects, Func<NodeSlot, NodeId?> nodeOf)
    {
        foreach (var (to, frame) in effects.Messages)
        {
            if (nodeOf(to) is { } node)
                Add(node, frame);
        }

        foreach (var (operation, answer) in effects.Completions)
            _answers.Add(((PendingWrite)operation, answer));
        _losses.AddRange(effects.Losses);
        effects.Clear();
    }

    /// <summary>Takes the effects of the node.</summary>
    public void Take(NodeEffects effects)
    {
        foreach (var (to, frame) in effects.Messages)
            Add(to, frame);
        _swaps.AddRange(effects.Swaps);
        _probes.AddRange(effects.Probes);
        _readsTable |= effects.ReadsTable;
        _isConsistent |= effects.IsConsistent;
        _holdsCoordinator |= effects.HoldsCoordinator;
        _releasesCoordinator |= effects.ReleasesCoordinator;
        _hasLeft |= effects.Exits;
        effects.Clear();
    }

    /// <summary>Does everything. Called outside the engine's lock.</summary>
    public void Flush(IEngineWorld world)
    {
        foreach (var (to, frame) in _frames)
            world.Send(to, frame);
        foreach (var (write, answer) in _answers)
            write.TrySetResult(answer);
        foreach (var (partition, lossCount, records) in _losses)
            world.Lost(partition, lossCount, records);
        foreach (var (successor, needsCoordinator) in _swaps)
            world.Swap(successor, needsCoordinator);
        foreach (var node in _probes)
            world.Probe(node);
        if (_readsTable)
            world.ReadTable(_isConsistent);
        if (_holdsCoordinator)
            world.HoldCoordinator();
        if (_releasesCoordinator)
            world.ReleaseCoordinator();
        if (_hasLeft)
            world.Left();
    }

    private void Add(NodeId to, object frame)
    {
        writer.Clear();
        FrameCodec.Write(headerTo(to), frame, writer);
        _frames.Add((to, writer.Written.ToArray()));
    }
}
