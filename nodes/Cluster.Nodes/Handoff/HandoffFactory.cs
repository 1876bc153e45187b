using Cluster.Nodes.Loops;
using Cluster.Nodes.Proposals;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting;

namespace Cluster.Nodes.Handoff;

/// <summary>Makes the three objects that move the partitions of one state store. Stateless.</summary>
internal sealed class HandoffFactory(
    IStatePeerDirectory peers, TableProposer proposer, ConfirmedTable table, LoopContext loops)
{
    public (PartitionKeeper Keeper, HandoffReceiver Receiver, HandoffSender Sender) Create(NodeStateStore store)
    {
        var self = table.View.Self!.Value;
        var staged = new StagedPartitions();
        return (
            new PartitionKeeper(store, staged, self),
            new HandoffReceiver(store, table.View, staged, self, loops.Time),
            new HandoffSender(store, peers, proposer, table, loops));
    }
}
