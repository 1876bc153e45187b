using Cluster.Nodes.Storage.Writing;
using Cluster.StateStore;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Nodes.Storage.Tests.Writing;

/// <summary>The loops that look in the partitions of a node for what no writer was told of, by a clock that the test
/// moves.</summary>
public sealed class TakeoverScanTests : IAsyncDisposable
{
    private const int NotScanned = 7010;
    private const int NotCounted = 7012;

    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan MaxPause = TimeSpan.FromSeconds(30);

    private readonly ManualTimeProvider _time = new();
    private readonly OneNodeCluster _cluster = new();
    private readonly ScriptedWriter _accounts = new("accounts");
    private readonly ScriptedWriter _orders = new("orders");
    private readonly LogRecorder _logs;
    private readonly TakeoverScan _scan;

    public TakeoverScanTests(ITestOutputHelper output)
    {
        _logs = new LogRecorder(output);
        _scan = new TakeoverScan(_cluster, [_accounts, _orders], _time, _logs.CreateLogger<TakeoverScan>());
    }

    public async ValueTask DisposeAsync()
    {
        await _scan.DisposeAsync();
        _logs.Dispose();
    }

    [Fact]
    public async Task Partition_IsScannedOnce_ForEachStateAndEachTimeItComes()
    {
        _cluster.Own(0, 1);
        await StartAsync();
        Assert.Equal([0, 1], _accounts.Scanned);
        Assert.Equal([0, 1], _orders.Scanned);
        await PassAsync(Pause);
        _cluster.Own(1, 2);
        await PassAsync(Pause);
        Assert.Equal([0, 1, 2], _accounts.Scanned);
        _cluster.Own(0, 1, 2);
        await PassAsync(Pause);
        await PassAsync(Pause);
        Assert.Equal([0, 1, 2, 0], _accounts.Scanned);
        Assert.Equal(_accounts.Scanned, _orders.Scanned);
    }

    [Fact]
    public async Task Partitions_AreScannedAgain_AfterThePauseOfTheState()
    {
        _orders.SweepPause = TimeSpan.FromSeconds(20);
        _cluster.Own(0, 1);
        await StartAsync();
        await PassAsync(_orders.SweepPause - Pause);
        Assert.Equal([0, 1], _orders.Scanned);
        await PassAsync(Pause);
        Assert.Equal([0, 1, 0, 1], _orders.Scanned);
        await PassAsync(Pause);
        Assert.Equal(4, _orders.Scanned.Count);
        Assert.Equal([0, 1], _accounts.Scanned);
    }

    [Fact]
    public async Task StateWhoseScanWaits_HoldsNoOtherStateBack()
    {
        _accounts.OnScan = static (_, token) =>
            Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, token);
        _cluster.Own(0, 1);
        _scan.Start();
        await Eventually.TrueAsync(() => _orders.Scanned.Count == 2, Bound);
        Assert.Equal([0], _accounts.Scanned);
    }

    [Fact]
    public async Task Partitions_AreScannedAgainAtOnce_AfterAWriteWithoutRoom()
    {
        _cluster.Own(0, 1);
        await StartAsync();
        _orders.Miss();
        await PassAsync(Pause);
        Assert.Equal([0, 1, 0, 1], _orders.Scanned);
        await PassAsync(Pause);
        Assert.Equal((4, 2), (_orders.Scanned.Count, _accounts.Scanned.Count));
    }

    [Fact]
    public async Task Partition_ThatCannotBeScanned_IsTriedAgain_AfterPausesThatGrow()
    {
        var isFailing = true;
        _accounts.OnScan = (partition, _) => partition == 1 && Volatile.Read(ref isFailing)
            ? Task.FromException(new TimeoutException("the partition moves"))
            : Task.CompletedTask;
        _cluster.Own(0, 1, 2);
        await using var scan = new TakeoverScan(_cluster, [_accounts], _time, _logs.CreateLogger<TakeoverScan>());
        await StartAsync(scan);
        var first = _time.UntilNextTimer!.Value;
        for (var attempt = 0; attempt < 4; attempt++)
            await PassAsync(_time.UntilNextTimer!.Value, loops: 1);
        Assert.InRange(_time.UntilNextTimer!.Value, first * 3, MaxPause * 2);
        Assert.Equal([0, 1, 2, 1, 1, 1, 1], _accounts.Scanned);
        Assert.Equal(5, _logs.Entries.Count(entry => entry.Event.Id == NotScanned));

        Volatile.Write(ref isFailing, false);
        await PassAsync(_time.UntilNextTimer!.Value, loops: 1);
        Assert.Equal(8, _accounts.Scanned.Count);
        Assert.Equal(Pause, _time.UntilNextTimer);

        // The pauses begin anew with the next failure.
        Volatile.Write(ref isFailing, true);
        _cluster.Own(0, 2);
        await PassAsync(Pause, loops: 1);
        _cluster.Own(0, 1, 2);
        await PassAsync(Pause, loops: 1);
        Assert.InRange(_time.UntilNextTimer!.Value, TimeSpan.Zero, Pause);
    }

    [Fact]
    public async Task Stop_DuringAScan_EndsIt_HoweverItFails()
    {
        var isAsked = new TaskCompletionSource();
        _accounts.OnScan = async (_, token) =>
        {
            isAsked.TrySetResult();
            var stopped = new TaskCompletionSource();
            await using var registration = token.Register(stopped.SetResult);
            await stopped.Task;
            throw new StateRefusedException("the node leaves");
        };
        _cluster.Own(0);
        _scan.Start();
        await isAsked.Task.WaitAsync(Bound);
        await _scan.StopAsync().WaitAsync(Bound);
    }

    [Fact]
    public async Task ScanAll_AfterTheStop_ScansEverythingAgain()
    {
        _cluster.Own(0, 1);
        await StartAsync();
        await _scan.StopAsync().WaitAsync(Bound);
        await _scan.ScanAllAsync(CancellationToken.None);
        Assert.Equal([0, 1, 0, 1], _accounts.Scanned);
    }

    [Fact]
    public async Task Missing_AreThoseOfOwnPartitions_OrWhatWaitsWhereTheyCannotBeCounted()
    {
        _cluster.Own(1, 2);
        _accounts.Missing = static partition => partition;
        _accounts.WaitingCount = 2;
        _orders.Missing = static _ => throw new TimeoutException("the partition moves");
        _orders.WaitingCount = 7;
        Assert.Equal(3, await _scan.CountMissingAsync(_accounts, CancellationToken.None));
        Assert.Equal(7, await _scan.CountMissingAsync(_orders, CancellationToken.None));
        Assert.Contains("'orders'", Assert.Single(_logs.Entries).Message, StringComparison.Ordinal);
        Assert.Equal(NotCounted, _logs.Entries[0].Event.Id);
    }

    private Task StartAsync() => StartAsync(_scan, loops: 2);

    private async Task StartAsync(TakeoverScan scan, int loops = 1)
    {
        scan.Start();
        await _time.WaitForTimersAsync(loops, Bound);
    }

    // A loop has done a round when it sleeps again.
    private async Task PassAsync(TimeSpan time, int loops = 2)
    {
        _time.Advance(time);
        await _time.WaitForTimersAsync(loops, Bound);
    }
}
