using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.StateStore.Tests.Engine;

/// <summary>Engines with real threads and clocks.</summary>
public sealed class NodeEngineTests(ITestOutputHelper output) : IDisposable
{
    private readonly EngineCluster _cluster = new();

    public void Dispose() => _cluster.Dispose();

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Nodes_JoinAndServe_AndOneThatDrainsLosesNothing(int backups)
    {
        await StartAsync(nodes: 3, backups);
        await WriteAllAsync("before");
        _cluster[2].Engine.Drain();
        var writes = WriteAllAsync("during");
        await Eventually.TrueAsync(() => _cluster[2].HasLeft, TimeSpan.FromSeconds(30));
        await writes;
        await CheckAllAsync("during");
        Assert.Equal(0, _cluster.Living.Sum(process => process.LostRecords));
        Assert.All(_cluster.Store.Table.Partitions, entry => Assert.Equal(0, entry.LossCount));
        Assert.Empty(_cluster.Store.Violations);
    }

    [Fact]
    public async Task KilledNode_LosesNoAcknowledgedWrite()
    {
        await StartAsync(nodes: 3, backups: 1);
        await WriteAllAsync("before");
        var writes = WriteAllAsync("during");
        _cluster[0].Kill();
        await writes;
        await CheckAllAsync("during");
        await _cluster.SettledAsync(nodes: 2, backups: 1);
        await CheckAllAsync("during");
        Assert.All(_cluster.Store.Table.Partitions, entry => Assert.Equal(0, entry.LossCount));
        Assert.Empty(_cluster.Store.Violations);
    }

    [Fact]
    public async Task NodeThatJoinsLater_GetsItsShare_WhileOthersWrite()
    {
        await StartAsync(nodes: 1, backups: 0);
        await WriteAllAsync("before");
        var writes = WriteAllAsync("during");
        _cluster.Add("late", backups: 0);
        await writes;
        await Eventually.TrueAsync(
            () => _cluster.Store.Table.Partitions.CountBy(entry => entry.Primary!.Value).All(share => share.Value == 8),
            TimeSpan.FromSeconds(30));
        await CheckAllAsync("during");
    }

    [Fact]
    public async Task FrameThatIsNone_IsCountedAndDropped()
    {
        await StartAsync(nodes: 1, backups: 0);
        _cluster[0].Engine.Receive(new byte[100]);
        Assert.Equal(1, _cluster[0].Engine.RefusedFrames);
        await WriteAllAsync("after");
        await CheckAllAsync("after");
    }

    private async Task StartAsync(int nodes, int backups)
    {
        var started = Stopwatch.GetTimestamp();
        for (var index = 0; index < nodes; index++)
            _cluster.Add($"n{index}", backups);
        await _cluster.SettledAsync(nodes, Math.Min(backups, nodes - 1));
        output.WriteLine($"table version {_cluster.Store.Table.Version} after {Stopwatch.GetElapsedTime(started)}");
    }

    private async Task WriteAllAsync(string value)
    {
        await Parallel.ForAsync(0, 8, async (caller, _) =>
        {
            var client = Guid.NewGuid();
            for (var number = 0; number < 100; number++)
            {
                var answer = await _cluster.WriteAsync($"key {caller} {number}", value, new RequestId(client, number, number));
                Assert.Equal(WriteOutcome.Done, answer.Outcome);
            }
        });
    }

    private async Task CheckAllAsync(string value)
    {
        for (var caller = 0; caller < 8; caller++)
        {
            for (var number = 0; number < 100; number++)
                Assert.Equal(value, await _cluster.ReadAsync($"key {caller} {number}"));
        }
    }
}
