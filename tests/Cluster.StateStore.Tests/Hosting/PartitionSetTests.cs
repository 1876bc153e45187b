using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>States with different numbers of backups in one cluster.</summary>
public sealed class PartitionSetTests
{
    private const int KeyCount = 100;

    private static readonly StateDefinition<string, string> Sessions =
        StateDefinition.Create<string, string>("sessions", s => s.Backups = 1);

    private static readonly StateDefinition<string, string> Pages =
        StateDefinition.Create<string, string>("pages", s => s.Backups = 0);

    private static readonly StateCatalog Both = new([Sessions, Pages]);

    [Fact]
    [Trait("Case", "replica-sets")]
    public async Task Kill_StatesWithAndWithoutBackups_LosesOnlyThoseWithout()
    {
        await using var cluster = new SimulatedCluster(nodes: 3, catalog: Both);
        Assert.Equal(new EquatableArray<byte>([0, 1]), cluster.Table.SetBackups);
        var (sessions, pages) = Clients(cluster);
        foreach (var key in Keys)
        {
            await cluster.RunAsync(sessions.PutAsync(key, $"session {key}"));
            await cluster.RunAsync(pages.PutAsync(key, $"page {key}"));
        }

        var killed = cluster[2];
        string[] lost = [.. Keys.Where(key => cluster.OwnerOf(cluster.PartitionOf(Pages, key)) == killed)];
        killed.Kill();
        await cluster.UntilAsync(() => cluster.IsQuiet);
        Assert.NotEmpty(lost);
        foreach (var key in Keys)
        {
            Assert.Equal($"session {key}", await cluster.RunAsync(sessions.GetAsync(key)));
            Assert.Equal(lost.Contains(key) ? null : $"page {key}", await cluster.RunAsync(pages.GetAsync(key)));
        }

        Assert.All(Keys, key => Assert.Equal(0, cluster.Table[cluster.PartitionOf(Sessions, key)].LossCount));
        Assert.All(lost, key => Assert.Equal(1, cluster.Table[cluster.PartitionOf(Pages, key)].LossCount));
    }

    [Fact]
    public async Task Join_NodeWithAStateOfAnotherNumber_BeginsItsSetAndLeavesTheOthersAlone()
    {
        await using var cluster = new SimulatedCluster(
            nodes: 2, catalogOf: number => number == 3 ? Both : new StateCatalog([Sessions]));
        var (sessions, pages) = Clients(cluster);
        await cluster.RunAsync(sessions.PutAsync("k", "session"));
        var before = cluster.PartitionOf(Sessions, "k");
        Assert.Null(pages.FindPartition("k"));
        cluster.Add();
        await cluster.UntilAsync(() => cluster.Table.FindSet(0) is not null && cluster.IsQuiet);
        Assert.Equal(before, cluster.PartitionOf(Sessions, "k"));
        Assert.Equal("session", await cluster.RunAsync(sessions.GetAsync("k")));
        await cluster.RunAsync(new StateClient<string, string>(Pages, cluster[2].Router).PutAsync(
            cluster.KeyOn(Pages, cluster[2]), "page"));
    }

    [Fact]
    public async Task SendAsync_NoNodeHasTheState_SaysSo()
    {
        await using var cluster = new SimulatedCluster(nodes: 1, catalog: new StateCatalog([Sessions]));
        var (_, pages) = Clients(cluster);
        var reading = pages.GetAsync("k").AsTask();
        await cluster.RunAsync(reading);
        var failure = await Assert.ThrowsAsync<StateUnavailableException>(() => reading);
        Assert.Null(failure.Partition);
        Assert.Equal("State 'pages' is unavailable: no node has joined that has this state.", failure.Message);
    }

    [Fact]
    public async Task Client_NamesAnotherNumberOfBackups_UsesThatOfTheCluster()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, catalog: Both);
        var (sessions, _) = Clients(cluster);
        var foreign = StateDefinition.Create<string, string>("sessions", s => s.Backups = 3);
        await cluster.RunAsync(new StateClient<string, string>(foreign, cluster.Client).PutAsync("k", "v"));
        Assert.Equal("v", await cluster.RunAsync(sessions.GetAsync("k")));
    }

    [Fact]
    [Trait("Case", "replica-sets")]
    public async Task FindObstacle_StateWithAnotherNumberOfBackups_IsNamed()
    {
        await using var cluster = new SimulatedCluster(
            nodes: 2,
            catalogOf: number => number < 3
                ? Both
                : new StateCatalog([Sessions, StateDefinition.Create<string, string>("pages", s => s.Backups = 2)]));
        Assert.Null(cluster[1].Store.FindObstacle(cluster.Table));
        var (problem, remedy) = cluster.Add().Store.FindObstacle(cluster.Table)!.Value;
        Assert.Equal(
            "State 'pages' has 0 backups in this cluster, and 2 on this node. The number of a state never changes.", problem);
        Assert.Equal("Set the Backups of the state, or Cluster:Backups, to 0.", remedy);

        // If such a node joins all the same, because it started at the same moment, the number stays.
        await cluster.UntilAsync(() => cluster.Table.Members.Length == 3);
        Assert.Equal(0, cluster.Table.BackupsOf(Pages.Id));
    }

    [Fact]
    public async Task ExecuteAsync_PartitionOfAnotherSet_IsRefusedAndChangesNothing()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, catalog: Both);
        var key = Pages.KeyOf(cluster.KeyOn(Sessions, cluster[0]), cluster.Hash);
        var partition = cluster.Hash.PartitionOf(key.Hash, cluster.Table.FindSet(1)!.Value);
        var reply = await cluster[0].Store.ExecuteAsync(
            new StateRequest
            {
                ClusterId = cluster.Meta.ClusterId,
                Verb = StateVerb.Put,
                StateId = Pages.Id,
                Partition = partition.Value,
                Epoch = cluster.Table[partition].Epoch.Value,
                Key = key.Bytes,
                Payload = new byte[] { 1 },
            },
            default);
        Assert.Equal(
            (StateReplyStatus.Refused, $"partition {partition} is none of state 'pages'"), (reply.Status, reply.Message));
        Assert.Equal(0, cluster[0].RecordCount);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    [Trait("Case", "replica-min-in-sync")]
    public async Task PutAsync_FewerCopiesThanMinInSync_WaitsUntilThereAreEnough(bool isLocal)
    {
        var safe = StateDefinition.Create<string, string>("safe", s => (s.Backups, s.MinInSync) = (1, 2));
        await using var cluster = new SimulatedCluster(
            nodes: 2, catalog: new StateCatalog([safe]), isBalanced: true);
        var values = new StateClient<string, string>(safe, isLocal ? cluster[0].Router : cluster.Client);
        var key = cluster.KeyOn(safe, cluster[0]);
        await cluster.RunAsync(values.PutAsync(key, "a"));
        cluster[1].Kill();
        await cluster.UntilAsync(() => cluster.Table[cluster.PartitionOf(safe, key)].InSync.Count == 1);
        Assert.Equal("a", await cluster.RunAsync(values.GetAsync(key)));
        var refused = values.PutAsync(key, "b").AsTask();
        await cluster.RunAsync(refused);
        var failure = await Assert.ThrowsAsync<StateUnavailableException>(() => refused);
        Assert.Contains("1 of the 2 copies that MinInSync asks for", failure.Message, StringComparison.Ordinal);
        Assert.Equal("a", await cluster.RunAsync(values.GetAsync(key)));
        var waiting = values.PutAsync(key, "c").AsTask();
        cluster.Add();
        await cluster.RunAsync(waiting);
        await waiting;
        Assert.Equal(2, cluster.Table[cluster.PartitionOf(safe, key)].InSync.Count);
    }

    [Fact]
    public void Create_NumbersThatCannotWork_AreAllNamed()
    {
        var failure = Assert.Throws<ArgumentException>(
            () => StateDefinition.Create<string, string>("s", s => (s.Backups, s.MinInSync) = (4, 0)));
        Assert.Contains("Backups is 4; it must be from 0 to 3", failure.Message, StringComparison.Ordinal);
        Assert.Contains("MinInSync is 0; it must be from 1", failure.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(
            () => StateDefinition.Create<string, string>("s", s => (s.Backups, s.MinInSync) = (1, 3)));
    }

    [Fact]
    public void WithSet_PartitionsBeyondTheLimit_BeginsNone()
    {
        var table = ClusterTable.CreateEmpty(ClusterMeta.MaxPartitionCount);
        var one = table.WithSet(1);
        Assert.Equal(new EquatableArray<byte>([1]), one.SetBackups);
        Assert.Same(one, one.WithSet(0));
        Assert.Same(one, one.WithSet(1));
    }

    [Fact]
    public void FindViolation_StatesThatChangeOrAreOutOfOrder_AreNamed()
    {
        var table = ClusterTable.CreateEmpty(4).WithSet(1).WithStates([new(7, 1), new(7, 0), new(3, 1)]);
        Assert.Equal(new EquatableArray<StatePlacement>([new(3, 1), new(7, 1)]), table.States);
        Assert.Same(table, table.WithStates([new(7, 3)]));
        var next = table.StartSuccessor(Guid.NewGuid());
        Assert.Null(PartitionTransitions.FindViolation(table, next.WithStates([new(5, 0)])));
        Check(next with { States = new([new(7, 1)]) }, "taken away");
        Check(next with { States = new([new(3, 0), new(7, 1)]) }, "another number");
        Check(next with { States = new([new(7, 1), new(3, 1)]) }, "ascending order");

        void Check(ClusterTable successor, string why) => Assert.Contains(
            why, PartitionTransitions.FindViolation(table, successor), StringComparison.Ordinal);
    }

    [Fact]
    public void FindViolation_SetsThatChangeOrHaveTooFewPartitions_AreNamed()
    {
        var table = ClusterTable.CreateEmpty(4).WithSet(1);
        var next = table.StartSuccessor(Guid.NewGuid());
        Assert.Null(PartitionTransitions.FindViolation(table, next.WithSet(0).WithSet(3)));
        Check(next with { SetBackups = default }, "they can only be added");
        Check(next with { SetBackups = new([0]) }, "they can only be added");
        Check(next with { SetBackups = new([1, 1]) }, "listed twice");
        Check(next with { SetBackups = new([1, 9]) }, "more than 7 backups");
        Check(next with { SetBackups = new([1, 0]) }, "4 partitions cannot follow 4: 8 expected");

        void Check(ClusterTable successor, string why) => Assert.Contains(
            why, PartitionTransitions.FindViolation(table, successor), StringComparison.Ordinal);
    }

    private static IEnumerable<string> Keys => Enumerable.Range(0, KeyCount).Select(number => $"k{number}");

    private static (StateClient<string, string> Sessions, StateClient<string, string> Pages) Clients(
        SimulatedCluster cluster) =>
        (new(Sessions, cluster[0].Router), new(Pages, cluster[0].Router));
}
