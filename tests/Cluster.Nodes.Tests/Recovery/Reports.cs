using Cluster.Nodes.Recovery;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Tests.Recovery;

/// <summary>Makes reports of members. Stateless.</summary>
internal static class Reports
{
    public static readonly Guid ClusterId = new("5b0f6f6e-3a64-4a17-a1fd-61a1d20f6b3e");

    /// <summary>A member that agrees that the store was emptied.</summary>
    public static MemberReport Agrees(ClusterMember member, long version) =>
        new(member.Node, false, Told(member, version));

    public static MemberReport Silent(ClusterMember member) => new(member.Node, false, null);

    public static MemberReport Dead(ClusterMember member) => new(member.Node, true, null);

    public static TableReport Told(
        ClusterMember member, long version, bool findsStoreEmptied = true, Guid? clusterId = null) => new()
        {
            Incarnation = member.Node.Incarnation,
            ClusterId = clusterId ?? ClusterId,
            TableVersion = version,
            FindsStoreEmptied = findsStoreEmptied,
        };
}
