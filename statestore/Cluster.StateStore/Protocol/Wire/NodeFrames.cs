using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Frames;

namespace Cluster.StateStore.Protocol.Wire;

/// <summary>The bytes of beacons, proposals and questions for membership. Stateless.</summary>
internal static class NodeFrames
{
    private const byte IsCoordinatorFlag = 1;
    private const byte HasPeerAddressFlag = 1;
    private const int SlotBytes = 2;
    private const int StateBytes = 5;
    private const int WishBytesMin = 5;

    public static void Write(object frame, FormatWriter to)
    {
        switch (frame)
        {
            case Beacon beacon:
                to.UInt64((ulong)beacon.SentAt);
                to.Varint((ulong)beacon.TableVersion);
                to.Byte(beacon.IsCoordinator ? IsCoordinatorFlag : (byte)0);
                to.Varint((uint)beacon.Silent.Length);
                foreach (var slot in beacon.Silent)
                    to.UInt16(slot.Value);
                break;
            case BeaconAck ack:
                to.UInt64((ulong)ack.SentAt);
                to.Varint((ulong)ack.TableVersion);
                to.Varint((uint)ack.Excluded.Length);
                foreach (var partition in ack.Excluded)
                    to.Varint((uint)partition.Value);
                break;
            case TableHint hint:
                to.Varint((ulong)hint.Version);
                break;
            case Proposal proposal:
                Write(proposal, to);
                break;
            case MemberAsk ask:
                Write(ask, to);
                break;
            case DeathReport report:
                Write(report.Node, to);
                to.Text(report.Proof);
                break;
        }
    }

    public static object Read(FrameKind kind, ref FrameReader input) => kind switch
    {
        FrameKind.Beacon => ReadBeacon(ref input),
        FrameKind.BeaconAck => ReadBeaconAck(ref input),
        FrameKind.TableHint => new TableHint(input.Int64()),
        FrameKind.Proposal => ReadProposal(ref input),
        FrameKind.MemberAsk => new MemberAsk(ReadMember(ref input)) { States = ReadStates(ref input) },
        FrameKind.DeathReport => new DeathReport(ReadNode(ref input), input.Text()),
        _ => throw input.Malformed($"frame kind {(byte)kind}"),
    };

    private static void Write(Proposal proposal, FormatWriter to)
    {
        to.Varint((ulong)proposal.Version);
        to.Varint((uint)proposal.Wishes.Length);
        foreach (var wish in proposal.Wishes)
        {
            to.Varint((uint)wish.Partition.Value);
            to.Byte((byte)wish.Change);
            to.UInt16(wish.Member.Value);
            to.Varint((ulong)wish.Epoch);
            if (wish.Change == PartitionChange.DeclareLost)
                to.UInt64(wish.Mark.Value);
        }
    }

    private static void Write(MemberAsk ask, FormatWriter to)
    {
        Write(ask.Member, to);
        to.Varint((uint)ask.States.Count);
        foreach (var (state, backups) in ask.States.Items)
        {
            to.UInt32(state);
            to.Byte(backups);
        }
    }

    private static EquatableArray<StatePlacement> ReadStates(ref FrameReader input)
    {
        var count = input.Count(StateBytes);
        var states = ImmutableArray.CreateBuilder<StatePlacement>(count);
        for (var index = 0; index < count; index++)
        {
            states.Add(new StatePlacement(input.UInt32(), input.Byte()));
            if (states[index].Backups >= PartitionEntry.MaxInSync)
                throw input.Malformed($"a state with {states[index].Backups} backups");
        }

        return new EquatableArray<StatePlacement>(states.MoveToImmutable());
    }

    private static void Write(ClusterMember member, FormatWriter to)
    {
        to.UInt16(member.Slot.Value);
        Write(member.Node, to);
        to.Byte((byte)member.State);
        to.Text(member.Address);
        to.Text(member.LivenessAddress);
        to.Byte(member.PeerAddress is null ? (byte)0 : HasPeerAddressFlag);
        if (member.PeerAddress is not null)
            to.Text(member.PeerAddress);
        to.Byte(member.WantedBits);
        var services = ProtocolVersion.ListedServicesOf(member);
        to.Varint((uint)services.Count);
        foreach (var service in services.Items)
            to.Text(service);
    }

    private static void Write(NodeId node, FormatWriter to)
    {
        to.Text(node.Name);
        to.Guid(node.Incarnation);
    }

    private static Beacon ReadBeacon(ref FrameReader input)
    {
        var (sentAt, version) = (input.Clock(), input.Int64());
        var isCoordinator = input.Flags(IsCoordinatorFlag) != 0;
        var count = input.Count(SlotBytes);
        var silent = ImmutableArray.CreateBuilder<NodeSlot>(count);
        for (var index = 0; index < count; index++)
            silent.Add(input.Slot());
        return new Beacon(sentAt, version, silent.MoveToImmutable()) { IsCoordinator = isCoordinator };
    }

    private static BeaconAck ReadBeaconAck(ref FrameReader input)
    {
        var (sentAt, version) = (input.Clock(), input.Int64());
        var count = input.Count(itemBytesMin: 1);
        var excluded = ImmutableArray.CreateBuilder<PartitionId>(count);
        for (var index = 0; index < count; index++)
            excluded.Add(input.Partition());
        return new BeaconAck(sentAt, version, excluded.MoveToImmutable());
    }

    private static Proposal ReadProposal(ref FrameReader input)
    {
        var version = input.Int64();
        var count = input.Count(WishBytesMin);
        var wishes = ImmutableArray.CreateBuilder<Wish>(count);
        for (var index = 0; index < count; index++)
        {
            var (partition, change) = (input.Partition(), (PartitionChange)input.Byte());
            if (!Enum.IsDefined(change))
                throw input.Malformed($"change {(int)change}");
            var wish = new Wish(partition, change, input.Slot(), input.Epoch());
            wishes.Add(change == PartitionChange.DeclareLost ? wish with { Mark = input.Entry() } : wish);
        }

        return new Proposal(version, wishes.MoveToImmutable());
    }

    private static ClusterMember ReadMember(ref FrameReader input)
    {
        var (slot, node, state) = (input.Slot(), ReadNode(ref input), (MemberState)input.Byte());
        if (!Enum.IsDefined(state))
            throw input.Malformed($"member state {(int)state}");
        var (address, liveness) = (input.Text(), input.Text());
        var peer = input.Flags(HasPeerAddressFlag) != 0 ? input.Text() : null;
        var wanted = input.Byte();
        var count = input.Count(itemBytesMin: 1);
        var services = ImmutableArray.CreateBuilder<string>(count);
        for (var index = 0; index < count; index++)
            services.Add(input.Text());
        return ProtocolVersion.Read(
            new ClusterMember(slot, node, address, liveness, new(services.MoveToImmutable()), state)
            {
                PeerAddress = peer,
                WantedBits = wanted,
            });
    }

    private static NodeId ReadNode(ref FrameReader input)
    {
        var (name, incarnation) = (input.Text(), input.Guid());
        return name.Length > 0 ? new NodeId(name, incarnation) : throw input.Malformed("a node without a name");
    }
}
