using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting;

/// <summary>Finds the state store of another node. Implemented by the runtime, which knows the network.</summary>
public interface IStatePeerDirectory
{
    /// <summary>The peer of a member; never waits. An unreachable member fails when it is called.</summary>
    /// <param name="member">The member.</param>
    /// <param name="isBrief">Whether its calls end after <see cref="StateRouter.BriefTime"/> without an answer, so that
    /// the caller can look for another owner.</param>
    IStatePeer PeerOf(ClusterMember member, bool isBrief = false);
}
