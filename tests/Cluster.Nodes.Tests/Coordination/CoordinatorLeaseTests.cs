using Cluster.Nodes.Configuration;
using Cluster.Nodes.Coordination;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Tests.Stores;
using Cluster.Testing;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Coordination;

public sealed class CoordinatorLeaseTests : IDisposable
{
    private const int LeaseHeld = 5060;
    private const int LeaseLost = 5061;

    private readonly LogRecorder _logs = new();
    private readonly ScriptedStore _store = new(Empty);
    private readonly CoordinatorLease _lease;

    public CoordinatorLeaseTests()
    {
        var self = new NodeIdentity(Node(0));
        _lease = new CoordinatorLease(
            _store, self, new LoopContext(new ManualTimeProvider(), self, _logs.CreateLogger<LoopContext>()));
    }

    public void Dispose() => _logs.Dispose();

    [Fact]
    public async Task Hold_NobodyHasIt_IsHeldAndToldOnce()
    {
        _store.Lease = new ScriptedLease();
        Assert.True(await HoldAsync());
        Assert.True(await HoldAsync());
        Assert.Same(_store.Lease, _lease.Current);
        Assert.True(_lease.IsHeld);
        Assert.Equal(1, Count(LeaseHeld));
    }

    [Fact]
    public async Task Hold_AnotherNodeHasIt_IsNotHeld()
    {
        Assert.False(await HoldAsync());
        Assert.Equal((null, false), (_lease.Current, _lease.IsHeld));
        Assert.Empty(_logs.Entries);
    }

    [Fact]
    public async Task Hold_LeaseTakenAway_IsReleasedAndTheNextOneIsTaken()
    {
        _logs.Allow(LeaseLost);
        var lost = _store.Lease = new ScriptedLease();
        await HoldAsync();
        lost.IsHeld = false;
        _store.Lease = null;
        Assert.False(await HoldAsync());
        Assert.Equal((1, 1, false), (lost.ReleaseCount, Count(LeaseLost), _lease.IsHeld));

        _store.Lease = new ScriptedLease();
        Assert.True(await HoldAsync());
        Assert.Same(_store.Lease, _lease.Current);
    }

    /// <summary>Every change of the table is bound to the lease in the store, so keeping it does no harm.</summary>
    [Fact]
    public async Task Hold_StoreAwayWhileTheLeaseIsChecked_KeepsIt()
    {
        _store.Lease = new ScriptedLease();
        await HoldAsync();
        _store.Lease.IsAway = true;
        await Assert.ThrowsAsync<ClusterStoreException>(HoldAsync);
        Assert.Same(_store.Lease, _lease.Current);
        Assert.True(_lease.IsHeld);
        Assert.Equal(0, Count(LeaseLost));
    }

    [Fact]
    public async Task Release_HeldLease_IsGivenBackOnce()
    {
        _store.Lease = new ScriptedLease();
        await HoldAsync();
        await _lease.ReleaseAsync();
        await _lease.ReleaseAsync();
        Assert.Equal((1, null, false), (_store.Lease.ReleaseCount, _lease.Current, _lease.IsHeld));
    }

    [Fact]
    public async Task Release_StoreAway_ForgetsTheLease()
    {
        _store.Lease = new ScriptedLease();
        await HoldAsync();
        _store.Lease.IsAway = true;
        await _lease.ReleaseAsync();
        Assert.Equal((null, false), (_lease.Current, _lease.IsHeld));
    }

    private Task<bool> HoldAsync() => _lease.HoldAsync(CancellationToken.None).AsTask();

    private int Count(int eventId) => _logs.Entries.Count(entry => entry.Event.Id == eventId);
}
