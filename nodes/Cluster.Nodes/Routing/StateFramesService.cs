using Cluster.Nodes.Members;
using Cluster.StateStore.Messages;

namespace Cluster.Nodes.Routing;

/// <summary>Gives the frames of other nodes to this node's state store. Before the node has its store, and in a client,
/// frames are dropped. Stateless.</summary>
internal sealed class StateFramesService(CurrentMemberRole role) : IStateFrames
{
    public Task DeliverAsync(byte[] frame, CancellationToken cancellationToken)
    {
        role.Current?.Store.Deliver(frame);
        return Task.CompletedTask;
    }
}
