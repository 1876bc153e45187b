using Cluster.Nodes.Coordination;
using Cluster.Nodes.Handoff;
using Cluster.Nodes.Lifecycle;
using Cluster.Nodes.Watching;
using Cluster.Pile;
using Cluster.StateStore.Hosting;

namespace Cluster.Nodes.Members;

/// <summary>The duties of a node that a client does not have: it holds partitions, hands them over, receives them, and
/// takes part in coordination. Made when the cluster's properties are known; owned by <see cref="ClusterNode"/>, which
/// starts and ends it.</summary>
internal sealed class MemberRole : IAsyncDisposable
{
    public required LocalPile Pile { get; init; }

    public required NodeStateStore Store { get; init; }

    public required PartitionKeeper Keeper { get; init; }

    public required HandoffReceiver Receiver { get; init; }

    public required HandoffSender Sender { get; init; }

    public required Coordinator Coordinator { get; init; }

    public required EpochConfirmation Epochs { get; init; }

    /// <summary>The failures of its loops, for the health check.</summary>
    public IEnumerable<string> Failures =>
        new[] { Sender.Failure, Coordinator.Failure, Epochs.Failure }.OfType<string>();

    public void Start()
    {
        Store.Start();
        Sender.Start();
        Coordinator.Start();
        Epochs.Start();
    }

    /// <summary>Stops hand-offs and decisions. The node goes on answering.</summary>
    public async ValueTask StopDecidingAsync()
    {
        await Sender.DisposeAsync().ConfigureAwait(false);
        await Coordinator.DisposeAsync().ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        await StopDecidingAsync().ConfigureAwait(false);
        await Epochs.DisposeAsync().ConfigureAwait(false);
        await Store.DisposeAsync().ConfigureAwait(false);
        Pile.Dispose();
    }
}
