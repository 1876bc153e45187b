using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting.Formats;

/// <summary>The bytes of a member list, as <c>docs/formats/cluster-table.md</c> describes them. Stateless.</summary>
internal static class MemberFormat
{
    private const int ServicesMax = 4_096;

    // Members mostly offer the same services, so names are written once and members refer to them.
    public static void Write(FormatWriter output, ImmutableArray<ClusterMember> members, int format)
    {
        var offers = members.Select(ProtocolVersion.ListedServicesOf).ToArray();
        var services = offers.SelectMany(offered => offered).Distinct().Order(StringComparer.Ordinal).ToArray();
        output.Varint((uint)services.Length);
        foreach (var service in services)
            output.Text(service);
        output.Varint((uint)members.Length);
        foreach (var (member, offered) in members.Zip(offers))
        {
            output.UInt16(member.Slot.Value);
            output.Byte((byte)member.State);
            output.Guid(member.Node.Incarnation);
            output.Text(member.Node.Name);
            output.Text(member.Address);
            output.Text(member.LivenessAddress);
            if (format >= ClusterTableCodec.FormatVersionWithPeerAddresses)
                output.Text(member.PeerAddress ?? "");
            if (format >= ClusterTableCodec.FormatVersionWithSets)
                output.Byte(member.WantedBits);
            output.Varint((uint)offered.Count);
            foreach (var service in offered)
                output.Varint((uint)Array.BinarySearch(services, service, StringComparer.Ordinal));
        }
    }

    public static ImmutableArray<ClusterMember> Read(ref FormatReader input, int format)
    {
        var services = new string[input.Count(ServicesMax, "services")];
        for (var index = 0; index < services.Length; index++)
            services[index] = input.Text(ClusterTableCodec.MaxTextBytes);
        var members = new ClusterMember[input.Count(ClusterTable.MaxMembers, "members")];
        for (var index = 0; index < members.Length; index++)
            members[index] = ReadMember(ref input, services, format);
        return [.. members];
    }

    private static ClusterMember ReadMember(ref FormatReader input, string[] services, int format)
    {
        var slot = new NodeSlot(input.UInt16());
        var state = (MemberState)input.Byte();
        if (state > MemberState.Gone)
            throw input.Malformed($"member state {(int)state} is unknown");
        var incarnation = input.Guid();
        var node = new NodeId(input.Text(ClusterTableCodec.MaxTextBytes), incarnation);
        var address = input.Text(ClusterTableCodec.MaxTextBytes);
        var life = input.Text(ClusterTableCodec.MaxTextBytes);
        var peers = format >= ClusterTableCodec.FormatVersionWithPeerAddresses
            ? input.Text(ClusterTableCodec.MaxTextBytes)
            : "";
        var wanted = format >= ClusterTableCodec.FormatVersionWithSets ? input.Byte() : (byte)0;
        var offered = new string[input.Count(services.Length, "services of a member")];
        for (var index = 0; index < offered.Length; index++)
            offered[index] = services[input.Count(services.Length - 1, "as a service's index")];
        return ProtocolVersion.Read(
            new ClusterMember(slot, node, address, life, new EquatableArray<string>([.. offered]), state)
            {
                PeerAddress = peers.Length == 0 ? null : peers,
                WantedBits = wanted,
            });
    }
}
