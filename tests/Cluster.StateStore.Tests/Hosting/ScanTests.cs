using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>Reading many values at once.</summary>
public sealed class ScanTests
{
    private const int KeyCount = 3_000;

    private static readonly StateDefinition<string, string> Texts =
        StateDefinition.Create<string, string>("texts", s => s.MaxValueBytes = 4 << 20);

    private static readonly StateDefinition<string, string> Others = StateDefinition.Create<string, string>("others");

    private static readonly StateCatalog Catalog = new([Texts, Others]);

    [Theory]
    [InlineData(1, 0)]
    [InlineData(4, 1)]
    [Trait("Case", "replica-scan")]
    public async Task Scan_ValuesOfAllSizes_GivesEachOfThisStateOnce(int partitions, int backups)
    {
        await using var cluster = await SimulatedCluster.StartAsync(
            nodes: 2, partitions: partitions, catalog: Catalog, backups: backups);
        var (texts, others) = Clients(cluster);
        var expected = Enumerable.Range(0, KeyCount).ToDictionary(number => $"k{number}", ValueOf);
        await Parallel.ForEachAsync(
            expected, async (pair, token) => await texts.PutAsync(pair.Key, pair.Value, default, token));
        await others.PutAsync("k1", "of another state");
        await texts.PutAsync("gone", "removed");
        await texts.RemoveAsync("gone");
        await texts.PutAsync("over", "expired", StateExpiry.At(DateTimeOffset.UnixEpoch));

        var scanned = new Dictionary<string, string>();
        await foreach (var record in texts.ScanAsync())
        {
            scanned.Add(record.Key, record.Value);
            Assert.NotEqual(StateVersion.None, record.Version);
        }

        Assert.Equal(expected, scanned);
        var keys = new HashSet<string>();
        await foreach (var key in texts.ScanKeysAsync())
            Assert.True(keys.Add(key));
        Assert.True(keys.SetEquals(expected.Keys));

        // A value of some MiB is larger than a part of a scan.
        static string ValueOf(int number) => new('v', number == 7 ? 3 << 20 : number % 100 == 0 ? 60_000 : number % 50);
    }

    [Fact]
    public async Task ScanPartition_OfEachPartition_GivesTheKeysOfItsOwn()
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 3, catalog: Catalog);
        var (texts, _) = Clients(cluster);
        for (var number = 0; number < 200; number++)
            await texts.PutAsync($"k{number}", "v");
        var count = 0;
        for (var index = 0; index < cluster.Table.Partitions.Length; index++)
        {
            await foreach (var record in texts.ScanPartitionAsync(new PartitionId(index)))
            {
                Assert.Equal(index, texts.FindPartition(record.Key)!.Value.Value);
                count++;
            }
        }

        Assert.Equal(200, count);
        Assert.Throws<ArgumentOutOfRangeException>(
            () => texts.ScanPartitionAsync(new PartitionId(cluster.Table.Partitions.Length)));
    }

    [Fact]
    public async Task ScanPartition_MovesMeanwhile_GivesWhatIsThereAllTheTimeExactlyOnce()
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 2, partitions: 1, catalog: Catalog);
        var (texts, _) = Clients(cluster);
        await Parallel.ForAsync(
            0,
            KeyCount,
            async (number, token) => await texts.PutAsync($"k{number}", new string('v', 500), default, token));
        var keys = new HashSet<string>();
        var moves = 0;
        await foreach (var record in texts.ScanPartitionAsync(default))
        {
            Assert.True(keys.Add(record.Key));
            if (keys.Count % 800 != 100)
                continue;
            await texts.PutAsync($"new{keys.Count}", "v");
            await cluster.MoveAsync(default, cluster.OtherThan(cluster.OwnerOf(default)));
            moves++;
        }

        Assert.True(moves > 2);
        Assert.All(Enumerable.Range(0, KeyCount), number => Assert.Contains($"k{number}", keys));
    }

    [Fact]
    public async Task GetMany_KeysThatAreThereAndNot_GivesThoseThatAre()
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 3, catalog: Catalog);
        var (texts, _) = Clients(cluster);
        for (var number = 0; number < 600; number += 2)
            await texts.PutAsync($"k{number}", $"v{number}");
        var found = await texts.GetManyAsync(Enumerable.Range(0, 600).Select(number => $"k{number}").Append("k0"));
        Assert.Equal(300, found.Count);
        Assert.All(found, pair => Assert.Equal(pair.Key[1..], pair.Value.Value[1..]));
        Assert.Empty(await texts.GetManyAsync([]));
    }

    [Fact]
    public async Task ExecuteAsync_CursorOfAnotherPartition_GivesNothingOfIt()
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 1, partitions: 4, catalog: Catalog);
        var (texts, _) = Clients(cluster);
        for (var number = 0; number < 100; number++)
            await texts.PutAsync($"k{number}", "v");
        foreach (var cursor in new ulong[] { 0, 1, ulong.MaxValue / 2, ulong.MaxValue })
        {
            var reply = await cluster[0].Store.ExecuteAsync(
                new StateRequest
                {
                    ClusterId = cluster.Meta.ClusterId,
                    Verb = StateVerb.Scan,
                    StateId = Texts.Id,
                    Partition = 1,
                    Epoch = 1,
                    Cursor = cursor,
                },
                default);
            Assert.Equal((StateReplyStatus.Done, 0UL), (reply.Status, reply.Cursor));
            var keys = StateStore.Hosting.Formats.ScanFormat.Read(reply.Payload.ToArray()!, (key, _, _) => Texts.KeyFrom(key.Span));
            Assert.All(keys, key => Assert.Equal(1, texts.FindPartition(key)!.Value.Value));
            Assert.Equal(cursor < ulong.MaxValue / 4, keys.Count > 0);
        }
    }

    [Fact]
    public void KeyFrom_BytesThatAreNoKey_IsRefused()
    {
        var longs = StateDefinition.Create<long, string>("longs");
        Assert.Equal(-5L, longs.KeyFrom(longs.KeyOf(-5, new PartitionHash(Meta)).Bytes));
        Assert.Throws<StateFormatException>(() => longs.KeyFrom(new byte[7]));
        Assert.Throws<StateFormatException>(() => Texts.KeyFrom([0xFF]));
        var guids = StateDefinition.Create<Guid, string>("guids");
        var guid = Guid.NewGuid();
        Assert.Equal(guid, guids.KeyFrom(guids.KeyOf(guid, new PartitionHash(Meta)).Bytes));
    }

    private static ClusterMeta Meta => new(Guid.NewGuid(), "test", 4, 1, ClusterMeta.CurrentFormatVersion);

    private static (StateClient<string, string> Texts, StateClient<string, string> Others) Clients(
        SimulatedCluster cluster) =>
        (new(Texts, cluster[0].Router), new(Others, cluster[0].Router));
}
