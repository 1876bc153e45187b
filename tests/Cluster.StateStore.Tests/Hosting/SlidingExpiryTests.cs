using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>Values that go away some time after the last access, with a manual clock.</summary>
public sealed class SlidingExpiryTests
{
    private static readonly TimeSpan Window = TimeSpan.FromMilliseconds(800);
    private static readonly TimeSpan Most = TimeSpan.FromMilliseconds(500);

    private static readonly StateDefinition<string, int?> Counts = StateDefinition.Create<string, int?>(
        "counts",
        s =>
        {
            s.DefaultExpiry = StateExpiry.Sliding(Window);
            s.AllowOperation<Increment>();
        });

    private static readonly StateCatalog Catalog = new([Counts]);

    public static TheoryData<int, bool> Places => new() { { 0, true }, { 0, false }, { 1, true }, { 1, false } };

    [Theory]
    [MemberData(nameof(Places))]
    [Trait("Case", "replica-sliding")]
    public async Task Get_AgainAndAgain_KeepsTheValueUntilNobodyReadsIt(int backups, bool isLocal)
    {
        await using var cluster = new SimulatedCluster(nodes: 2, catalog: Catalog, backups: backups);
        var (counts, key) = Client(cluster, isLocal);
        await cluster.RunAsync(counts.PutAsync(key, 1));
        for (var access = 0; access < 6; access++)
        {
            cluster.Advance(Most);
            Assert.Equal(1, await cluster.RunAsync(counts.GetAsync(key)));
        }

        cluster.Advance(Window);
        Assert.Null(await cluster.RunAsync(counts.GetAsync(key)));
        await cluster.UntilAsync(() => cluster.Nodes.All(node => node.RecordCount == 0));
    }

    [Theory]
    [MemberData(nameof(Places))]
    public async Task UpdateAndTouch_KeepTheValue(int backups, bool isLocal)
    {
        await using var cluster = new SimulatedCluster(nodes: 2, catalog: Catalog, backups: backups);
        var (counts, key) = Client(cluster, isLocal);
        await cluster.RunAsync(counts.PutAsync(key, 1));
        cluster.Advance(Most);
        Assert.Equal(2, await cluster.RunAsync(counts.UpdateAsync(key, default(Increment))));
        cluster.Advance(Most);
        Assert.True(await cluster.RunAsync(counts.TouchAsync(key)));
        cluster.Advance(Most);
        Assert.Equal(2, await cluster.RunAsync(counts.GetAsync(key)));
        cluster.Advance(Window);
        Assert.False(await cluster.RunAsync(counts.TouchAsync(key)));
    }

    [Fact]
    public async Task Touch_WithAnotherExpiry_EndsTheWindow()
    {
        await using var cluster = new SimulatedCluster(nodes: 1, catalog: Catalog);
        var (counts, key) = Client(cluster, isLocal: true);
        await cluster.RunAsync(counts.PutAsync(key, 1));
        Assert.True(await cluster.RunAsync(counts.TouchAsync(key, StateExpiry.After(Window))));
        cluster.Advance(Most);
        Assert.Equal(1, await cluster.RunAsync(counts.GetAsync(key)));
        cluster.Advance(Most);
        Assert.Null(await cluster.RunAsync(counts.GetAsync(key)));
    }

    [Fact]
    public async Task Put_WithAWindowOfItsOwn_TouchKeepsThatWindow()
    {
        await using var cluster = new SimulatedCluster(nodes: 1, catalog: Catalog);
        var (counts, key) = Client(cluster, isLocal: true);
        await cluster.RunAsync(counts.PutAsync(key, 1, StateExpiry.Sliding(3 * Window)));
        cluster.Advance(2 * Window);
        Assert.True(await cluster.RunAsync(counts.TouchAsync(key)));
        cluster.Advance(2 * Window);
        Assert.Equal(1, await cluster.RunAsync(counts.GetAsync(key)));
    }

    [Fact]
    public async Task Kill_OfTheOwnerAfterARead_TheBackupKnowsTheNewWindow()
    {
        var window = TimeSpan.FromSeconds(60);
        await using var cluster = new SimulatedCluster(nodes: 3, catalog: Catalog, backups: 1);
        var counts = new StateClient<string, int?>(Counts, cluster[0].Router);
        var key = cluster.KeyOn(Counts, cluster[2]);
        await cluster.RunAsync(counts.PutAsync(key, 1, StateExpiry.Sliding(window)));
        cluster.Advance(window / 2);
        Assert.Equal(1, await cluster.RunAsync(counts.GetAsync(key)));
        cluster.Advance(TimeSpan.FromMilliseconds(100));
        cluster[2].Kill();
        cluster.Advance(window * 3 / 4);
        Assert.Equal(1, await cluster.RunAsync(counts.GetAsync(key)));
    }

    [Fact]
    public void Sliding_WindowThatIsNotPositive_IsRefused() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => StateExpiry.Sliding(TimeSpan.Zero));

    private static (StateClient<string, int?> Counts, string Key) Client(SimulatedCluster cluster, bool isLocal)
    {
        var owner = cluster.Nodes[^1];
        var router = isLocal ? owner.Router : cluster[0].Router;
        return (new StateClient<string, int?>(Counts, router), cluster.KeyOn(Counts, owner));
    }
}
