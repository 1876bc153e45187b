using Cluster.Contracts;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing.Simulation.Clients;
using Cluster.Testing.Simulation.Network;
using Cluster.Testing.Simulation.Nodes;
using Cluster.Testing.Simulation.Stores;

namespace Cluster.ConventionTests.TestKit.Simulation;

/// <summary>A single-copy store for tests of the simulator. The node with the number partition modulo nodes owns a
/// partition for ever and writes to a disk that outlives its crashes. The table serves only to use the simulated store:
/// nodes enter it as members, and the coordinator assigns partitions once.</summary>
internal sealed class ToyNode(SimulatedHost host, Dictionary<string, ToyDisk> disks, ToyVariant variant)
    : INodeProgram, INodeReport
{
    private static readonly long TickTime = TimeSpan.FromMilliseconds(500).Ticks;
    private static readonly long WriteTime = TimeSpan.FromMilliseconds(5).Ticks;

    private readonly Dictionary<string, ToyEntry> _copies = new(StringComparer.Ordinal);
    private ToyDisk _disk = new();
    private ClusterTable? _table;
    private Guid _proposal;
    private bool _isCoordinator;
    private bool _isRushing;

    public long NextDeadline { get; private set; } = long.MaxValue;

    public Guid AppliedClusterId { get; private set; }

    public long AppliedVersion => _table?.Version ?? 0;

    public void Start()
    {
        _disk = disks.TryGetValue(host.Node.Name, out var disk) ? disk : disks[host.Node.Name] = new ToyDisk();
        _disk.LifeCount++;
        if (variant == ToyVariant.LosesAcknowledgedWrites)
            _disk = _disk.Clone();
        Tick();
    }

    public void Tick()
    {
        NextDeadline = host.Now + (_isRushing ? WriteTime : TickTime);
        if (variant == ToyVariant.LosesAcknowledgedWrites)
            disks[host.Node.Name] = _disk.Clone();
        host.Beat();
        host.HoldCoordinator();
        host.ReadTable(isConsistent: _proposal != default);
        for (var other = 0; other < host.Settings.NodeCount; other++)
        {
            if (other != host.Endpoint)
                host.Send(other, 0, new Dictionary<string, ToyEntry>(_disk.Entries, StringComparer.Ordinal));
        }
    }

    public void Receive(in SimulatedMessage message)
    {
        foreach (var (key, entry) in (Dictionary<string, ToyEntry>)message.Content!)
            _copies[key] = entry;
    }

    public void Requested(int client, ClientRequest request)
    {
        if (variant == ToyVariant.IsSilentAfterARestart && _disk.LifeCount > 1)
            return;
        var owner = request.Key.Partition % host.Settings.NodeCount;
        if (owner != host.Endpoint)
        {
            AnswerAsStranger(client, request, owner);
            return;
        }

        var mayRepeat = variant != ToyVariant.ExecutesRetries;
        if (mayRepeat && _disk.Replies.TryGetValue((request.Client, request.Sequence), out var known))
            host.Reply(client, known);
        else
            host.Reply(client, _disk.Execute(request, host.Now));
    }

    public void TableRead(TableReading reading)
    {
        if (reading.Table is not { } table)
            return;
        var isOwn = reading.ClusterId == host.Meta.ClusterId || variant == ToyVariant.AppliesForeignTables;
        var isNewer = table.Version > AppliedVersion || variant == ToyVariant.GoesBackToOldTables;
        if (!isOwn || (!isNewer && _proposal == default))
            return;
        if (isNewer)
        {
            _table = table;
            AppliedClusterId = reading.ClusterId;
        }

        // A newer version tells what became of the last proposal. Without one it is made again: the store does at most
        // one of two proposals of the same version.
        if (isNewer || reading.IsConsistent)
            Propose(_table!);
    }

    public void TableChanged(long version)
    {
        if (version > AppliedVersion)
            host.ReadTable(isConsistent: false);
    }

    public void SwapEnded(Guid nonce, StoreSwapOutcome outcome)
    {
        if (outcome == StoreSwapOutcome.Conflict && nonce == _proposal)
            _proposal = default;
    }

    public void CoordinatorAnswered(CoordinatorAnswer answer)
    {
        _isCoordinator = answer.IsAnswered && answer.Holder == host.Node;
        _isRushing = _isCoordinator && variant == ToyVariant.WritesWithoutEnd;
    }

    public void DeathProven(NodeId node) => host.Trace(() => $"knows that {node} is dead");

    public void DrainAsked()
    {
        if (variant == ToyVariant.NeverLeaves)
            return;
        host.ReleaseCoordinator();
        host.Exit();
    }

    public ulong? DigestOf(PartitionId partition) => (ulong)_disk.Version;

    private void AnswerAsStranger(int client, ClientRequest request, int owner)
    {
        if (variant == ToyVariant.AnswersStaleReads
            && request.Action == ClientAction.Get
            && _copies.TryGetValue(request.Key.Name, out var copy))
        {
            host.Reply(client, ToyDisk.ReplyTo(request, true, copy));
            return;
        }

        host.Reply(client, ClientReply.To(request, ClientReplyStatus.Moved) with { Owner = owner });
    }

    private void Propose(ClusterTable table)
    {
        _proposal = default;
        var nonce = host.Random.NextGuid();
        var next = table.StartSuccessor(nonce);
        var member = table.FindMember(host.Node);
        if (member is null)
            next = next.WithMember(NewMember(table));
        else if (_isCoordinator && member.State == MemberState.Active && !IsAssigned(table))
            next = Assign(next, member.Slot);
        else if (!_isRushing)
            return;
        _proposal = nonce;
        host.Swap(next, needsCoordinator: member is not null);
    }

    private ClusterMember NewMember(ClusterTable table) => new(
        table.FindFreeSlot(), host.Node, host.Address, host.Address, default, MemberState.Active);

    private static bool IsAssigned(ClusterTable table) => table.Partitions.All(entry => entry.Primary is not null);

    private static ClusterTable Assign(ClusterTable table, NodeSlot primary)
    {
        for (var index = 0; index < table.Partitions.Length; index++)
        {
            if (table.Partitions[index] is { Primary: null } entry)
                table = table.WithPartition(new PartitionId(index), entry.AssignFirst(primary));
        }

        return table;
    }
}
