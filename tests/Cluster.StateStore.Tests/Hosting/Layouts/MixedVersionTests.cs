using Cluster.StateStore.Changes;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Wire;

namespace Cluster.StateStore.Tests.Hosting.Layouts;

/// <summary>Nodes and clients of two versions of a service in one cluster: every value is read by both, whichever process has
/// written it and wherever it lies.</summary>
public sealed class MixedVersionTests
{
    [Fact]
    [Trait("Case", "cluster-F22")]
    public async Task ValuesOfBothVersions_AreReadByBoth_OnEveryRoute()
    {
        await using var cluster = new MixedCluster(2, number => number == 1 ? ProfileVersions.First() : ProfileVersions.Second());
        var (one, two) = (cluster.Nodes[0], cluster.Nodes[1]);
        var first = cluster.Outside(ProfileVersions.First());
        var second = cluster.Outside(ProfileVersions.Second());
        foreach (var owner in cluster.Nodes.Nodes)
        {
            var name = $"on {owner.Number} ";
            var (olds, news) = (new List<string>(), new List<string>());
            foreach (var client in new[] { cluster.On<FirstProfile>(one), first })
            {
                olds.Add(cluster.KeyOn(owner, $"{name}old {olds.Count} "));
                await cluster.RunAsync(client.PutAsync(olds[^1], new() { Owner = "Ada", Points = 3, Note = "x" }));
            }

            foreach (var client in new[] { cluster.On<SecondProfile>(two), second })
            {
                news.Add(cluster.KeyOn(owner, $"{name}new {news.Count} "));
                await cluster.RunAsync(client.PutAsync(news[^1], new() { Owner = "Bob", Points = 4, City = "Rome" }));
            }

            foreach (var client in new[] { cluster.On<FirstProfile>(one), first, cluster.Outside(ProfileVersions.First()) })
            {
                foreach (var key in news)
                {
                    var read = (await cluster.RunAsync(client.GetAsync(key)))!;
                    Assert.Equal(("Bob", 4, null), (read.Owner, read.Points, read.Note));
                }
            }

            foreach (var client in new[] { cluster.On<SecondProfile>(two), second, cluster.Outside(ProfileVersions.Second()) })
            {
                foreach (var key in olds)
                {
                    var read = (await cluster.RunAsync(client.GetAsync(key)))!;
                    Assert.Equal(("Ada", 3L, null), (read.Owner, read.Points, read.City));
                }
            }
        }
    }

    [Fact]
    public async Task Layout_OutlivesItsLastWriter_AndTheRestartOfEveryNode()
    {
        await using var cluster = new MixedCluster(2, number => number <= 2 ? ProfileVersions.First() : ProfileVersions.Second());
        var writer = cluster.Outside(ProfileVersions.First());
        for (var number = 0; number < 20; number++)
            await cluster.RunAsync(writer.PutAsync($"k{number}", new() { Owner = "Ada", Points = number }));

        // Twice: the nodes that learned of the layout from its writers are gone after the first round.
        for (var round = 0; round < 2; round++)
        {
            foreach (var node in cluster.Nodes.Living.ToArray())
                await cluster.ReplaceAsync(node);
        }

        var reader = cluster.Outside(ProfileVersions.Second());
        for (var number = 0; number < 20; number++)
        {
            var read = (await cluster.RunAsync(reader.GetAsync($"k{number}")))!;
            Assert.Equal(("Ada", (long)number), (read.Owner, read.Points));
        }
    }

    [Fact]
    public async Task Update_OnAnOwnerOfTheOtherVersion_ReadsTheValueAndWritesItsOwnLayout()
    {
        await using var cluster = new MixedCluster(2, number => number == 1 ? ProfileVersions.First() : ProfileVersions.Second());
        var key = cluster.KeyOn(cluster.Nodes[1], "k");
        var old = cluster.Outside(ProfileVersions.First());
        await cluster.RunAsync(old.PutAsync(key, new() { Owner = "Ada", Points = 3 }));
        var changed = await cluster.RunAsync(cluster.Outside(ProfileVersions.Second()).UpdateAsync(key, new AddPoints(5)));
        Assert.Equal(("Ada", 8L), (changed.Owner, changed.Points));
        var read = (await cluster.RunAsync(old.GetAsync(key)))!;
        Assert.Equal(("Ada", 8), (read.Owner, read.Points));
    }

    [Fact]
    public async Task ScansAndWatches_OfTheOtherVersion_GiveTheValues()
    {
        await using var cluster = new MixedCluster(2, number => number == 1 ? ProfileVersions.First() : ProfileVersions.Second());
        var watcher = cluster.On<SecondProfile>(cluster.Nodes[1]);
        using var end = new CancellationTokenSource();
        var watched = new ConcurrentQueue<StateChange<string, SecondProfile>>();
        var watch = Task.Run(async () =>
        {
            await foreach (var change in watcher.WatchAsync(end.Token))
                watched.Enqueue(change);
        });
        await cluster.RunAsync(WaitForAsync(() => watched.Count(change => change.Kind == StateChangeKind.Began) == 4));
        var writer = cluster.Outside(ProfileVersions.First());
        for (var number = 0; number < 10; number++)
            await cluster.RunAsync(writer.PutAsync($"k{number}", new() { Owner = "Ada", Points = number }));
        await cluster.RunAsync(WaitForAsync(() => watched.Count(change => change.Kind == StateChangeKind.Stored) == 10));
        Assert.Equal(45, watched.Sum(change => change.Value?.Points));
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => watch);
        var scanned = await cluster.RunAsync(ScanAsync(cluster.Outside(ProfileVersions.Second())));
        Assert.Equal(45, scanned.Sum(record => record.Value.Points));
    }

    [Fact]
    public async Task NewClass_IsHeldAndHandedOverByNodesWithoutIt_AndRefusedByTheirReaders()
    {
        await using var cluster = new MixedCluster(2, number => number <= 2 ? ProfileVersions.First() : ProfileVersions.Second());
        var writer = cluster.Outside(ProfileVersions.Second());
        var contact = new MailContact { Text = "a@b", IsChecked = true };
        await cluster.RunAsync(writer.PutAsync("k", new() { Owner = "Bob", Contact = contact }));
        var refusal = await Assert.ThrowsAsync<StateRefusedException>(
            () => cluster.RunAsync(cluster.Outside(ProfileVersions.First()).GetAsync("k")));
        Assert.Contains(nameof(MailContact), refusal.Message, StringComparison.Ordinal);
        foreach (var node in cluster.Nodes.Living.ToArray())
            await cluster.ReplaceAsync(node);
        var read = (await cluster.RunAsync(cluster.Outside(ProfileVersions.Second()).GetAsync("k")))!;
        Assert.True(Assert.IsType<MailContact>(read.Contact).IsChecked);
    }

    [Fact]
    public async Task LayoutThatCannotBeRead_IsRefusedWithBothLayoutsAndTheField()
    {
        await using var cluster = new MixedCluster(1, _ => ProfileVersions.First(), backups: 0);
        var (written, read) = (ProfileVersions.First(), ProfileVersions.Other());
        await cluster.RunAsync(cluster.Outside(written).PutAsync("k", new() { Owner = "Ada", Points = 3 }));
        var refusal = await Assert.ThrowsAsync<StateRefusedException>(
            () => cluster.RunAsync(cluster.Outside(read).GetAsync("k")));
        Assert.Contains($"layout {written.LayoutFingerprint:x16}", refusal.Message, StringComparison.Ordinal);
        Assert.Contains($"layout {read.LayoutFingerprint:x16}", refusal.Message, StringComparison.Ordinal);
        Assert.Contains(".Points was written as System.Int32", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task LayoutThatNobodyKnows_IsRefusedWithTheExceptionOfTheSerializerInside()
    {
        await using var cluster = new MixedCluster(1, _ => ProfileVersions.Second(), backups: 0);
        var bytes = ProfileVersions.First().Format.ToBytes(new FirstProfile { Owner = "Ada" });
        var reader = ProfileVersions.Second();
        Assert.False(reader.Format.TryFromBytes(bytes, out SecondProfile _, out var unknown));
        var search = cluster.Nodes[0].Router.LearnAsync(reader, keyHash: 0, unknown, CancellationToken.None).AsTask();
        await cluster.Nodes.RunAsync(search);
        var refusal = await Assert.ThrowsAsync<StateRefusedException>(() => search);
        Assert.Same(unknown, refusal.InnerException);
        Assert.Contains($"{unknown.UnknownFingerprint:x16}", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task LostLayouts_AreToldAgainWithTheNextValue()
    {
        await using var cluster = new MixedCluster(2, _ => ProfileVersions.First());
        var lost = 0;
        cluster.Nodes.Network = (_, frame) => FrameCodec.IsOf(FrameKind.Layouts, frame) && lost++ < 4 ? [] : [frame];
        await cluster.RunAsync(cluster.On<FirstProfile>(cluster.Nodes[0]).PutAsync("k", new() { Owner = "Ada" }));
        Assert.True(lost > 4);
        await cluster.Nodes.UntilAsync(() => cluster.StateOf(2).Layouts.All.Length == 1);
    }

    [Fact]
    public async Task KnownLayouts_AreToldOnce()
    {
        await using var cluster = new MixedCluster(2, _ => ProfileVersions.First());
        var told = 0;
        cluster.Nodes.Network = (_, frame) =>
        {
            told += FrameCodec.IsOf(FrameKind.Layouts, frame) ? 1 : 0;
            return [frame];
        };
        var client = cluster.On<FirstProfile>(cluster.Nodes[0]);
        for (var number = 0; number < 20; number++)
            await cluster.RunAsync(client.PutAsync($"k{number}", new() { Owner = "Ada" }));
        cluster.Nodes.Advance(TimeSpan.FromSeconds(2));
        var before = told;
        for (var number = 0; number < 100; number++)
            await cluster.RunAsync(client.PutAsync($"k{number}", new() { Owner = "Ada" }));
        Assert.InRange(before, 1, 20);
        Assert.Equal(before, told);
    }

    [Fact]
    public async Task NodesOfThePreviousProtocol_AreToldNothing_AndServe()
    {
        await using var cluster = new SimulatedCluster(
            nodes: 2, partitions: 4, backups: 1, protocolOf: static number => number);
        var told = 0;
        cluster.Network = (_, frame) =>
        {
            told += FrameCodec.IsOf(FrameKind.Layouts, frame) ? 1 : 0;
            return [frame];
        };
        Assert.Equal([1, 2], cluster.Nodes.Select(node => node.Member.Protocol).Order());
        for (var number = 0; number < 20; number++)
            await cluster.RunAsync(cluster.Nodes[number % 2].Carts.PutAsync($"k{number}", new Cart()));
        Assert.Equal(0, told);
    }

    [Fact]
    [Trait("Case", "cluster-protocol")]
    public async Task FindObstacle_NodeBelowTheRaisedProtocol_IsNamedWithBothVersions()
    {
        await using var cluster = new SimulatedCluster(
            nodes: 2, protocolOf: static number => number == 3 ? ProtocolVersion.First : ProtocolVersion.WithLayouts);
        await cluster.UntilAsync(() => cluster.Table.Protocol == ProtocolVersion.WithLayouts);
        Assert.Null(cluster[1].Store.FindObstacle(cluster.Table));
        var late = cluster.Add();
        var (problem, remedy) = late.Store.FindObstacle(cluster.Table)!.Value;
        Assert.Contains("at least version 2", problem, StringComparison.Ordinal);
        Assert.Contains("speaks version 1", problem, StringComparison.Ordinal);
        Assert.Contains("version of the library", remedy, StringComparison.Ordinal);
        cluster.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(2, cluster.Table.Members.Length);
        late.Kill();
    }

    private static async ValueTask<bool> WaitForAsync(Func<bool> condition)
    {
        await Testing.Eventually.TrueAsync(condition, TimeSpan.FromSeconds(30));
        return true;
    }

    private static async ValueTask<List<StateRecord<string, SecondProfile>>> ScanAsync(
        StateClient<string, SecondProfile> state)
    {
        var records = new List<StateRecord<string, SecondProfile>>();
        await foreach (var record in state.ScanAsync())
            records.Add(record);
        return records;
    }
}
