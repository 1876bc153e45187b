using Cluster.Nodes.Beacons;
using Cluster.Nodes.Coordination;
using Cluster.Nodes.Watching;
using Cluster.Pile;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Members;

/// <summary>The duties of a node that a client does not have: it holds partitions, and takes part in deciding who holds
/// what. Made when the cluster's properties are known; owned by the lifecycle, which starts and ends it.</summary>
internal sealed class MemberRole : IAsyncDisposable
{
    public required LocalPile Pile { get; init; }

    public required NodeStateStore Store { get; init; }

    public required NodeEnvironment Environment { get; init; }

    public required FrameSender Frames { get; init; }

    public required BeaconExchange Beacons { get; init; }

    public required CoordinatorLease Lease { get; init; }

    public required EpochConfirmation Epochs { get; init; }

    /// <summary>The failures of its loops, for the health check.</summary>
    public IEnumerable<string> Failures => new[] { Epochs.Failure, Store.Failure }.OfType<string>();

    public void Start()
    {
        Epochs.Start();
        Store.Start();
    }

    /// <summary>Acts on a new table.</summary>
    public void Apply(ClusterTable table)
    {
        Store.TableRead(table);
        Frames.Keep(table);
        Beacons.Keep(table);
    }

    public async ValueTask DisposeAsync()
    {
        await Epochs.DisposeAsync().ConfigureAwait(false);
        Store.Dispose();
        Beacons.Dispose();
        await Environment.DisposeAsync().ConfigureAwait(false);
        await Lease.ReleaseAsync().ConfigureAwait(false);
        Pile.Dispose();
    }
}
