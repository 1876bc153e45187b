using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Messages;

/// <summary>The owner named by a <see cref="MovedPartition"/>: enough to reach it before the next table
/// arrives.</summary>
public sealed class MovedOwner
{
    /// <summary>Its slot.</summary>
    public ushort Slot { get; init; }

    /// <summary>Its configured name.</summary>
    public string Name { get; init; } = "";

    /// <summary>Its incarnation.</summary>
    public Guid Incarnation { get; init; }

    /// <summary>Where its services listen.</summary>
    public string Address { get; init; } = "";

    /// <summary>Its liveness endpoint.</summary>
    public string LifeAddress { get; init; } = "";

    /// <summary>Where it listens for other nodes alone, or null.</summary>
    public string? PeerAddress { get; init; }

    internal static MovedOwner From(ClusterMember member) => new()
    {
        Slot = member.Slot.Value,
        Name = member.Node.Name,
        Incarnation = member.Node.Incarnation,
        Address = member.Address,
        LifeAddress = member.LivenessAddress,
        PeerAddress = member.PeerAddress,
    };

    internal ClusterMember ToMember() => new(
        new NodeSlot(Slot), new NodeId(Name, Incarnation), Address, LifeAddress, default, MemberState.Active)
    {
        PeerAddress = PeerAddress,
    };
}
