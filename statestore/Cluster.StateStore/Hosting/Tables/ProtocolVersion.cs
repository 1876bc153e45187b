namespace Cluster.StateStore.Hosting.Tables;

/// <summary>The versions of the protocol between nodes. A node speaks all versions from the first one up to its own.
/// <c>docs/formats/state-protocol.md</c> says what each has.</summary>
internal static class ProtocolVersion
{
    /// <summary>The version of nodes that name none.</summary>
    public const int First = 1;

    /// <summary>Nodes tell each other, and callers tell nodes, the layouts of values.</summary>
    public const int WithLayouts = 2;

    /// <summary>Nodes tell the coordinator which lost partitions they can restore from snapshots.</summary>
    public const int WithSnapshots = 3;

    /// <summary>A target of a copy tells what an earlier life of its node has left, and may get the difference alone.
    /// </summary>
    public const int WithBases = 4;

    /// <summary>Nodes give changes of the table as <c>PackedDelta</c> packs them, too.</summary>
    public const int WithPackedDeltas = 5;

    /// <summary>The highest version that this library speaks.</summary>
    public const int Current = WithPackedDeltas;

    /// <summary>The highest version that a message can name.</summary>
    public const int Max = 255;

    // A member names its version as the name of a service that nobody calls. Nodes that know no versions keep the names
    // of services in their tables, so they keep the version, too.
    private const string Mark = "Cluster.StateStore.Protocol/";

    // In the same way, a member says that it keeps snapshots.
    private const string SnapshotsMark = "Cluster.StateStore.Snapshots";

    /// <summary>The services of a member as messages and tables list them: with the version, if it is not the first
    /// one, and with the mark of snapshots, if it keeps some.</summary>
    public static EquatableArray<string> ListedServicesOf(ClusterMember member)
    {
        if (member is { Protocol: First, KeepsSnapshots: false })
            return member.Services;
        var listed = member.Services.Items.ToBuilder();
        if (member.Protocol != First)
            listed.Add(Mark + member.Protocol.ToString(CultureInfo.InvariantCulture));
        if (member.KeepsSnapshots)
            listed.Add(SnapshotsMark);
        return new(listed.DrainToImmutable());
    }

    /// <summary>The member whose services were listed so.</summary>
    public static ClusterMember Read(ClusterMember listed)
    {
        var services = listed.Services.Items;
        if (services.Contains(SnapshotsMark))
        {
            services = services.Remove(SnapshotsMark);
            listed = listed with { Services = new(services), KeepsSnapshots = true };
        }

        var mark = services.FirstOrDefault(static service => service.StartsWith(Mark, StringComparison.Ordinal));
        var isVersion = int.TryParse(
            mark?[Mark.Length..], NumberStyles.None, CultureInfo.InvariantCulture, out var version)
            && version is > First and <= Max;
        return isVersion
            ? listed with { Services = new(services.Remove(mark!)), Protocol = version }
            : listed;
    }
}
