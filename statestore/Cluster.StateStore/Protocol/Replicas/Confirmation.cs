using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>Strict reads of one partition, which wait until each member confirms the epoch. Used under the shard's
/// lock.</summary>
/// <param name="since">When the question was sent.</param>
internal sealed class Confirmation(long since)
{
    /// <summary>When the question was sent.</summary>
    public long Since { get; } = since;

    /// <summary>The members that have not confirmed, and the first frame to each whose answer counts.</summary>
    public Dictionary<NodeSlot, long> Missing { get; } = [];

    /// <summary>The reads.</summary>
    public List<object> Operations { get; } = [];
}
