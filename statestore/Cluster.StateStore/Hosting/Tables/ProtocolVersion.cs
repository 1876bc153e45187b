namespace Cluster.StateStore.Hosting.Tables;

/// <summary>The versions of the protocol between nodes. A node speaks all versions from the first one up to its own.
/// <c>docs/formats/state-protocol.md</c> says what each has.</summary>
internal static class ProtocolVersion
{
    /// <summary>The version of nodes that name none.</summary>
    public const int First = 1;

    /// <summary>Nodes tell each other, and callers tell nodes, the layouts of values.</summary>
    public const int WithLayouts = 2;

    /// <summary>The highest version that this library speaks.</summary>
    public const int Current = WithLayouts;

    /// <summary>The highest version that a message can name.</summary>
    public const int Max = 255;

    // A member names its version as the name of a service that nobody calls. Nodes that know no versions keep the names
    // of services in their tables, so they keep the version, too.
    private const string Mark = "Cluster.StateStore.Protocol/";

    /// <summary>The services of a member as messages and tables list them: with the version, if it is not the first
    /// one.</summary>
    public static EquatableArray<string> ListedServicesOf(ClusterMember member) => member.Protocol == First
        ? member.Services
        : new([.. member.Services.Items, Mark + member.Protocol.ToString(CultureInfo.InvariantCulture)]);

    /// <summary>The member whose services were listed so.</summary>
    public static ClusterMember Read(ClusterMember listed)
    {
        var services = listed.Services.Items;
        var mark = services.FirstOrDefault(static service => service.StartsWith(Mark, StringComparison.Ordinal));
        var isVersion = int.TryParse(
            mark?[Mark.Length..], NumberStyles.None, CultureInfo.InvariantCulture, out var version)
            && version is > First and <= Max;
        return isVersion
            ? listed with { Services = new(services.Remove(mark!)), Protocol = version }
            : listed;
    }
}
