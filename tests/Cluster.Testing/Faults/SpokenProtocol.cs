using Cluster.Nodes.Members;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Testing.Faults;

/// <summary>Makes a node speak an earlier version of the protocol between nodes. Stateless.</summary>
public static class SpokenProtocol
{
    /// <summary>Sets the protocol of a host.</summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="version">The highest version that the node speaks; null: the newest one.</param>
    /// <param name="raiseAfter">How long all nodes must speak a version before nodes without it are refused; null: as
    /// long as the library says.</param>
    public static void Set(IServiceCollection services, int? version, TimeSpan? raiseAfter)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.AddSingleton(new NodeProtocol(version, raiseAfter));
    }

    /// <summary>The highest version that a member speaks.</summary>
    /// <param name="member">The member.</param>
    public static int Of(ClusterMember member)
    {
        ArgumentNullException.ThrowIfNull(member);
        return member.Protocol;
    }

    /// <summary>The version that all members speak at least.</summary>
    /// <param name="table">The table.</param>
    public static int MinOf(ClusterTable table)
    {
        ArgumentNullException.ThrowIfNull(table);
        return table.Protocol;
    }
}
