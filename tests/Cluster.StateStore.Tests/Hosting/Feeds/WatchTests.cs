using Cluster.StateStore.Changes;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Messages;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.StateStore.Tests.Hosting.Feeds;

/// <summary>A process that watches a state can keep a copy of it, whatever happens to the nodes.</summary>
public sealed class WatchTests(ITestOutputHelper output)
{
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(30);

    [Fact]
    [Trait("Case", "replica-watch")]
    public async Task Watch_ChangesOfAllKinds_AreToldInOrderFromAllNodes()
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 3, partitions: 4);
        var texts = new StateClient<long, string>(SimulatedCluster.Texts, cluster[0].Router);
        await using var copy = new WatchedCopy<long, string>(texts);
        await Eventually.TrueAsync(() => copy.BeganCount == 4, Bound);
        for (var key = 0L; key < 20; key++)
            await texts.PutAsync(key, $"first {key}");
        await texts.PutAsync(3, "second");
        await texts.UpdateAsync(4, new AppendText(" and more"));
        Assert.True(await texts.RemoveAsync(5));
        await texts.PutAsync(6, "short", StateExpiry.After(TimeSpan.FromMilliseconds(50)));
        await Eventually.TrueAsync(() => copy.KindsOf(6).Contains(StateChangeKind.Expired), Bound);
        Assert.Equal([StateChangeKind.Stored, StateChangeKind.Stored], copy.KindsOf(3));
        Assert.Equal([StateChangeKind.Stored, StateChangeKind.Stored], copy.KindsOf(4));
        Assert.Equal([StateChangeKind.Stored, StateChangeKind.Removed], copy.KindsOf(5));
        Assert.Equal("first 4 and more", copy.Values[4]);
        Assert.Equal(4, copy.BeganCount);
        await CheckSameAsync(copy, texts);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [Trait("Case", "replica-watch")]
    public async Task Watch_PartitionsMoveUnderLoad_TheCopyStaysTheSame(int backups)
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 3, partitions: 4, backups: backups);
        var texts = new StateClient<long, string>(SimulatedCluster.Texts, cluster[0].Router);
        await using var copy = new WatchedCopy<long, string>(texts);
        using var stop = new CancellationTokenSource();
        var writers = Enumerable.Range(0, 3).Select(writer => WriteAsync(cluster, writer, stop.Token)).ToArray();
        for (var round = 0; round < 6; round++)
        {
            var partition = new PartitionId(round % 4);
            await cluster.MoveAsync(partition, cluster.OtherThan(cluster.OwnerOf(partition)));
        }

        await stop.CancelAsync();
        await Task.WhenAll(writers);
        output.WriteLine($"{copy.ChangeCount} changes, {copy.BeganCount} begins");
        await CheckSameAsync(copy, texts);
    }

    [Fact]
    [Trait("Case", "replica-watch")]
    public async Task Watch_OwnerKilledUnderLoad_TheCopyStaysTheSame()
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 3, partitions: 4, backups: 1);
        var texts = new StateClient<long, string>(SimulatedCluster.Texts, cluster[0].Router);
        await using var copy = new WatchedCopy<long, string>(texts);
        using var stop = new CancellationTokenSource();
        var writers = Enumerable.Range(0, 2).Select(writer => WriteAsync(cluster, writer, stop.Token)).ToArray();
        await Eventually.TrueAsync(() => copy.ChangeCount > 200, Bound);
        cluster[2].Kill();
        await cluster.UntilAsync(() => Enumerable.Range(0, 4).All(
            index => cluster.OwnerOf(new PartitionId(index)) != cluster[2]));
        var count = copy.ChangeCount;
        await Eventually.TrueAsync(() => copy.ChangeCount > count + 200, Bound);
        await stop.CancelAsync();
        await Task.WhenAll(writers);
        await CheckSameAsync(copy, texts);
    }

    [Fact]
    public async Task Watch_ReaderFarBehind_BeginsAgainAndNothingGrows()
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 1, partitions: 1);
        var texts = new StateClient<long, string>(SimulatedCluster.Texts, cluster[0].Router);
        await using var changes = texts.WatchAsync().GetAsyncEnumerator();
        Assert.True(await changes.MoveNextAsync());
        Assert.Equal(StateChangeKind.Began, changes.Current.Kind);
        for (var index = 0; index < 2_500; index++)
            await texts.PutAsync(index % 10, new string('x', 8_000));
        var begins = 0;
        do
        {
            Assert.True(await changes.MoveNextAsync().AsTask().WaitAsync(Bound));
            begins += changes.Current.Kind == StateChangeKind.Began ? 1 : 0;
        }
        while (begins == 0);
    }

    [Fact]
    public async Task Watch_Request_IsRepeatedWithoutLossAndCheckedForItsState()
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 1, partitions: 1);
        var (store, watch) = (cluster[0].Store, Guid.NewGuid());
        var first = await store.WatchAsync(Request(0), CancellationToken.None);
        await new StateClient<long, string>(SimulatedCluster.Texts, cluster[0].Router).PutAsync(1, "a");
        var second = await store.WatchAsync(Request(1), CancellationToken.None);
        var again = await store.WatchAsync(Request(1), CancellationToken.None);
        Assert.Equal((WatchReplyStatus.Done, 1), (first.Status, first.Number));
        Assert.Equal((WatchReplyStatus.Done, 2), (second.Status, second.Number));
        Assert.Same(second.Payload, again.Payload);
        Assert.Equal(WatchReplyStatus.Over, (await store.WatchAsync(Request(7), CancellationToken.None)).Status);
        Assert.Equal(WatchReplyStatus.Refused, (await store.WatchAsync(Request(0, 12), CancellationToken.None)).Status);

        WatchRequest Request(long number, uint? state = null) => new()
        {
            ClusterId = cluster.Meta.ClusterId,
            Watch = watch,
            Number = number,
            StateId = state ?? SimulatedCluster.Texts.Id,
        };
    }

    private static async Task WriteAsync(SimulatedCluster cluster, int writer, CancellationToken cancellationToken)
    {
        var texts = new StateClient<long, string>(SimulatedCluster.Texts, cluster[writer % 2].Router);
        var random = new Random(writer);

        // Moves take long while writes come without a pause, and a copy of millions of changes shows no more.
        using var pace = new PeriodicTimer(TimeSpan.FromMilliseconds(2));
        for (var step = 0; !cancellationToken.IsCancellationRequested; step++)
        {
            var key = random.Next(40);
            if (random.Next(5) == 0)
                await texts.RemoveAsync(key, CancellationToken.None);
            else
                await texts.PutAsync(key, $"{writer} {step}", cancellationToken: CancellationToken.None);
            if (step % 5 == 0)
                await pace.WaitForNextTickAsync(CancellationToken.None);
        }
    }

    private static Task CheckSameAsync(WatchedCopy<long, string> copy, StateClient<long, string> texts) =>
        Eventually.TrueAsync(
            async () =>
            {
                var there = new Dictionary<long, string?>();
                await foreach (var record in texts.ScanAsync())
                    there.Add(record.Key, record.Value);
                return there.OrderBy(pair => pair.Key).SequenceEqual(copy.Values.OrderBy(pair => pair.Key));
            },
            Bound,
            "the copy has what the state has");
}
